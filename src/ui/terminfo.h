/* Descriptions of terminals that come with the program, for machines that have none. */
#ifndef KEYAVG_UI_TERMINFO_H
#define KEYAVG_UI_TERMINFO_H

/* What TERMINFO is set to for a terminal that TERM calls so, or one that does all that this one does too; *known is the
 * name to ask for then. NULL: there is none. */
const char *terminfo_find(const char *name, const char **known);

#endif

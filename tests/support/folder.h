/*
 * A folder for the files of one case: give folder_make and folder_remove as its .init and .fini.
 */
#ifndef SUPPORT_FOLDER_H
#define SUPPORT_FOLDER_H

/* Where it is, once it is made. */
extern char folder_path[];

void folder_make(void);
void folder_remove(void);

/* A path in the folder; valid until the fourth call after. */
const char *folder_file(const char *name);

/* Writes a file; the test fails when that cannot be done. */
void folder_write(const char *path, const char *text);

#endif

/* What the files of this generator know of each other. */
#ifndef KEYAVG_MANUAL_H
#define KEYAVG_MANUAL_H

#include "../src/config/theme_data.h"
#include "../src/ui/rooms.h"
#include "keyavg/column.h"
#include "keyavg/grouping.h"
#include "keyavg/options.h"
#include "keyavg/role.h"
#include "keyavg/writer.h"

/* -- words.c: what the tables do not say -------------------------------------------------------------------------- */

/* A word and what it means; lists of them end with a NULL. */
struct entry {
    const char *word, *meaning;
};

extern const struct entry environment_entries[];
extern const struct entry file_entries[];
extern const struct entry key_name_entries[];
extern const struct entry theme_entries[]; /* what may stand in a theme */

/* The filter language, a form of terms each. */
struct filter_form {
    const char *form, *example, *meaning;
};
extern const struct filter_form filter_forms[];
extern const struct entry filter_value_entries[]; /* how values of columns are written */

/* The views in which an action works, with commas; `all` for all of them. */
void words_add_contexts(const struct action *action, struct text *out);

/* What the column needs, else nothing: `Recorded with ...`. */
void words_add_need(const struct column *column, struct text *out);

/* Appends a part of a sentence as a sentence. */
void words_add_sentence(const char *part, struct text *out);

/* -- What is printed ---------------------------------------------------------------------------------------------- */

void man_add_program(struct text *out); /* keyavg(1) */
void man_add_formats(struct text *out); /* keyavg(5) */

void completion_add_bash(struct text *out);
void completion_add_zsh(struct text *out);
void completion_add_fish(struct text *out);

/* Tables for docs/. */
void markdown_add_columns(struct text *out);
void markdown_add_formulas(struct text *out);
void markdown_add_actions(struct text *out);
void markdown_add_key_names(struct text *out);
void markdown_add_roles(struct text *out);
void markdown_add_theme_words(struct text *out);
void markdown_add_themes(struct text *out);
void markdown_add_filter(struct text *out);
void markdown_add_filter_values(struct text *out);
void markdown_add_groupings(struct text *out);
void markdown_add_settings(struct text *out);
void markdown_add_options(struct text *out);
void markdown_add_formats(struct text *out);

#endif

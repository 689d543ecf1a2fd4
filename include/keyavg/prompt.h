/* The line at the bottom in which a user types: search, filter, file names, commands. */
#ifndef KEYAVG_PROMPT_H
#define KEYAVG_PROMPT_H

#include "keyavg/array.h"
#include "keyavg/key.h"
#include "keyavg/text.h"

struct app;

/* What was typed before, newest last. */
struct history {
    ARRAY(char *) lines;
    size_t fresh; /* so many of the last were typed in this run */
};

/* Candidates for the word before the cursor. */
struct candidates {
    size_t start; /* of the word, in the text */
    ARRAY(char *) words;
};

struct prompt_kind {
    const char *label; /* before the text */
    /* After each change of the text; may be NULL. */
    void (*changed)(struct app *app, struct span text);
    /* At the end: accepted by Enter, or left by Esc. */
    void (*done)(struct app *app, struct span text, bool accepted);
    /* Tab: what may stand for the word at the end of `text`; may be NULL. */
    void (*complete)(struct app *app, struct span text, struct candidates *candidates);
    int history; /* which one: PROMPT_HISTORIES are kept */
    bool meanwhile; /* needs nothing of the table, so it also works while one is being made */
};

enum { HISTORY_NONE = -1, HISTORY_COMMAND, HISTORY_SEARCH, HISTORY_FILTER, HISTORY_FILE, PROMPT_HISTORIES };

struct prompt {
    const struct prompt_kind *kind; /* NULL: closed */
    struct text text;
    size_t cursor; /* a byte of the text */
    struct candidates candidates;
    size_t candidate; /* the one chosen by Tab; words.count: none */
    size_t place;     /* in the history; lines.count: the new line */
    char *kept;       /* the new line while older ones are looked at */
    struct history histories[PROMPT_HISTORIES];
    struct text problem; /* what is wrong with the text, shown beside it */
};

/* Adds a line, unless it is the last one already; the oldest of too many goes. */
bool history_add(struct history *history, struct span line);
void history_free(struct history *history);

/* What earlier runs have kept in the state folder, which is never the configuration's; and keeps what this run has
 * typed, where there is such a folder or one can be made. */
void histories_load(struct history histories[PROMPT_HISTORIES]);
void histories_save(struct history histories[PROMPT_HISTORIES]);

void prompt_open(struct app *app, const struct prompt_kind *kind, struct span text);
void prompt_free(struct prompt *prompt);

/* Takes a key while the prompt is open. */
void prompt_key(struct app *app, const struct key *key);

void candidates_add(struct candidates *candidates, struct span word, const char *offered);
void candidates_clear(struct candidates *candidates);

#endif

/* The actions: everything a user can do, one descriptor each. Key map, function bar, help page, `:` prompt, its
 * completion and the tests' coverage come from this table. */
#ifndef KEYAVG_ACTION_H
#define KEYAVG_ACTION_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/text.h"

struct app;

/* The kinds of views, one bit each: where an action works. */
enum context {
    CONTEXT_TABLE = 1,
    CONTEXT_HELP = 2,
    CONTEXT_MENU = 4,
    CONTEXT_COLUMNS = 8,
    CONTEXT_LOADING = 16,
    CONTEXT_FOCUS = 32,
    CONTEXT_CALLS = 64,
    CONTEXT_TREE = 128,
    CONTEXT_KERNELS = 256,
    CONTEXT_PAIRS = 512,
    CONTEXT_MODULES = 1024,
    CONTEXT_EVENT = 2048,
    CONTEXT_QUALITY = 4096,
    CONTEXT_EXPLAIN = 8192,
    CONTEXT_CHANGES = 16384, /* besides CONTEXT_TABLE: the table of two traces */
    CONTEXT_SIDES = 32768,   /* besides that of a drill: of two traces */
    CONTEXT_RANKS = 65536,   /* the table over many ranks */
    CONTEXT_RUN = 131072,    /* besides that of the table or a drill: the trace is of one of many ranks */
    CONTEXT_DRILL = CONTEXT_FOCUS | CONTEXT_CALLS | CONTEXT_TREE | CONTEXT_KERNELS | CONTEXT_PAIRS | CONTEXT_MODULES |
                    CONTEXT_EVENT | CONTEXT_QUALITY | CONTEXT_EXPLAIN,
    CONTEXT_ROWS = CONTEXT_TABLE | CONTEXT_HELP | CONTEXT_MENU | CONTEXT_COLUMNS | CONTEXT_DRILL | CONTEXT_RANKS,
    CONTEXT_ALL = CONTEXT_ROWS | CONTEXT_LOADING,
};

/* The views' names, of the bits of enum context from the lowest on; ends with NULL. Actions of one view stand below its
 * name in the configuration. */
extern const char *const context_names[];

enum action_group {
    GROUP_OF_MOVES,
    GROUP_OF_SORTS,
    GROUP_OF_GROUPINGS,
    GROUP_OF_CHOICES,
    GROUP_OF_LOOKS,
    GROUP_OF_DRILLS,
    GROUP_OF_MARKS,
    GROUP_OF_OUTPUT,
    GROUP_OF_PROGRAM,
    ACTION_GROUPS
};

/* What may follow the action's name in the `:` prompt: what is completed there. */
enum takes {
    TAKES_NONE,
    TAKES_TEXT,
    TAKES_COLUMN,
    TAKES_SETTING,
    TAKES_GROUPING,
    TAKES_SCOPE,
    TAKES_UNIT,
    TAKES_THEME,
    TAKES_FILE,
};

enum action_trait {
    ACTION_QUIET = 1,     /* leaves the screen as it was: tested in a real terminal, not by goldens */
    ACTION_MEANWHILE = 2, /* only changes what is asked for, so it also works while a table is being made */
};

struct action {
    const char *name;     /* in key maps and the `:` prompt */
    const char *keys;     /* the default keys by name, separated by spaces */
    unsigned contexts;    /* enum context */
    uint8_t group;        /* enum action_group */
    uint8_t takes;        /* enum takes */
    uint8_t traits;       /* enum action_trait, 0 none */
    const char *label;    /* in the function bar, NULL none */
    bool (*on)(const struct app *app); /* whether the thing is on: its label in upper case; NULL never */
    const char *help;     /* one sentence */
    void (*run)(struct app *app, struct span argument); /* by key the argument is empty */
};

extern const struct action actions[];
extern const unsigned action_count;
extern const char *const action_group_names[ACTION_GROUPS];

/* By name, NULL none. */
const struct action *action_find(struct span name);

/* The keys: which action a key means in a view. */
struct bindings {
    struct binding {
        uint32_t code;
        const struct action *action;
    } *items;
    size_t count, capacity;
};

/* The default keys. */
void bindings_init(struct bindings *bindings);
void bindings_free(struct bindings *bindings);

/* Gives an action these keys in place of those it had; keys that meant something else in the same views now mean this.
 * False when a name is no key's (`wrong` is that name). */
bool bindings_set(struct bindings *bindings, const struct action *action, struct span keys, struct span *wrong);

/* The action of a key in a view of this context, NULL none. */
const struct action *bindings_find(const struct bindings *bindings, uint32_t code, unsigned context);

/* Appends the names of an action's keys, separated by spaces. */
void bindings_add_keys(const struct bindings *bindings, const struct action *action, struct text *out);

#endif

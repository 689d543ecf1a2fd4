/* Completion in prompts. */
#include <dirent.h>
#include <stdlib.h>

#include "keyavg/grouping.h"
#include "keyavg/theme.h"
#include "rooms.h"

static size_t word_start(struct span text, const char *stops)
{
    size_t start = text.length;
    while (start > 0 && strchr(stops, text.bytes[start - 1]) == NULL)
        start--;
    return start;
}

/* Words of a text that are separated by spaces. */
static void add_words(struct candidates *candidates, struct span word, const char *words)
{
    struct text one = {0};
    for (const char *at = words; *at != 0;) {
        size_t length = strcspn(at, " ");
        text_clear(&one);
        text_add(&one, at, length);
        if (one.length > 0)
            candidates_add(candidates, word, one.bytes);
        at += length;
        at += strspn(at, " ");
    }
    text_free(&one);
}

static void add_columns(struct candidates *candidates, struct span word)
{
    for (unsigned i = 0; i < column_count; i++)
        candidates_add(candidates, word, columns[i].name);
}

static void add_themes(struct candidates *candidates, struct span word)
{
    struct theme_names names = {0};
    theme_names_list(&names);
    for (size_t i = 0; i < names.count; i++)
        candidates_add(candidates, word, names.items[i]);
    theme_names_free(&names);
}

static void add_groupings(struct candidates *candidates, struct span word)
{
    for (int i = 0; i < GROUPING_PARTS; i++)
        candidates_add(candidates, word, grouping_parts[i].name);
}

/* `text` up to the cursor, of which the argument begins at `from`. */
static void complete_argument(enum takes takes, struct span text, size_t from, struct candidates *candidates)
{
    struct span argument = {text.bytes + from, text.length - from};
    const char *stops = takes == TAKES_GROUPING || takes == TAKES_COLUMN ? " ,=" : " =";
    candidates->start = from + word_start(argument, stops);
    struct span word = {text.bytes + candidates->start, text.length - candidates->start};
    switch (takes) {
    case TAKES_COLUMN: add_columns(candidates, word); break;
    case TAKES_GROUPING: add_groupings(candidates, word); break;
    case TAKES_SCOPE: add_words(candidates, word, "all forward backward user recompute sync optimizer data none"); break;
    case TAKES_UNIT: add_words(candidates, word, "auto us ms s"); break;
    case TAKES_THEME: add_themes(candidates, word); break;
    case TAKES_FILE: complete_file(NULL, text, candidates); break;
    case TAKES_SETTING: {
        size_t end = 0;
        while (end < argument.length && argument.bytes[end] != ' ' && argument.bytes[end] != '=')
            end++;
        const struct setting *setting = setting_find((struct span){argument.bytes, end});
        if (end == argument.length) {
            for (unsigned i = 0; i < setting_count; i++)
                candidates_add(candidates, word, settings[i].name);
        } else if (setting != NULL && setting->values != NULL) {
            add_words(candidates, word, setting->values);
        } else if (setting != NULL && setting->takes != TAKES_SETTING) {
            complete_argument((enum takes)setting->takes, text, from + end + 1, candidates);
        }
        break;
    }
    case TAKES_NONE:
    case TAKES_TEXT: break;
    }
}

void complete_command(struct app *app, struct span text, struct candidates *candidates)
{
    size_t end = 0;
    while (end < text.length && text.bytes[end] != ' ')
        end++;
    if (end == text.length) {
        candidates->start = 0;
        for (unsigned i = 0; i < action_count; i++) {
            /* What only keys can do in other views is not offered. */
            unsigned here = view_context(app->top);
            if (actions[i].contexts & here && strcmp(actions[i].name, "click") != 0)
                candidates_add(candidates, text, actions[i].name);
        }
        return;
    }
    const struct action *action = action_find((struct span){text.bytes, end});
    if (action == NULL && end == 1 && text.bytes[0] == 'w')
        action = action_find(span_of("export"));
    if (action != NULL)
        complete_argument((enum takes)action->takes, text, end + 1, candidates);
}

void complete_file(struct app *app, struct span text, struct candidates *candidates)
{
    (void)app;
    size_t start = word_start(text, " ");
    struct span path = {text.bytes + start, text.length - start};
    size_t folder = path.length;
    while (folder > 0 && path.bytes[folder - 1] != '/')
        folder--;
    struct text name = {0}, where = {0};
    text_add(&where, path.bytes, folder);
    if (folder == 0)
        text_add_char(&where, '.');
    candidates->start = start;
    DIR *list = opendir(where.bytes);
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        text_clear(&name);
        text_add(&name, path.bytes, folder);
        text_add_string(&name, entry->d_name);
        if (entry->d_type == DT_DIR)
            text_add_char(&name, '/');
        candidates_add(candidates, path, name.bytes);
    }
    if (list != NULL)
        closedir(list);
    text_free(&name);
    text_free(&where);
}

void complete_filter(struct app *app, struct span text, struct candidates *candidates)
{
    (void)app;
    candidates->start = word_start(text, " !");
    struct span word = {text.bytes + candidates->start, text.length - candidates->start};
    if (word.length == 0)
        return;
    const char *colon = memchr(word.bytes, ':', word.length);
    if (colon == NULL) {
        add_words(candidates, word, "name: kind: scope: step: thread: shape:");
        add_columns(candidates, word);
    } else if (span_starts(word, "kind:")) {
        add_words(candidates, word,
                  "kind:op kind:annotation kind:python kind:runtime kind:overhead kind:memory kind:kernel kind:memcpy "
                  "kind:memset kind:sync kind:device kind:cpu");
    } else if (span_starts(word, "scope:")) {
        add_words(candidates, word,
                  "scope:forward scope:backward scope:recompute scope:sync scope:optimizer scope:data scope:user scope:none");
    }
}

/* The prompt: a line of text being typed. */
#include "keyavg/prompt.h"

#include <stdlib.h>

#include "keyavg/app.h"
#include "keyavg/memory.h"
#include "keyavg/utf8.h"

void candidates_clear(struct candidates *candidates)
{
    for (size_t i = 0; i < candidates->words.count; i++)
        free(candidates->words.items[i]);
    array_free(&candidates->words);
    candidates->start = 0;
}

void candidates_add(struct candidates *candidates, struct span word, const char *offered)
{
    if (strlen(offered) < word.length || strncmp(offered, word.bytes, word.length) != 0)
        return;
    array_push(&candidates->words, memory_copy_text(offered, strlen(offered)));
}

static struct history *history_of(struct prompt *prompt)
{
    return prompt->kind->history < 0 ? NULL : &prompt->histories[prompt->kind->history];
}

static void set_text(struct prompt *prompt, struct span text)
{
    struct text fresh = {0};
    text_add_span(&fresh, text);
    text_free(&prompt->text);
    prompt->text = fresh;
    prompt->cursor = prompt->text.length;
}

void prompt_open(struct app *app, const struct prompt_kind *kind, struct span text)
{
    struct prompt *prompt = &app->prompt;
    prompt->kind = kind;
    set_text(prompt, text);
    candidates_clear(&prompt->candidates);
    text_clear(&prompt->problem);
    struct history *history = history_of(prompt);
    prompt->place = history != NULL ? history->lines.count : 0;
}

void prompt_free(struct prompt *prompt)
{
    text_free(&prompt->text);
    text_free(&prompt->problem);
    candidates_clear(&prompt->candidates);
    free(prompt->kept);
    for (int i = 0; i < PROMPT_HISTORIES; i++)
        history_free(&prompt->histories[i]);
    *prompt = (struct prompt){0};
}

static void finish(struct app *app, bool accepted)
{
    struct prompt *prompt = &app->prompt;
    const struct prompt_kind *kind = prompt->kind;
    struct history *history = history_of(prompt);
    if (accepted && history != NULL)
        history->fresh += history_add(history, text_span(&prompt->text));
    candidates_clear(&prompt->candidates);
    text_clear(&prompt->problem);
    prompt->kind = NULL;
    /* `done` may open another prompt, so it gets the text for itself. */
    struct text text = prompt->text;
    prompt->text = (struct text){0};
    kind->done(app, text_span(&text), accepted);
    text_free(&text);
}

static void changed(struct app *app)
{
    struct prompt *prompt = &app->prompt;
    candidates_clear(&prompt->candidates);
    text_clear(&prompt->problem);
    if (prompt->kind->changed != NULL)
        prompt->kind->changed(app, text_span(&prompt->text));
}

/* Replaces bytes [from, to) by others; the cursor goes behind them. */
static void replace(struct prompt *prompt, size_t from, size_t to, struct span by)
{
    struct text fresh = {0};
    text_add(&fresh, prompt->text.bytes, from);
    text_add_span(&fresh, by);
    text_add(&fresh, prompt->text.bytes + to, prompt->text.length - to);
    text_free(&prompt->text);
    prompt->text = fresh;
    prompt->cursor = from + by.length;
}

/* The start of the character before a place. */
static size_t before(const struct text *text, size_t at)
{
    while (at > 0 && ((unsigned char)text->bytes[--at] & 0xC0) == 0x80) {
    }
    return at;
}

static size_t after(const struct text *text, size_t at)
{
    if (at < text->length)
        at++;
    while (at < text->length && ((unsigned char)text->bytes[at] & 0xC0) == 0x80)
        at++;
    return at;
}

static size_t word_before(const struct text *text, size_t at)
{
    while (at > 0 && text->bytes[at - 1] == ' ')
        at--;
    while (at > 0 && text->bytes[at - 1] != ' ')
        at--;
    return at;
}

static void walk_history(struct prompt *prompt, int step)
{
    struct history *history = history_of(prompt);
    if (history == NULL || (step < 0 && prompt->place == 0) || (step > 0 && prompt->place >= history->lines.count))
        return;
    if (prompt->place == history->lines.count) {
        free(prompt->kept);
        prompt->kept = memory_copy_text(prompt->text.length > 0 ? prompt->text.bytes : "", prompt->text.length);
    }
    prompt->place = step < 0 ? prompt->place - 1 : prompt->place + 1;
    set_text(prompt, span_of(prompt->place == history->lines.count ? prompt->kept : history->lines.items[prompt->place]));
}

/* Tab: the part that all candidates share, then one after the other. */
static void complete(struct app *app, int step)
{
    struct prompt *prompt = &app->prompt;
    struct candidates *candidates = &prompt->candidates;
    if (prompt->kind->complete == NULL)
        return;
    if (candidates->words.count == 0) {
        struct span text = {prompt->text.bytes, prompt->cursor};
        prompt->kind->complete(app, text, candidates);
        if (candidates->words.count == 0)
            return;
        size_t shared = strlen(candidates->words.items[0]);
        for (size_t i = 1; i < candidates->words.count; i++) {
            size_t same = 0;
            while (same < shared && candidates->words.items[i][same] == candidates->words.items[0][same])
                same++;
            shared = same;
        }
        prompt->candidate = candidates->words.count;
        size_t typed = prompt->cursor - candidates->start;
        if (shared > typed || candidates->words.count == 1) {
            replace(prompt, candidates->start, prompt->cursor, (struct span){candidates->words.items[0], shared});
            if (candidates->words.count == 1) {
                size_t end = prompt->cursor;
                if (end > 0 && prompt->text.bytes[end - 1] != '/')
                    replace(prompt, end, end, span_of(" "));
                candidates_clear(candidates);
            }
            return;
        }
    }
    size_t count = candidates->words.count;
    if (step > 0)
        prompt->candidate = prompt->candidate + 1 >= count ? 0 : prompt->candidate + 1;
    else
        prompt->candidate = prompt->candidate == 0 || prompt->candidate >= count ? count - 1 : prompt->candidate - 1;
    replace(prompt, candidates->start, prompt->cursor, span_of(candidates->words.items[prompt->candidate]));
}

static void edit(struct app *app, size_t from, size_t to)
{
    if (from < to) {
        replace(&app->prompt, from, to, (struct span){"", 0});
        changed(app);
    }
}

void prompt_key(struct app *app, const struct key *key)
{
    struct prompt *prompt = &app->prompt;
    struct text *text = &prompt->text;
    size_t cursor = prompt->cursor;
    switch (key->code) {
    case KEYCODE_ENTER: finish(app, true); return;
    case KEYCODE_ESCAPE:
    case 3: finish(app, false); return; /* ^C */
    case KEYCODE_BACKSPACE:
        if (text->length == 0)
            finish(app, false);
        else
            edit(app, before(text, cursor), cursor);
        return;
    case KEYCODE_DELETE:
    case 4: edit(app, cursor, after(text, cursor)); return;            /* ^D */
    case 21: edit(app, 0, cursor); return;                             /* ^U */
    case 11: edit(app, cursor, text->length); return;                  /* ^K */
    case 23: edit(app, word_before(text, cursor), cursor); return;     /* ^W */
    case KEYCODE_LEFT:
    case 2: prompt->cursor = before(text, cursor); return;             /* ^B */
    case KEYCODE_RIGHT:
    case 6: prompt->cursor = after(text, cursor); return;              /* ^F */
    case KEYCODE_HOME:
    case 1: prompt->cursor = 0; return;                                /* ^A */
    case KEYCODE_END:
    case 5: prompt->cursor = text->length; return;                     /* ^E */
    case KEYCODE_UP:
    case 16:                                                           /* ^P */
    case KEYCODE_DOWN:
    case 14:                                                           /* ^N */
        walk_history(prompt, key->code == KEYCODE_UP || key->code == 16 ? -1 : 1);
        changed(app);
        return;
    case KEYCODE_TAB: complete(app, 1); break;
    case KEYCODE_BACK_TAB: complete(app, -1); break;
    default:
        if (key->code < ' ' || key->code >= KEYCODE_UP)
            return;
        char bytes[4];
        replace(prompt, cursor, cursor, (struct span){bytes, utf8_encode(key->code, bytes)});
        changed(app);
        return;
    }
    /* A completed word counts as typed, but the candidates stay. */
    if (prompt->kind->changed != NULL)
        prompt->kind->changed(app, text_span(&prompt->text));
}

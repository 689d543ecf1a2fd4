#include "keyavg/messages.h"

#include <stdarg.h>
#include <stdio.h>

#include "keyavg/array.h"
#include "keyavg/utf8.h"

enum { WORD_COLUMNS = 60 };

void messages_free(struct messages *messages)
{
    for (size_t i = 0; i < messages->count; i++)
        free(messages->items[i]);
    array_free(messages);
    messages->dropped = 0;
}

static void add(struct messages *messages, const char *path, struct place place, struct span what)
{
    if (messages->count >= MESSAGES_MAX) {
        messages->dropped++;
        return;
    }
    struct text line = {0};
    if (path != NULL) {
        utf8_add_clean(&line, span_of(path), false);
        if (place.line != 0)
            text_addf(&line, ":%u:%u", place.line, place.column);
        text_add_string(&line, ": ");
    }
    utf8_add_clean(&line, what, false);
    array_push(messages, memory_copy_text(line.bytes, line.length));
    text_free(&line);
}

void messages_add(struct messages *messages, const char *path, struct place place, const char *format, ...)
{
    char what[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    add(messages, path, place, span_of(what));
}

void messages_add_unknown(struct messages *messages, const char *path, struct place place, const char *kind,
                          struct span word, const char *nearest)
{
    struct text what = {0};
    text_addf(&what, "unknown %s '", kind);
    utf8_add_fitted(&what, word, WORD_COLUMNS, UTF8_CUT_END, false);
    text_add_char(&what, '\'');
    if (nearest != NULL)
        text_addf(&what, "; did you mean '%s'?", nearest);
    add(messages, path, place, text_span(&what));
    text_free(&what);
}

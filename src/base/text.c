#include "keyavg/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "keyavg/memory.h"

void text_free(struct text *text)
{
    free(text->bytes);
    *text = (struct text){0};
}

void text_clear(struct text *text)
{
    text->length = 0;
    if (text->bytes != NULL)
        text->bytes[0] = '\0';
}

char *text_room(struct text *text, size_t extra)
{
    if (text->capacity - text->length <= extra) {
        text->capacity = (text->length + extra) * 3 / 2 + 32;
        text->bytes = memory_resize(text->bytes, text->capacity, 1);
    }
    return text->bytes + text->length;
}

void text_add(struct text *text, const char *bytes, size_t length)
{
    char *room = text_room(text, length);
    if (length != 0)
        memcpy(room, bytes, length);
    room[length] = '\0';
    text->length += length;
}

void text_add_span(struct text *text, struct span span)
{
    text_add(text, span.bytes, span.length);
}

void text_add_string(struct text *text, const char *string)
{
    text_add(text, string, strlen(string));
}

void text_add_char(struct text *text, char c)
{
    text_add(text, &c, 1);
}

void text_add_repeat(struct text *text, char c, size_t times)
{
    char *room = text_room(text, times);
    memset(room, c, times);
    room[times] = '\0';
    text->length += times;
}

void text_addf(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    char *room = text_room(text, 80);
    size_t left = text->capacity - text->length;
    int length = vsnprintf(room, left, format, arguments);
    if (length >= 0 && (size_t)length >= left)
        length = vsnprintf(text_room(text, (size_t)length), (size_t)length + 1, format, again);
    if (length > 0)
        text->length += (size_t)length;
    va_end(again);
    va_end(arguments);
}

struct span text_span(const struct text *text)
{
    return (struct span){text->bytes != NULL ? text->bytes : "", text->length};
}

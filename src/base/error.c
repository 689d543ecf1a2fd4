#include "keyavg/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "keyavg/utf8.h"

/* The text as it may be printed anywhere; what does not fit is cut between two characters. */
static void set_text(struct error *error, const char *text)
{
    struct text shown = {0};
    utf8_add_clean(&shown, span_of(text), false);
    size_t length = shown.length;
    if (length >= sizeof error->text) {
        length = sizeof error->text - 1;
        while (((unsigned char)shown.bytes[length] & 0xC0) == 0x80)
            length--;
    }
    if (length > 0)
        memcpy(error->text, shown.bytes, length);
    error->text[length] = '\0';
    text_free(&shown);
}

bool error_set(struct error *error, enum error_code code, const char *format, ...)
{
    if (error != NULL) {
        char text[sizeof error->text];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        error->code = code;
        set_text(error, text);
    }
    return false;
}

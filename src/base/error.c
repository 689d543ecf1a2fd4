#include "keyavg/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *error, enum error_code code, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        error->code = code;
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return false;
}

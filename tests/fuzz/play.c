/*
 * Keys as --play has them, on the sample. What a key may write (export, :save) goes nowhere: the
 * linker puts the functions below in the place of those that open files.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "explorer.h"
#include "fuzz.h"
#include "keyavg/output.h"

bool __real_output_open(struct output *output, const char *path, struct error *error);
bool __wrap_output_open(struct output *output, const char *path, struct error *error);
bool __wrap_config_save(const char *path, const struct config_page *page, struct error *error);

bool __wrap_output_open(struct output *output, const char *path, struct error *error)
{
    if (path[0] == '\0')
        return error_set(error, ERROR_IO, "no name");
    return __real_output_open(output, "/dev/null", error);
}

bool __wrap_config_save(const char *path, const struct config_page *page, struct error *error)
{
    struct text text = {0};
    (void)path;
    (void)error;
    config_add_page(&text, page, true);
    text_free(&text);
    return true;
}

enum { KEYS = 300, MOST_CELLS = 20000 };

int fuzz_play(const uint8_t *bytes, size_t length)
{
    char *argv[] = {(char[]){"keyavg"}, (char[]){"sample.json"}, NULL};
    struct options options;
    struct error error = {0};
    struct app app;
    struct startup startup = {0};
    if (!options_parse(&options, 2, argv, &error))
        fuzz_fail("%s", error.text);
    explorer_open(&app, &startup, &options);
    struct span rest = {(const char *)bytes, length};
    struct key key;
    int times, keys = 0;
    while (!app.quit && keys < KEYS && key_next(&rest, &key, &times, &error))
        for (int i = 0; i < times && !app.quit && keys < KEYS; i++, keys++) {
            /* A screen of 10,000 by 10,000 is right, but takes its time. */
            if (key.code == KEYCODE_RESIZE && key.row * key.column > MOST_CELLS)
                continue;
            app_key(&app, &key);
            if (!app.quit)
                explorer_draw(&app);
        }
    explorer_close(&app, &startup);
    options_free(&options);
    return 0;
}

#include "explorer.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "keyavg/utf8.h"

static void take_clipboard(struct app *app, struct span text)
{
    (void)app;
    struct text sequence = {0};
    clipboard_add_sequence(&sequence, text, text.length % 2);
    text_free(&sequence);
}

static struct trace *sample(void)
{
    struct error error = {0};
    struct trace *trace = trace_load_memory(fuzz_sample, fuzz_sample_length, "sample.json", &error);
    if (trace == NULL)
        fuzz_fail("the sample: %s", error.text);
    return trace;
}

static void read_again(struct app *app)
{
    app_set_table(app, app_build_table(sample(), &app->query, true));
}

void explorer_open(struct app *app, struct startup *startup, struct options *options)
{
    startup->options = options;
    startup->theme = strdup("dark");
    app_init(app, "sample.json", &options->query, 12, 60, false);
    app->outside = (struct app_outside){.clipboard = take_clipboard, .reload = read_again};
    startup_prepare(startup, app);
    app_set_table(app, app_build_table(sample(), &app->query, app->sort_given));
    startup_finish(startup, app);
    explorer_draw(app);
}

void explorer_close(struct app *app, struct startup *startup)
{
    app_free(app);
    startup_free(startup);
}

void explorer_draw(struct app *app)
{
    struct text screen = {0};
    app_draw(app);
    grid_add_text(&app->grid, &screen);
    for (size_t i = 0; i < screen.length;) {
        uint32_t point;
        size_t taken = utf8_decode(screen.bytes + i, screen.length - i, &point);
        bool control = (point < 0x20 && point != '\n') || (point >= 0x7F && point < 0xA0);
        bool direction = point == 0x061C || (point >= 0x200E && point <= 0x200F) || (point >= 0x202A && point <= 0x202E) ||
                         (point >= 0x2066 && point <= 0x2069);
        if (control || direction || (point == UTF8_REPLACEMENT && taken == 1))
            fuzz_fail("U+%04X on the screen", (unsigned)point);
        i += taken;
    }
    text_free(&screen);
}

/* The line at the top: what this file is. */
#include <stdio.h>

#include "rooms.h"

/* 48709 as 48,709. */
static void add_number(struct text *out, uint64_t number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text_add_char(out, ',');
        text_add_char(out, digits[i]);
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != 0 ? slash + 1 : path;
}

static void add_facts(const struct app *app, struct text *out)
{
    const struct trace *trace = app->trace;
    if (trace->header.rank >= 0) {
        text_addf(out, "  rank %lld", (long long)trace->header.rank);
        if (trace->header.world_size > 0)
            text_addf(out, " of %lld", (long long)trace->header.world_size);
    }
    text_addf(out, "  %s  ", trace->backend != BACKEND_NONE ? backend_name(trace->backend) : "CPU");
    add_number(out, trace->events.count);
    text_add_string(out, trace->events.count == 1 ? " event" : " events");
    if (app->steps > 0)
        text_addf(out, "  %u step%s", app->steps, app->steps == 1 ? "" : "s");
    else
        text_add_string(out, "  no steps");
    const char *space = "  ";
    const struct {
        bool on;
        const char *word;
    } flags[] = {
        {trace->inputs.count > 1, "shapes"},
        {app->table != NULL && app->table->tree->has_stacks, "stacks"},
        {trace_has_memory(trace), "mem"},
        {trace->header.with_flops, "flops"},
        {trace->header.with_modules, "modules"},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!flags[i].on)
            continue;
        text_addf(out, "%s%s", space, flags[i].word);
        space = " ";
    }
}

void title_draw(struct app *app, struct grid *grid, int row)
{
    grid_blank(grid, row, 0, grid->columns, ROLE_TITLE);
    struct text name = {0}, facts = {0};
    const char *path = app->path != NULL && strcmp(app->path, "-") == 0 ? "standard input"
                       : app->path != NULL                              ? base_name(app->path)
                                                                        : "";
    text_add_string(&name, path);
    if (app->trace != NULL)
        add_facts(app, &facts);
    bool partial = app->trace != NULL && app->trace->partial;
    bool damaged = app->trace != NULL && notes_any(&app->trace->notes);
    char reading[32];
    uint64_t done = atomic_load(&app->loaded), total = atomic_load(&app->total);
    snprintf(reading, sizeof reading, total > 0 ? "  reading %3.0f %%" : "  reading",
             total > 0 ? 100.0 * (double)done / (double)total : 0.0);
    const char *warning = app->reading && app->trace != NULL ? reading
                          : partial                          ? "  PARTIAL"
                          : damaged                          ? "  damaged"
                                                             : "";
    /* The facts have their room first, the name the rest but at least a third. */
    int room = grid->columns - 2;
    int warning_width = (int)strlen(warning), facts_width = (int)utf8_width(text_span(&facts));
    int least = room / 3, left = room - facts_width - warning_width;
    int used = 1 + grid_text(grid, row, 1, left > least ? left : least, text_span(&name), UTF8_CUT_MIDDLE, ROLE_TITLE);
    if (*warning != 0)
        used += grid_text(grid, row, used, room - used + 1, span_of(warning), UTF8_CUT_END, ROLE_TITLE_WARNING);
    grid_text(grid, row, used, room - used + 1, text_span(&facts), UTF8_CUT_END, ROLE_TITLE);
    text_free(&name);
    text_free(&facts);
}

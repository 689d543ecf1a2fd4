/* The line at the top: what this file is. */
#include <stdio.h>

#include "keyavg/many.h"
#include "keyavg/steps.h"
#include "rooms.h"

/* 48709 as 48,709. */
void title_add_number(struct text *out, uint64_t number)
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

/* The facts get shorter by these steps where they do not fit. */
enum { FULL, SHORT_FLAGS, SHORT_RANK, NO_FLAGS, SHORT_WORDS, EVENTS_ONLY, LEVELS };

static void add_flags(const struct app *app, int level, struct text *out)
{
    const struct trace *trace = app->trace;
    const struct {
        bool on;
        const char *word, *in_short;
    } flags[] = {
        {trace->has_shapes, "shapes", "shp"},
        {app->table != NULL && app->table->tree->has_stacks, "stacks", "stk"},
        {trace_has_memory(trace), "mem", "mem"},
        {trace->header.with_flops, "flops", "flp"},
        {trace->header.with_modules, "modules", "mod"},
    };
    const char *space = "  ";
    for (size_t i = 0; i < sizeof flags / sizeof *flags && level < NO_FLAGS; i++) {
        if (!flags[i].on)
            continue;
        text_addf(out, "%s%s", space, level >= SHORT_FLAGS ? flags[i].in_short : flags[i].word);
        space = " ";
    }
}

/* Files of one name are told apart by their folders. */
static const char *name_with_folder(const char *path)
{
    const char *name = base_name(path), *at = name;
    if (name > path)
        at = name - 1;
    while (at > path && at[-1] != '/')
        at--;
    return at;
}

static void add_names(const struct app *app, struct text *out)
{
    const char *paths[COMPARE_SIDES] = {app->path, app->two.path};
    bool alike = app->two.on && strcmp(app->path, app->two.path) != 0 &&
                 strcmp(base_name(app->path), base_name(app->two.path)) == 0;
    for (int s = 0; s < (app->two.on ? COMPARE_SIDES : 1); s++) {
        const char *path = paths[s] != NULL ? paths[s] : "";
        if (s > 0)
            text_add_string(out, app->looks.ascii ? " -> " : " \u2192 ");
        text_add_string(out, strcmp(path, "-") == 0 ? "standard input"
                             : alike                ? name_with_folder(path)
                                                    : base_name(path));
    }
}

/* Two numbers where they differ. */
static void add_both(const struct app *app, uint64_t base, uint64_t other, struct text *out)
{
    title_add_number(out, base);
    if (base == other)
        return;
    text_add_string(out, app->looks.ascii ? " -> " : " \u2192 ");
    title_add_number(out, other);
}

static void add_facts_of_two(const struct app *app, int level, struct text *out)
{
    const struct compare_side *base = &app->compare->sides[COMPARE_BASE], *other = &app->compare->sides[COMPARE_NEW];
    if (base->rank >= 0 && other->rank >= 0 && base->rank != other->rank && level < EVENTS_ONLY) {
        text_add_string(out, level < SHORT_RANK ? "  rank " : "  r");
        add_both(app, (uint64_t)base->rank, (uint64_t)other->rank, out);
    }
    if (level < NO_FLAGS)
        text_addf(out, "  %s", app->trace->backend != BACKEND_NONE ? backend_name(app->trace->backend) : "CPU");
    text_add_string(out, "  ");
    add_both(app, base->events, other->events, out);
    text_add_string(out, level >= SHORT_WORDS ? " ev" : " events");
    uint32_t steps = steps_count(base->table->tree), other_steps = steps_count(other->table->tree);
    if (level >= EVENTS_ONLY || (steps == 0 && other_steps == 0))
        return;
    text_add_string(out, "  ");
    add_both(app, steps, other_steps, out);
    text_add_string(out, level >= SHORT_WORDS ? " st" : other_steps == 1 ? " step" : " steps");
}

static void add_facts(const struct app *app, int level, struct text *out)
{
    if (app->compare != NULL) {
        add_facts_of_two(app, level, out);
        return;
    }
    const struct trace *trace = app->trace;
    long long rank = trace->header.rank, ranks = trace->header.world_size;
    if (rank >= 0 && level < EVENTS_ONLY) {
        text_addf(out, level < SHORT_RANK ? "  rank %lld" : "  r%lld", rank);
        if (ranks > 0)
            text_addf(out, level < SHORT_RANK ? " of %lld" : "/%lld", ranks);
    }
    if (level < EVENTS_ONLY)
        text_addf(out, "  %s", trace->backend != BACKEND_NONE ? backend_name(trace->backend) : "CPU");
    text_add_string(out, "  ");
    title_add_number(out, trace->events.count);
    text_add_string(out, level >= SHORT_WORDS ? " ev" : trace->events.count == 1 ? " event" : " events");
    if (level >= EVENTS_ONLY)
        return;
    if (app->steps > 0)
        text_addf(out, "  %u %s%s", app->steps, level < SHORT_WORDS ? "step" : "st",
                  app->steps == 1 || level >= SHORT_WORDS ? "" : "s");
    else
        text_add_string(out, "  no steps");
    add_flags(app, level, out);
}

/* What is not clean, where there is room for the words; the page of quality has all. */
static void draw_verdict(const struct app *app, struct grid *grid, int row, int used, int room)
{
    enum { GAP = 2, LEAST = 24 };
    if (app->verdict != NULL && room - used - GAP >= LEAST)
        grid_text(grid, row, used + GAP, room - used - GAP + 1, span_of(app->verdict), UTF8_CUT_END,
                  ROLE_TITLE_WARNING);
}

/* Of the table over all ranks: no trace is more its own than another. */
static void draw_ranks(const struct app *app, struct grid *grid, int row)
{
    const struct ranks *ranks = app->many->ranks;
    struct text line = {0};
    uint32_t missing = rank_roll_missing(&ranks->roll);
    text_addf(&line, "%zu rank%s", ranks->roll.whole->sources.count, ranks->roll.whole->sources.count == 1 ? "" : "s");
    int used = 1 + grid_text(grid, row, 1, grid->columns - 1, text_span(&line), UTF8_CUT_END, ROLE_TITLE);
    text_clear(&line);
    if (missing > 0)
        text_addf(&line, "  %lu missing", (unsigned long)missing);
    used += grid_text(grid, row, used, grid->columns - used, text_span(&line), UTF8_CUT_END, ROLE_TITLE_WARNING);
    text_clear(&line);
    text_addf(&line, "  %s  ", ranks->facts.has & SOURCE_DEVICE ? facts_device_name(&ranks->facts) : "CPU");
    title_add_number(&line, ranks->count);
    text_add_string(&line, ranks->count == 1 ? " row" : " rows");
    grid_text(grid, row, used, grid->columns - used, text_span(&line), UTF8_CUT_END, ROLE_TITLE);
    text_free(&line);
}

void title_draw(struct app *app, struct grid *grid, int row)
{
    grid_blank(grid, row, 0, grid->columns, ROLE_TITLE);
    if (app->many != NULL && ranks_view_in_sight(app)) {
        draw_ranks(app, grid, row);
        return;
    }
    struct text name = {0}, facts = {0};
    add_names(app, &name);
    bool partial = app->trace != NULL && app->trace->partial;
    bool damaged = app->trace != NULL && notes_any(&app->trace->notes);
    for (int s = 0; s < COMPARE_SIDES && app->compare != NULL; s++) {
        partial = partial || app->traces[s]->partial;
        damaged = damaged || notes_any(&app->traces[s]->notes);
    }
    char reading[32];
    uint64_t done = 0, total = 0;
    for (int s = 0; s < COMPARE_SIDES; s++) {
        done += atomic_load(&app->progress[s].loaded);
        total += atomic_load(&app->progress[s].total);
    }
    snprintf(reading, sizeof reading, total > 0 ? "  reading %3.0f %%" : "  reading",
             total > 0 ? 100.0 * (double)done / (double)total : 0.0);
    const char *warning = app->reading && app->trace != NULL ? reading
                          : partial                          ? "  PARTIAL"
                          : damaged                          ? "  damaged"
                          : app->verdict != NULL             ? "  not clean"
                                                             : "";
    /* The name is cut first, but not so far that it tells nothing; then the facts get shorter. */
    enum { LEAST_NAME = 16 };
    int room = grid->columns - 2 - (int)strlen(warning), name_width = (int)utf8_width(text_span(&name)), left = room;
    int least = name_width < LEAST_NAME ? name_width : LEAST_NAME;
    for (int level = FULL; app->trace != NULL && level < LEVELS; level++) {
        text_clear(&facts);
        add_facts(app, level, &facts);
        left = room - (int)utf8_width(text_span(&facts));
        if (left >= least)
            break;
    }
    left = left > least ? left : least;
    room = grid->columns - 2;
    int used = 1 + grid_text(grid, row, 1, left, text_span(&name), UTF8_CUT_MIDDLE, ROLE_TITLE);
    if (*warning != 0)
        used += grid_text(grid, row, used, room - used + 1, span_of(warning), UTF8_CUT_END, ROLE_TITLE_WARNING);
    used += grid_text(grid, row, used, room - used + 1, text_span(&facts), UTF8_CUT_END, ROLE_TITLE);
    draw_verdict(app, grid, row, used, room);
    text_free(&name);
    text_free(&facts);
}

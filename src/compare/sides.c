/* The two sides of a comparison: their files, filters and rows. */
#include <pthread.h>

#include "keyavg/compare.h"
#include "keyavg/filter.h"

/* One file, read by a thread of its own. */
struct side_load {
    const char *path;
    const struct trace_options *options;
    struct trace *trace;
    struct error error;
    pthread_t thread;
};

static void *load_side(void *context)
{
    struct side_load *load = context;
    load->trace = trace_load(load->path, load->options, &load->error);
    return NULL;
}

bool compare_load(const char *const paths[COMPARE_SIDES], const struct trace_options options[COMPARE_SIDES],
                  bool at_once, struct trace *traces[COMPARE_SIDES], struct error *error)
{
    bool twice = paths[COMPARE_BASE] == paths[COMPARE_NEW];
    struct side_load loads[COMPARE_SIDES] = {{.path = paths[COMPARE_BASE], .options = &options[COMPARE_BASE]},
                                             {.path = paths[COMPARE_NEW], .options = &options[COMPARE_NEW]}};
    at_once = at_once && !twice && pthread_create(&loads[1].thread, NULL, load_side, &loads[1]) == 0;
    load_side(&loads[0]);
    if (at_once)
        pthread_join(loads[1].thread, NULL);
    else if (!twice)
        load_side(&loads[1]);
    traces[COMPARE_BASE] = loads[0].trace;
    traces[COMPARE_NEW] = loads[twice ? 0 : 1].trace;
    for (int s = 0; s < COMPARE_SIDES; s++) {
        if (traces[s] != NULL)
            continue;
        *error = loads[twice ? 0 : s].error;
        if (traces[1 - s] != NULL)
            trace_free(traces[1 - s]);
        return false;
    }
    return true;
}

void compare_free_traces(struct trace *const traces[COMPARE_SIDES])
{
    if (traces[COMPARE_NEW] != traces[COMPARE_BASE])
        trace_free(traces[COMPARE_NEW]);
    trace_free(traces[COMPARE_BASE]);
}

struct filter *compare_side_filter(const struct filter *common, struct span own, struct error *error)
{
    struct text text = {0};
    if (common != NULL)
        filter_add_text(common, true, &text);
    text_add_char(&text, ' ');
    text_add_span(&text, own);
    struct filter *filter = filter_parse(text_span(&text), error);
    text_free(&text);
    return filter;
}

/* -- Notes -------------------------------------------------------------------------------------------------------- */

static bool are_ranks(const struct compare_side *base, const struct compare_side *other)
{
    return base->trace != other->trace && base->rank >= 0 && other->rank >= 0 && base->rank != other->rank &&
           base->world_size > 1 && base->world_size == other->world_size;
}

bool compare_add_note(const struct compare *compare, enum compare_note note, struct text *out)
{
    const struct compare_side *base = &compare->sides[COMPARE_BASE], *other = &compare->sides[COMPARE_NEW];
    switch (note) {
    case NOTE_RANKS:
        if (!are_ranks(base, other))
            return false;
        text_addf(out, "these are ranks %lld and %lld of %lld of one run; --ranks shows them as such",
                  (long long)base->rank, (long long)other->rank, (long long)base->world_size);
        return true;
    case NOTE_NO_STEPS:
        if (!compare->query.per_step || (base->steps != 0 && other->steps != 0))
            return false;
        text_addf(out, "per step: %s no steps of the profiler (ProfilerStep#), and counts as one",
                  base->steps != 0 ? "the new trace has" : other->steps != 0 ? "the base has" : "the traces have");
        return true;
    case NOTE_STEPS_BY_PLACE:
        if (compare->steps_by_place)
            text_add_string(out, "the traces have no step in common: the first is compared with the first");
        return compare->steps_by_place;
    default: return false;
    }
}

uint32_t compare_find_row(const struct compare *compare, int side, uint32_t table_row)
{
    uint32_t group = compare->sides[side].group_of[table_row];
    return side == COMPARE_BASE ? group : compare->new_rows[group];
}

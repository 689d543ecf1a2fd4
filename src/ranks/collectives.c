#include "keyavg/collectives.h"

#include <stdlib.h>

#include "calls_of_rank.h"
#include "keyavg/cells.h"
#include "keyavg/filter.h"

/* -- One file ---------------------------------------------------------------------------------------------------- */

struct made {
    struct summary *summary; /* for its source */
    struct rank_calls calls;
    struct text damage;
};

static void free_made(struct made *made)
{
    summary_free(made->summary);
    rank_calls_free(&made->calls);
    text_free(&made->damage);
    free(made);
}

static void *make(void *context, const struct rank_file *file, unsigned threads, struct error *error)
{
    (void)context;
    struct source source;
    if (file->summary) {
        error_set(error, ERROR_USAGE, "%s: a summary does not keep single collectives; give the traces", file->path);
        return NULL;
    }
    struct made *made = memory_zero(1, sizeof *made);
    struct trace *trace = rank_file_load(file, threads, NULL, &made->damage, error);
    bool fine = trace != NULL;
    if (fine) {
        struct tree *tree = tree_build(trace, false);
        made->summary = summary_new();
        source_take(&source, tree, file->path, &made->summary->strings);
        array_push(&made->summary->sources, source);
        fine = rank_calls_find(tree, &made->calls, error);
        tree_free(tree);
        trace_free(trace);
    }
    if (fine)
        return made;
    free_made(made);
    return NULL;
}

/* -- All together ------------------------------------------------------------------------------------------------ */

struct building {
    struct collectives *collectives;
    struct rank_reading *reading;
    const struct rank_files *files;
    struct strings keys; /* the number of a key less one is that of the collective */
};

static uint32_t add_string(struct collectives *collectives, const struct text *text)
{
    return text->length > 0 ? strings_add(&collectives->roll.whole->strings, text->bytes, text->length) : 0;
}

static void add_call(struct building *building, const struct rank_call *call, uint32_t source, int64_t base)
{
    struct collectives *collectives = building->collectives;
    struct text key = {0};
    rank_call_add_key(call, &key);
    uint32_t number = strings_add(&building->keys, key.bytes, key.length) - 1;
    text_free(&key);
    if (number == collectives->items.count) {
        struct collective item = {.group = add_string(collectives, &call->group),
                                  .sequence = add_string(collectives, &call->sequence),
                                  .name = add_string(collectives, &call->name)};
        array_push(&collectives->items, item);
    }
    collectives->items.items[number].parts++;
    array_push(
        &collectives->parts,
        (struct collective_part){source, number, (int64_t)((uint64_t)call->start + (uint64_t)base), call->duration});
}

static bool take(void *context, unsigned number, void *given, struct error *error)
{
    struct building *building = context;
    struct collectives *collectives = building->collectives;
    struct made *made = given;
    uint32_t source;
    bool fine =
        rank_roll_add(&collectives->roll, made->summary, building->files->list.items[number].path, &source, error);
    for (size_t i = 0; i < made->calls.list.count && fine; i++)
        add_call(building, &made->calls.list.items[i], source,
                 collectives->roll.whole->sources.items[source].base_time);
    if (fine && made->damage.length > 0)
        building->reading->tell(building->reading->context, made->damage.bytes);
    free_made(made);
    return fine;
}

/* Puts the parts of each collective together, in the order of their files. */
static void gather_parts(struct collectives *collectives)
{
    struct collective_part *parts = memory_alloc((collectives->parts.count + 1) * sizeof *parts);
    uint32_t first = 0;
    for (size_t i = 0; i < collectives->items.count; i++) {
        struct collective *item = &collectives->items.items[i];
        item->first_part = first;
        first += item->parts;
        item->parts = 0;
    }
    for (size_t i = 0; i < collectives->parts.count; i++) {
        struct collective *item = &collectives->items.items[collectives->parts.items[i].collective];
        parts[item->first_part + item->parts++] = collectives->parts.items[i];
    }
    free(collectives->parts.items);
    collectives->parts.items = parts;
    collectives->parts.capacity = collectives->parts.count + 1;
}

static void look_at(struct collectives *collectives, struct collective *item)
{
    const struct source *sources = collectives->roll.whole->sources.items;
    const struct collective_part *parts = collectives->parts.items + item->first_part, *first = parts, *last = parts;
    item->shortest = item->longest = parts->duration;
    for (uint32_t i = 1; i < item->parts; i++) {
        first = parts[i].start < first->start ? &parts[i] : first;
        last = parts[i].start > last->start ? &parts[i] : last;
        item->shortest = parts[i].duration < item->shortest ? parts[i].duration : item->shortest;
        item->longest = parts[i].duration > item->longest ? parts[i].duration : item->longest;
    }
    item->arrival = first->start;
    item->arrived = last->start;
    item->first_rank = sources[first->source].rank;
    item->last_rank = sources[last->source].rank;
    collectives->alone += item->parts == 1;
}

/* -- Which are shown --------------------------------------------------------------------------------------------- */

static void cell_of_row(const void *context, uint32_t row, const struct column *column, struct value *out,
                        struct text *scratch)
{
    collectives_value(context, row, column, out, scratch);
}

static bool passes(const struct collectives *collectives, uint32_t number)
{
    const struct filter *filter = collectives->query.filter;
    const struct strings *strings = &collectives->roll.whole->strings;
    return filter == NULL || (filter_name(filter, strings_get(strings, collectives->items.items[number].name)) &&
                              filter_cells(filter, cell_of_row, collectives, number, false) &&
                              filter_cells(filter, cell_of_row, collectives, number, true));
}

/* Where the clocks do not tell who was late, the longest duration is what there is: somebody waited. */
static void arrange(struct collectives *collectives, bool sort_given)
{
    const struct query *query = &collectives->query;
    uint32_t count = 0;
    collectives->order = memory_alloc((collectives->items.count + 1) * sizeof *collectives->order);
    for (uint32_t i = 0; i < collectives->items.count; i++)
        if (passes(collectives, i))
            collectives->order[count++] = i;
    const struct column *sort = query->sort;
    if (!sort_given)
        sort = column_find(span_of(collectives->clocks_agree ? "arrival_spread" : "longest"));
    if (sort != NULL)
        cells_sort(cell_of_row, collectives, sort, query->ascending, false, collectives->order, count);
    collectives->count = query->row_limit >= 0 && query->row_limit < count ? (uint32_t)query->row_limit : count;
    collectives->left_out = count - collectives->count;
}

struct collectives *collectives_build(const struct rank_files *files, struct rank_reading *reading,
                                      const struct query *query, struct error *error)
{
    struct collectives *collectives = memory_zero(1, sizeof *collectives);
    struct building building = {.collectives = collectives, .reading = reading, .files = files};
    collectives->query = *query;
    rank_roll_init(&collectives->roll);
    strings_init(&building.keys);
    unsigned taken = rank_files_read(files, reading, make, take, &building);
    strings_free(&building.keys);
    if (taken == 0 || collectives->items.count == 0) {
        error_set(
            error, taken > 0 || reading->failure == ERROR_NONE ? ERROR_NOT_TRACE : reading->failure, "%s",
            taken > 0
                ? "no collectives in these traces: neither kernels of NCCL nor annotations such as nccl:all_reduce"
                : "not one of the files could be read as a rank");
        collectives_free(collectives);
        return NULL;
    }
    rank_roll_end(&collectives->roll);
    gather_parts(collectives);
    for (size_t i = 0; i < collectives->items.count; i++)
        look_at(collectives, &collectives->items.items[i]);
    collectives_judge_clocks(collectives);
    arrange(collectives, query->sort != NULL);
    return collectives;
}

void collectives_free(struct collectives *collectives)
{
    if (collectives == NULL)
        return;
    rank_roll_free(&collectives->roll);
    array_free(&collectives->items);
    array_free(&collectives->parts);
    text_free(&collectives->clocks);
    free(collectives->order);
    free(collectives);
}

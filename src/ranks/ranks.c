#include "keyavg/ranks.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "keyavg/filter.h"
#include "keyavg/rank_store.h"
#include "keyavg/select.h"
#include "keyavg/table.h"

/* -- One file ---------------------------------------------------------------------------------------------------- */

/* A file reduced to groups under the query. */
struct made {
    struct summary *summary; /* sources, strings, stacks; of a summary's file also its tables */
    struct groups own;       /* grouped as the query asks */
    struct groups *groups;   /* `own`, or a table of the summary that is grouped so already */
    bool kept;               /* the summary is the store's */
    struct stat file;        /* of a trace, before it was read */
    bool known;              /* there was such a file */
    struct text damage;
};

struct building {
    struct ranks *ranks;
    struct rank_reading *reading;
    const struct rank_files *files;
    int table;               /* of summaries that answers the query: enum summary_table; -1 none */
};

static void free_made(struct made *made)
{
    groups_free(&made->own);
    if (!made->kept)
        summary_free(made->summary);
    text_free(&made->damage);
    free(made);
}

static void group_trace(const struct ranks_query *asked, struct trace *trace, const char *path,
                        struct rank_store *store, struct made *made)
{
    struct query query = asked->query;
    struct source source;
    query.sort = NULL;
    query.row_limit = -1;
    query.top_level_only = false;
    query.hide_below = 0;
    made->summary = summary_new();
    made->groups = &made->own;
    groups_init(&made->own, &query.grouping, &made->summary->strings, &made->summary->stacks);
    struct table *table = table_build(trace, &query);
    groups_take(&made->own, table->averages, 0, asked->histograms, NULL);
    source_take(&source, table->tree, path, &made->summary->strings);
    source.self_cpu = table->self_cpu_all;
    source.self_device = table->self_device_all;
    array_push(&made->summary->sources, source);
    if (store != NULL && made->known && rank_store_find(store, path) == NULL)
        rank_store_keep(store, path, &made->file, table->tree, query.grouping.python);
    table_free(table);
}

static bool make_of_trace(const struct building *building, const struct rank_file *file, unsigned threads,
                          struct made *made, struct error *error)
{
    const struct rank_reading *reading = building->reading;
    made->known = reading->store != NULL && stat(file->path, &made->file) == 0;
    if (rank_store_refuses(reading->store, file->path, error))
        return false;
    struct trace *trace = rank_file_load(file, threads, reading->stop, &made->damage, error);
    if (trace == NULL) {
        if (made->known && !file->named && error->code == ERROR_NOT_TRACE)
            rank_store_refuse(reading->store, file->path, &made->file, error);
        return false;
    }
    group_trace(&building->ranks->query, trace, file->path, reading->store, made);
    trace_free(trace);
    return true;
}

/* A table that is grouped as the query asks is merged as it is. */
static bool is_grouped_so(const struct query *query, const struct groups *table)
{
    return query->filter == NULL && query->scope == SCOPE_ALL && !query->no_device_annotations &&
           query->grouping.parts == table->grouping.parts && query->grouping.python == table->grouping.python &&
           (!(query->grouping.parts & GROUP_STACK) || query->grouping.stack_depth == table->grouping.stack_depth);
}

/* The groups of a summary that is there. */
static bool choose_groups(const struct building *building, const struct rank_file *file, struct made *made,
                          struct error *error)
{
    const struct query *query = &building->ranks->query.query;
    struct error why = {0};
    made->groups = &made->summary->tables[building->table];
    if (is_grouped_so(query, made->groups))
        return true;
    made->groups = &made->own;
    groups_init(&made->own, &query->grouping, &made->summary->strings, &made->summary->stacks);
    if (select_groups(made->summary, query, query->filter, &made->own, &why))
        return true;
    return error_set(error, why.code, "%s: %s", file->path, why.text);
}

static bool make_of_summary(const struct building *building, const struct rank_file *file, struct made *made,
                            struct error *error)
{
    made->summary = summary_load(file->path, 1u << building->table, building->ranks->query.histograms, error);
    return made->summary != NULL && choose_groups(building, file, made, error);
}

static bool make_of_store(const struct building *building, const struct rank_file *file, struct made *made,
                          struct error *error)
{
    made->summary = rank_store_find(building->reading->store, file->path);
    made->kept = made->summary != NULL && rank_store_answers(made->summary, &building->ranks->query);
    if (made->kept)
        return choose_groups(building, file, made, error);
    made->summary = NULL;
    return false;
}

static void *make(void *context, const struct rank_file *file, unsigned threads, struct error *error)
{
    const struct building *building = context;
    struct made *made = memory_zero(1, sizeof *made);
    bool fine = file->summary ? make_of_summary(building, file, made, error)
                              : make_of_store(building, file, made, error) ||
                                    make_of_trace(building, file, threads, made, error);
    if (fine)
        return made;
    free_made(made);
    return NULL;
}

/* -- All together ------------------------------------------------------------------------------------------------ */

/* Keeps what each rank has for the lines. */
static void keep_part(struct ranks *ranks, const struct groups *groups, uint32_t source, uint32_t *row_of)
{
    unsigned measures = (unsigned)__builtin_popcount(ranks->query.lines), at = 0;
    struct rank_part part = {.source = source, .count = groups->count, .rows = row_of};
    part.sums = memory_alloc(((size_t)groups->count * measures + 1) * sizeof *part.sums);
    for (int m = 0; m < MEASURES; m++) {
        if (!(ranks->query.lines >> m & 1))
            continue;
        for (uint32_t i = 0; i < groups->count; i++)
            part.sums[(size_t)at * groups->count + i] = groups->items[i].sums[m];
        at++;
    }
    array_push(&ranks->parts, part);
}

static bool take(void *context, unsigned number, void *given, struct error *error)
{
    struct building *building = context;
    struct ranks *ranks = building->ranks;
    struct made *made = given;
    const char *path = building->files->list.items[number].path;
    size_t sources = made->summary->sources.count;
    uint32_t first, *row_of;
    bool fine = true;
    if (ranks->query.by_rank && sources > 1)
        fine = error_set(error, ERROR_USAGE, "%s: a summary of %zu ranks together; --by-rank needs one of each rank",
                         path, sources);
    fine = fine && rank_roll_add(&ranks->roll, made->summary, path, &first, error);
    if (fine) {
        for (uint32_t i = 0; i < made->groups->count && ranks->query.by_rank; i++)
            made->groups->items[i].key.node = (int32_t)first;
        groups_merge(&ranks->groups, made->groups, first, summary_source_before, ranks->roll.whole, &row_of);
        ranks->merged |= sources > 1;
        if (ranks->query.lines != 0 && sources == 1)
            keep_part(ranks, made->groups, first, row_of);
        else
            free(row_of);
        if (made->damage.length > 0)
            building->reading->tell(building->reading->context, made->damage.bytes);
    }
    free_made(made);
    return fine;
}

/* While files were joined a row's node was its source: two files of one rank stay two rows. No key is looked up from
 * here on. */
static void number_rows(struct ranks *ranks)
{
    for (uint32_t i = 0; i < ranks->groups.count && ranks->query.by_rank; i++) {
        struct group_key *key = &ranks->groups.items[i].key;
        key->node = (int32_t)ranks->roll.whole->sources.items[key->node].rank;
    }
}

static void spread_parts(struct ranks *ranks)
{
    size_t sources = ranks->roll.whole->sources.count, cells = (size_t)ranks->groups.count * sources + 1;
    if (ranks->query.lines == 0 || ranks->merged)
        return;
    ranks->has = memory_zero(cells, 1);
    for (int m = 0; m < MEASURES; m++)
        if (ranks->query.lines >> m & 1)
            ranks->by_source[m] = memory_zero(cells, sizeof *ranks->by_source[m]);
    for (size_t p = 0; p < ranks->parts.count; p++) {
        const struct rank_part *part = &ranks->parts.items[p];
        const int64_t *sums = part->sums;
        for (uint32_t i = 0; i < part->count; i++)
            ranks->has[part->rows[i] * sources + part->source] = 1;
        for (int m = 0; m < MEASURES; m++) {
            if (ranks->by_source[m] == NULL)
                continue;
            for (uint32_t i = 0; i < part->count; i++)
                ranks->by_source[m][part->rows[i] * sources + part->source] = sums[i];
            sums += part->count;
        }
    }
}

static void free_parts(struct ranks *ranks)
{
    for (size_t i = 0; i < ranks->parts.count; i++) {
        free(ranks->parts.items[i].rows);
        free(ranks->parts.items[i].sums);
    }
    array_free(&ranks->parts);
}

static void set_facts(struct ranks *ranks)
{
    struct cell_facts *facts = &ranks->facts;
    uint64_t cpu = 0, device = 0;
    *facts = (struct cell_facts){.groups = &ranks->groups, .sources = (uint32_t)ranks->roll.whole->sources.count};
    for (size_t i = 0; i < ranks->roll.whole->sources.count; i++) {
        const struct source *source = &ranks->roll.whole->sources.items[i];
        facts->has |= source->has;
        facts->backend = source->backend > facts->backend ? source->backend : facts->backend;
        cpu += (uint64_t)source->self_cpu;
        device += (uint64_t)source->self_device;
    }
    facts->has |= ranks->query.by_rank ? SOURCE_NODES : 0u;
    facts->self_cpu = (int64_t)cpu;
    facts->self_device = (int64_t)device;
}

/* What cannot be answered at all is told before anything is read. */
static bool can_answer(const struct rank_files *files, const struct ranks_query *query, int *table, struct error *error)
{
    struct error why = {0};
    *table = select_table(&query->query, query->query.filter, -1, &why);
    if (query->by_rank && !(query->query.grouping.parts & GROUP_NAME))
        return error_set(error, ERROR_USAGE, "--by-rank needs the name in --group-by");
    for (size_t i = 0; i < files->list.count && *table < 0; i++)
        if (files->list.items[i].summary)
            return error_set(error, why.code, "%s: %s", files->list.items[i].path, why.text);
    return true;
}

struct ranks *ranks_build(const struct rank_files *files, struct rank_reading *reading, const struct ranks_query *query,
                          struct error *error)
{
    int table;
    if (!can_answer(files, query, &table, error))
        return NULL;
    struct ranks *ranks = memory_zero(1, sizeof *ranks);
    struct building building = {.ranks = ranks, .reading = reading, .files = files, .table = table};
    ranks->query = *query;
    rank_roll_init(&ranks->roll);
    groups_init(&ranks->groups, &query->query.grouping, &ranks->roll.whole->strings, &ranks->roll.whole->stacks);
    unsigned taken = rank_files_read(files, reading, make, take, &building);
    bool stopped = reading->stop != NULL && atomic_load(reading->stop);
    if (taken == 0 || stopped) {
        if (stopped)
            error_set(error, ERROR_NONE, "stopped");
        else
            error_set(error, reading->failure != ERROR_NONE ? reading->failure : ERROR_NOT_TRACE,
                      "not one of the files could be read as a rank");
        ranks_free(ranks);
        return NULL;
    }
    rank_roll_end(&ranks->roll);
    number_rows(ranks);
    spread_parts(ranks);
    free_parts(ranks);
    set_facts(ranks);
    ranks_arrange(ranks);
    return ranks;
}

void ranks_free(struct ranks *ranks)
{
    if (ranks == NULL)
        return;
    free_parts(ranks);
    for (int m = 0; m < MEASURES; m++)
        free(ranks->by_source[m]);
    free(ranks->has);
    groups_free(&ranks->groups);
    rank_roll_free(&ranks->roll);
    free(ranks->order);
    free(ranks);
}

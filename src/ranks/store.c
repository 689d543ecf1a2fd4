#include "keyavg/rank_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "keyavg/filter.h"
#include "keyavg/select.h"

struct kept {
    char *path;       /* owned */
    struct stat file; /* as it was before it was read */
    struct summary *summary; /* NULL: it is no trace */
    struct error why;        /* it is none */
};

struct rank_store {
    pthread_mutex_t lock;
    ARRAY(struct kept) items;
    uint64_t used, most; /* bytes */
};

struct rank_store *rank_store_new(int64_t most)
{
    struct rank_store *store = memory_zero(1, sizeof *store);
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t usual = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 8 : (uint64_t)1 << 30;
    pthread_mutex_init(&store->lock, NULL);
    store->most = most > 0 ? (uint64_t)most : usual;
    return store;
}

void rank_store_free(struct rank_store *store)
{
    if (store == NULL)
        return;
    for (size_t i = 0; i < store->items.count; i++) {
        free(store->items.items[i].path);
        summary_free(store->items.items[i].summary);
    }
    array_free(&store->items);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

struct summary *rank_store_find(struct rank_store *store, const char *path)
{
    struct summary *found = NULL;
    struct stat now;
    if (store == NULL || stat(path, &now) != 0)
        return NULL;
    pthread_mutex_lock(&store->lock);
    for (size_t i = 0; i < store->items.count && found == NULL; i++)
        if (strcmp(store->items.items[i].path, path) == 0 && same_file(&store->items.items[i].file, &now))
            found = store->items.items[i].summary;
    pthread_mutex_unlock(&store->lock);
    return found;
}

bool rank_store_refuses(struct rank_store *store, const char *path, struct error *error)
{
    bool refused = false;
    struct stat now;
    if (store == NULL || stat(path, &now) != 0)
        return false;
    pthread_mutex_lock(&store->lock);
    for (size_t i = 0; i < store->items.count && !refused; i++) {
        const struct kept *kept = &store->items.items[i];
        refused = kept->summary == NULL && strcmp(kept->path, path) == 0 && same_file(&kept->file, &now);
        if (refused)
            *error = kept->why;
    }
    pthread_mutex_unlock(&store->lock);
    return refused;
}

/* -- Keeping ------------------------------------------------------------------------------------------------------ */

static uint64_t bytes_of(const struct summary *summary)
{
    if (summary == NULL)
        return sizeof(struct kept);
    uint64_t bytes = sizeof *summary + summary->strings.bytes +
                     summary->strings.capacity * sizeof *summary->strings.entries +
                     summary->stacks.capacity * sizeof *summary->stacks.nodes;
    for (int t = 0; t < SUMMARY_TABLES; t++)
        bytes += (uint64_t)summary->tables[t].capacity * sizeof *summary->tables[t].items;
    return bytes;
}

/* In place of what was kept of the path before. */
static bool put(struct rank_store *store, struct kept *kept, uint64_t bytes)
{
    for (size_t i = 0; i < store->items.count; i++) {
        struct kept *before = &store->items.items[i];
        if (strcmp(before->path, kept->path) != 0)
            continue;
        store->used -= bytes_of(before->summary);
        free(before->path);
        summary_free(before->summary);
        *before = store->items.items[--store->items.count];
        break;
    }
    if (store->used + bytes > store->most)
        return false;
    store->used += bytes;
    array_push(&store->items, *kept);
    return true;
}

void rank_store_keep(struct rank_store *store, const char *path, const struct stat *file, struct tree *tree,
                     enum python_frames python)
{
    struct kept kept = {.file = *file};
    pthread_mutex_lock(&store->lock);
    bool full = store->used >= store->most;
    pthread_mutex_unlock(&store->lock);
    if (full)
        return;
    kept.path = memory_copy_text(path, strlen(path));
    kept.summary = summary_build(tree, path, SUMMARY_STACK_DEPTH, python, false);
    pthread_mutex_lock(&store->lock);
    bool taken = put(store, &kept, bytes_of(kept.summary));
    pthread_mutex_unlock(&store->lock);
    if (taken)
        return;
    summary_free(kept.summary);
    free(kept.path);
}

void rank_store_refuse(struct rank_store *store, const char *path, const struct stat *file, const struct error *why)
{
    struct kept kept = {.path = memory_copy_text(path, strlen(path)), .file = *file, .why = *why};
    pthread_mutex_lock(&store->lock);
    bool taken = put(store, &kept, bytes_of(NULL));
    pthread_mutex_unlock(&store->lock);
    if (!taken)
        free(kept.path);
}

/* -- Answering ---------------------------------------------------------------------------------------------------- */

/* Groups are joined, or chosen as a whole: what is said of a group's first call may then be of another one, a kind is
 * one of several, and shapes are torch's, not all. */
bool rank_store_answers(const struct summary *kept, const struct ranks_query *query)
{
    const struct query *asked = &query->query;
    const struct filter *filter = asked->filter;
    unsigned of_events = filter != NULL ? filter_asks(filter) : 0;
    struct error why = {0};
    if (query->histograms || query->by_rank || asked->top_level_only || kept->python != asked->grouping.python)
        return false;
    if (of_events & (ASKS_KIND | ASKS_SHAPE | ASKS_THREAD))
        return false;
    for (unsigned n = 0; filter != NULL && filter_column(filter, n) != NULL; n++) {
        const struct column *column = filter_column(filter, n);
        if (column_measure(column) < 0 && column->unit != UNIT_TEXT && column->need != NEED_RANKS)
            return false;
    }
    return select_table(asked, filter, kept->stack_depth, &why) >= 0;
}

bool ranks_from_store(const struct rank_files *files, const struct ranks_query *query, struct rank_store *store)
{
    for (size_t i = 0; i < files->list.count; i++) {
        const struct rank_file *file = &files->list.items[i];
        if (file->summary)
            continue;
        const struct summary *kept = rank_store_find(store, file->path);
        struct error why;
        if (kept != NULL ? !rank_store_answers(kept, query) : !rank_store_refuses(store, file->path, &why))
            return false;
    }
    return true;
}

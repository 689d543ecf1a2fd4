/* What traces were reduced to, kept in memory: another question about the same ranks then reads no trace again. */
#ifndef KEYAVG_RANK_STORE_H
#define KEYAVG_RANK_STORE_H

#include <sys/stat.h>

#include "keyavg/rank_files.h"
#include "keyavg/ranks.h"

struct rank_store;

/* An empty store of so many bytes at most; 0: an eighth of the machine's memory. What has no room is not kept. Free with
 * rank_store_free, which takes NULL. One reading at a time may use it, with all of its threads. */
struct rank_store *rank_store_new(int64_t most);
void rank_store_free(struct rank_store *store);

/* What is kept of a file, without histograms; NULL where there is nothing or the file is another since. Only the thread
 * that reads this file may look at it. */
struct summary *rank_store_find(struct rank_store *store, const char *path);

/* Reduces a trace and keeps that. `file` is what the path was before it was read: if it was replaced meanwhile, what is
 * kept is not found for the new one. */
void rank_store_keep(struct rank_store *store, const char *path, const struct stat *file, struct tree *tree,
                     enum python_frames python);

/* Keeps that a file of a folder is no trace, and why; `file` as above. */
void rank_store_refuse(struct rank_store *store, const char *path, const struct stat *file, const struct error *why);

/* Whether the file is known to be no trace, and is still the same one; `error` is then what was kept. */
bool rank_store_refuses(struct rank_store *store, const char *path, struct error *error);

/* Whether a question can be answered from what is kept of a trace with the same cells as from the trace, for the columns
 * that are sums and shares of sums. */
bool rank_store_answers(const struct summary *kept, const struct ranks_query *query);

/* Whether it would be answered without reading a trace. Summaries in files are read, they are small. */
bool ranks_from_store(const struct rank_files *files, const struct ranks_query *query, struct rank_store *store);

#endif

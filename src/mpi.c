/* keyavg-mpi: the summary of a run's ranks, made by many processes. Each takes its share of the files and summarises
 * them; the summaries are joined two by two. The only file that knows MPI. */
#include <config.h>

#include <limits.h>
#include <locale.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/options.h"
#include "keyavg/output.h"
#include "keyavg/rank_files.h"

enum { TAG_SUMMARY = 1, PIECE = 1 << 30 };

static int process, processes; /* which one this is, how many there are */

static void tell(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "keyavg-mpi: process %d: %s\n", process, line);
}

/* -- Which files ------------------------------------------------------------------------------------------------- */

/* The list as text: what is known of each file, its path, a NUL. */
static void add_files(const struct rank_files *files, struct text *out)
{
    for (size_t i = 0; i < files->list.count; i++) {
        const struct rank_file *file = &files->list.items[i];
        text_addf(out, "%d %d %llu ", file->named, file->summary, (unsigned long long)file->bytes);
        text_add(out, file->path, strlen(file->path) + 1);
    }
}

static void read_files(const struct text *text, struct rank_files *files)
{
    for (const char *at = text->bytes; at < text->bytes + text->length; at += strlen(at) + 1) {
        char *next;
        struct rank_file file = {0};
        file.named = strtol(at, &next, 10) != 0;
        file.summary = strtol(next, &next, 10) != 0;
        file.bytes = strtoull(next, &next, 10);
        file.path = memory_copy_text(next + 1, strlen(next + 1));
        array_push(&files->list, file);
    }
}

/* One process looks, so that all see the same. */
static void share_list(struct rank_files *files)
{
    struct text text = {0};
    if (process == 0)
        add_files(files, &text);
    unsigned long long length = text.length;
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    if (length == 0)
        return;
    if (process != 0) {
        text_room(&text, length);
        text.length = length;
    }
    for (size_t from = 0; from < length; from += PIECE)
        MPI_Bcast(text.bytes + from, length - from < PIECE ? (int)(length - from) : PIECE, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (process != 0)
        read_files(&text, files);
    text_free(&text);
}

static int by_size(const void *a, const void *b)
{
    const struct rank_file *const *x = a, *const *y = b;
    if ((*x)->bytes != (*y)->bytes)
        return (*x)->bytes > (*y)->bytes ? -1 : 1;
    return strcmp((*x)->path, (*y)->path);
}

/* The largest file goes to the process that has least so far, and so on: all compute the same. */
static void take_share(const struct rank_files *all, struct rank_files *own)
{
    size_t count = all->list.count;
    const struct rank_file **order = memory_alloc((count + 1) * sizeof *order);
    uint64_t *loads = memory_zero((size_t)processes, sizeof *loads);
    for (size_t i = 0; i < count; i++)
        order[i] = &all->list.items[i];
    qsort(order, count, sizeof *order, by_size);
    for (size_t i = 0; i < count; i++) {
        int least = 0;
        for (int p = 1; p < processes; p++)
            least = loads[p] < loads[least] ? p : least;
        loads[least] += order[i]->bytes + 1;
        if (least != process)
            continue;
        struct rank_file file = *order[i];
        file.path = memory_copy_text(file.path, strlen(file.path));
        array_push(&own->list, file);
    }
    free(order);
    free(loads);
}

/* -- Joining ----------------------------------------------------------------------------------------------------- */

static void send_summary(const struct summary *summary, int to)
{
    struct text file = {0};
    if (summary != NULL)
        summary_add_file(summary, &file);
    unsigned long long length = file.length;
    MPI_Send(&length, 1, MPI_UNSIGNED_LONG_LONG, to, TAG_SUMMARY, MPI_COMM_WORLD);
    for (size_t from = 0; from < length; from += PIECE)
        MPI_Send(file.bytes + from, length - from < PIECE ? (int)(length - from) : PIECE, MPI_BYTE, to, TAG_SUMMARY,
                 MPI_COMM_WORLD);
    text_free(&file);
}

/* Adds what another process sends to `whole`, which it becomes when that is NULL. */
static struct summary *receive_summary(struct summary *whole, int from_process, struct rank_reading *reading)
{
    unsigned long long length;
    char name[64];
    struct text file = {0};
    struct error error = {0};
    MPI_Recv(&length, 1, MPI_UNSIGNED_LONG_LONG, from_process, TAG_SUMMARY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (length == 0)
        return whole;
    text_room(&file, length);
    for (size_t from = 0; from < length; from += PIECE)
        MPI_Recv(file.bytes + from, length - from < PIECE ? (int)(length - from) : PIECE, MPI_BYTE, from_process,
                 TAG_SUMMARY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    snprintf(name, sizeof name, "the summary of process %d", from_process);
    struct summary *other = summary_read(file.bytes, length, name, ~0u, true, &error);
    struct summary *into = whole != NULL ? whole : summary_new();
    if (other == NULL || !summary_merge(into, other, &error)) {
        struct text line = {0};
        text_addf(&line, "%s: %s; left out", name, error.text);
        reading->tell(reading->context, line.bytes);
        reading->left_out += other != NULL ? (unsigned)other->sources.count : 1;
        text_free(&line);
    }
    summary_free(other);
    if (into != whole && into->sources.count == 0) {
        summary_free(into);
        return NULL;
    }
    return into;
}

/* Two by two, until all is with process 0. */
static struct summary *reduce(struct summary *own, struct rank_reading *reading)
{
    for (int step = 1; step < processes; step *= 2) {
        if (process % (2 * step) != 0) {
            send_summary(own, process - step);
            summary_free(own);
            return NULL;
        }
        if (process + step < processes)
            own = receive_summary(own, process + step, reading);
    }
    return own;
}

/* -- The run ----------------------------------------------------------------------------------------------------- */

/* Processes of one machine share its memory and its processors. */
static void share_machine(const struct options *options, struct rank_reading *reading)
{
    MPI_Comm machine;
    int together = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, process, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &together);
    MPI_Comm_free(&machine);
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE), processors = sysconf(_SC_NPROCESSORS_ONLN);
    reading->memory = options->memory;
    if (reading->memory == 0 && pages > 0 && page > 0)
        reading->memory = (int64_t)pages * page / 2 / together;
    reading->threads = options->threads;
    if (reading->threads == 0)
        reading->threads = processors > together ? (unsigned)(processors / together) : 1;
}

static int write_summary(const struct summary *summary, const char *path, struct error *error)
{
    struct output output;
    struct text file = {0};
    if (!output_open(&output, path, error))
        return (int)error->code;
    struct sink sink = output_sink(&output);
    summary_add_file(summary, &file);
    sink.write(sink.context, file.bytes, file.length);
    text_free(&file);
    return output_commit(&output, error) ? 0 : (int)error->code;
}

static int finish(const struct options *options, struct summary *summary, unsigned count, unsigned left_out)
{
    struct error error = {0};
    int code = ERROR_NOT_TRACE;
    if (summary == NULL)
        error_set(&error, ERROR_NOT_TRACE, "not one trace could be read: nothing is written");
    else
        code = write_summary(summary, options->summarise, &error);
    if (code != 0)
        fprintf(stderr, "keyavg-mpi: %s\n", error.text);
    else
        fprintf(stderr, "keyavg-mpi: %u file%s by %d process%s, %u left out\n", count, count == 1 ? "" : "s", processes,
                processes == 1 ? "" : "es", left_out);
    return code;
}

static int run(const struct options *options)
{
    struct rank_files all = {0}, own = {0};
    struct rank_reading reading = {.tell = tell};
    struct rank_settings settings = options_summary_settings(options);
    struct error error = {0};
    int code = 0;
    if (process == 0 &&
        !rank_files_find(&all, options->paths, options->path_count, options->summarise, &reading, &error)) {
        fprintf(stderr, "keyavg-mpi: %s\n", error.text);
        code = (int)error.code;
    }
    MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (code == 0) {
        unsigned left_out = 0;
        share_list(&all);
        share_machine(options, &reading);
        take_share(&all, &own);
        struct summary *summary = own.list.count > 0 ? rank_files_summarise(&own, &reading, &settings) : NULL;
        summary = reduce(summary, &reading);
        MPI_Reduce(&reading.left_out, &left_out, 1, MPI_UNSIGNED, MPI_SUM, 0, MPI_COMM_WORLD);
        if (process == 0)
            code = finish(options, summary, (unsigned)all.list.count, left_out);
        summary_free(summary);
        MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    rank_files_free(&own);
    rank_files_free(&all);
    return code;
}

static void print_usage(void)
{
    printf("usage: mpirun keyavg-mpi --summarise OUT.kavg [OPTION]... DIR|FILE...\n\n"
           "Each process summarises its share of the traces and summaries; the first one writes the summary of\n"
           "all, the same bytes whatever the number of processes. A file that cannot be read is told and left\n"
           "out. Options as in keyavg --help: --memory and --threads (for each process), --group-by-stack-n,\n"
           "--include-python-functions, --no-python.\n");
}

int main(int argc, char *argv[])
{
    struct options options;
    struct error error = {0};
    int code = 0;
    setlocale(LC_CTYPE, "");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (!options_parse(&options, argc, argv, &error)) {
        code = (int)error.code;
    } else if (options.help || options.version) {
        if (process == 0 && options.help)
            print_usage();
        else if (process == 0)
            printf("keyavg-mpi %s\n", PACKAGE_VERSION);
    } else if (options.summarise == NULL) {
        error_set(&error, ERROR_USAGE, "what shall be written: keyavg-mpi --summarise OUT.kavg DIR|FILE...");
        code = (int)error.code;
    } else {
        code = run(&options);
    }
    if (error.code != ERROR_NONE && process == 0)
        fprintf(stderr, "keyavg-mpi: %s\n", error.text);
    options_free(&options);
    MPI_Finalize();
    return code;
}

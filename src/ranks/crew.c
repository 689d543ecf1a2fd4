/* Reading files side by side: what their traces take is bounded, and what is made of them is taken in their order. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/rank_files.h"
#include "keyavg/workers.h"

/* Measured (docs/scale.md): events, tree and groups take at most 0.7 times the text. */
enum { TIMES_TEXT = 1, TIMES_PACKED = 15, LEAST = 16 << 20 };

struct crew {
    const struct rank_files *files;
    struct rank_reading *reading;
    rank_make *make;
    rank_take *take;
    void *context;
    unsigned threads_each;
    uint64_t room;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t used;       /* of the room, by traces that are being read */
    unsigned next;       /* the file whose turn it is to be taken */
    unsigned taken;
    uint64_t done, total; /* bytes of files */
    unsigned strangers;   /* files of folders that are no traces */
    struct text stranger; /* what is wrong with the first of them */
};

/* The text's length that a gzip file ends with, which counts to 4 GiB. */
static uint64_t packed_text(const struct rank_file *file, const unsigned char head[4])
{
    unsigned char tail[4];
    uint64_t most = file->bytes * TIMES_PACKED;
    bool gzip = head[0] == 0x1F && head[1] == 0x8B, zstd = head[0] == 0x28 && head[1] == 0xB5;
    int handle = gzip ? open(file->path, O_RDONLY | O_CLOEXEC) : -1;
    bool told = handle >= 0 && file->bytes > 4 && pread(handle, tail, 4, (off_t)file->bytes - 4) == 4;
    if (handle >= 0)
        close(handle);
    if (!gzip && !zstd)
        return file->bytes;
    if (!told || file->bytes > UINT32_MAX / TIMES_PACKED)
        return most;
    uint64_t text = tail[0] | (uint64_t)tail[1] << 8 | (uint64_t)tail[2] << 16 | (uint64_t)tail[3] << 24;
    return text > file->bytes ? text : most;
}

uint64_t rank_file_memory(const struct rank_file *file)
{
    unsigned char head[4] = {0};
    if (file->summary)
        return file->bytes * 8;
    int handle = open(file->path, O_RDONLY | O_CLOEXEC);
    bool read_head = handle >= 0 && pread(handle, head, sizeof head, 0) == (ssize_t)sizeof head;
    if (handle >= 0)
        close(handle);
    return (read_head ? packed_text(file, head) : file->bytes) * TIMES_TEXT + LEAST;
}

/* Room is held only while a file is read, never while its turn is waited for: so the others always get on. */
static void hold_room(struct crew *crew, uint64_t bytes)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->used > 0 && crew->used + bytes > crew->room)
        pthread_cond_wait(&crew->changed, &crew->lock);
    crew->used += bytes;
    pthread_mutex_unlock(&crew->lock);
}

static void tell(const struct crew *crew, const struct text *line)
{
    crew->reading->tell(crew->reading->context, line->bytes);
}

static bool is_stopped(const struct crew *crew)
{
    return crew->reading->stop != NULL && atomic_load(crew->reading->stop);
}

static void leave_out(struct crew *crew, const struct rank_file *file, const struct error *error)
{
    struct rank_reading *reading = crew->reading;
    struct text line = {0};
    if (is_stopped(crew))
        return;
    reading->left_out++;
    /* Folders hold other files, too: these are told once, together. */
    if (!file->named && !file->summary && error->code == ERROR_NOT_TRACE) {
        if (crew->strangers++ == 0)
            text_add_string(&crew->stranger, error->text);
        return;
    }
    text_addf(&line, "%s; left out", error->text);
    tell(crew, &line);
    text_free(&line);
    if (file->named && reading->failure == ERROR_NONE)
        reading->failure = error->code;
}

static void read_file(void *context, unsigned number)
{
    struct crew *crew = context;
    const struct rank_file *file = &crew->files->list.items[number];
    struct error error = {0};
    uint64_t bytes = rank_file_memory(file);
    hold_room(crew, bytes);
    void *made = is_stopped(crew) ? NULL : crew->make(crew->context, file, crew->threads_each, &error);
    pthread_mutex_lock(&crew->lock);
    crew->used -= bytes;
    pthread_cond_broadcast(&crew->changed);
    while (crew->next != number)
        pthread_cond_wait(&crew->changed, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
    /* Nobody else gets here before it is the next one's turn. */
    if (made != NULL && crew->take(crew->context, number, made, &error))
        crew->taken++;
    else
        leave_out(crew, file, &error);
    crew->done += file->bytes;
    if (crew->reading->progress != NULL)
        crew->reading->progress(crew->reading->progress_context, crew->done, crew->total, crew->done);
    pthread_mutex_lock(&crew->lock);
    crew->next++;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
}

static void tell_strangers(struct crew *crew)
{
    struct text line = {0};
    if (crew->strangers > 1)
        text_addf(&line, "%u files of the folders are no traces and were left out, the first of them %s",
                  crew->strangers, crew->stranger.bytes);
    else if (crew->strangers == 1)
        text_addf(&line, "%s; left out", crew->stranger.bytes);
    if (line.length > 0)
        tell(crew, &line);
    text_free(&line);
    text_free(&crew->stranger);
}

static uint64_t usual_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 2 : (uint64_t)1 << 32;
}

unsigned rank_files_read(const struct rank_files *files, struct rank_reading *reading, rank_make *make, rank_take *take,
                         void *context)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned threads = reading->threads != 0 ? reading->threads : processors > 0 ? (unsigned)processors : 1;
    unsigned count = (unsigned)files->list.count;
    struct crew crew = {.files = files, .reading = reading, .make = make, .take = take, .context = context,
                        .room = reading->memory > 0 ? (uint64_t)reading->memory : usual_memory(),
                        .threads_each = count > 0 && threads > count ? threads / count : 1};
    for (unsigned i = 0; i < count; i++)
        crew.total += files->list.items[i].bytes;
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.changed, NULL);
    workers_run(read_file, &crew, count, threads);
    tell_strangers(&crew);
    pthread_cond_destroy(&crew.changed);
    pthread_mutex_destroy(&crew.lock);
    return crew.taken;
}

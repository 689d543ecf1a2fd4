/* Which files there are. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keyavg/rank_files.h"
#include "keyavg/utf8.h"

/* Folders below each other, and entries of all of them: many times those of the largest runs. */
enum { DEEPEST = 16, MOST_ENTRIES = 1000000 };

struct search {
    struct rank_files *files;
    struct rank_reading *reading;
    struct stat output;
    bool has_output;
    unsigned seen, most; /* entries of folders */
};

void rank_files_free(struct rank_files *files)
{
    for (size_t i = 0; i < files->list.count; i++)
        free(files->list.items[i].path);
    array_free(&files->list);
}

static void tell(struct search *search, const char *path, const char *what)
{
    struct text line = {0};
    utf8_add_clean(&line, span_of(path), false);
    text_addf(&line, ": %s", what);
    search->reading->tell(search->reading->context, line.bytes);
    text_free(&line);
}

static void tell_left_out(struct search *search, const char *path, const char *what, bool named)
{
    struct text line = {0};
    text_addf(&line, "%s; left out", what);
    tell(search, path, line.bytes);
    text_free(&line);
    search->reading->left_out++;
    if (named && search->reading->failure == ERROR_NONE)
        search->reading->failure = ERROR_IO;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static bool is_input(const char *name)
{
    return name[0] != '.' && (ends_in(name, ".json") || ends_in(name, ".json.gz") || ends_in(name, ".json.zst") ||
                              ends_in(name, ".kavg"));
}

static bool begins_as_summary(const char *path)
{
    char bytes[16];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, bytes, sizeof bytes) : -1;
    if (file >= 0)
        close(file);
    return got > 0 && summary_is_file(bytes, (size_t)got);
}

static bool is_output(const struct search *search, const struct stat *status)
{
    return search->has_output && status->st_dev == search->output.st_dev && status->st_ino == search->output.st_ino;
}

/* `status` is NULL for standard input. */
static void add_file(struct search *search, const char *path, const struct stat *status, bool named)
{
    struct rank_file file = {.path = memory_copy_text(path, strlen(path)), .named = named};
    if (status != NULL && S_ISREG(status->st_mode)) {
        file.bytes = status->st_size > 0 ? (uint64_t)status->st_size : 0;
        file.summary = begins_as_summary(path);
    } else {
        file.summary = ends_in(path, ".kavg");
    }
    array_push(&search->files->list, file);
}

/* Digits as a number, as people count: rank2 before rank10. */
static int by_name(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static void add_entry(struct search *search, const char *path, unsigned depth);

static void add_folder(struct search *search, const char *path, unsigned depth)
{
    ARRAY(char *) names = {0};
    DIR *folder = depth < DEEPEST ? opendir(path) : NULL;
    if (folder == NULL) {
        tell_left_out(search, path, depth < DEEPEST ? strerror(errno) : "too many folders below each other",
                      depth == 0);
        return;
    }
    for (struct dirent *entry; search->seen <= search->most && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' && ++search->seen <= search->most)
            array_push(&names, memory_copy_text(entry->d_name, strlen(entry->d_name)));
    closedir(folder);
    if (names.count > 0)
        qsort(names.items, names.count, sizeof *names.items, by_name);
    for (size_t i = 0; i < names.count; i++) {
        struct text inside = {0};
        bool slash = path[0] != '\0' && path[strlen(path) - 1] == '/';
        text_addf(&inside, "%s%s%s", path, slash ? "" : "/", names.items[i]);
        if (search->seen <= search->most)
            add_entry(search, inside.bytes, depth + 1);
        text_free(&inside);
        free(names.items[i]);
    }
    array_free(&names);
}

/* Something in a folder. A link to a folder is not followed: it may lead back. */
static void add_entry(struct search *search, const char *path, unsigned depth)
{
    struct stat status;
    const char *name = strrchr(path, '/') + 1;
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
        add_folder(search, path, depth);
    else if (!is_input(name))
        return;
    else if (stat(path, &status) != 0)
        tell_left_out(search, path, strerror(errno), false);
    else if (S_ISREG(status.st_mode) && is_output(search, &status))
        tell(search, path, "left out: it is what is written");
    else if (S_ISREG(status.st_mode))
        add_file(search, path, &status, false);
}

static bool no_end(const struct search *search, const char *path, struct error *error)
{
    struct text where = {0};
    utf8_add_clean(&where, span_of(path), false);
    error_set(error, ERROR_USAGE, "%s: more than %u files and folders below it; give the folder of the traces",
              where.bytes, search->most);
    text_free(&where);
    return false;
}

bool rank_files_find(struct rank_files *files, const char *const *paths, unsigned count, const char *output,
                     struct rank_reading *reading, struct error *error)
{
    struct search search = {.files = files, .reading = reading,
                            .most = reading->most_entries > 0 ? reading->most_entries : MOST_ENTRIES};
    search.has_output = output != NULL && stat(output, &search.output) == 0;
    for (unsigned i = 0; i < count; i++) {
        struct stat status;
        if (strcmp(paths[i], "-") == 0)
            add_file(&search, paths[i], NULL, true);
        else if (stat(paths[i], &status) != 0)
            tell_left_out(&search, paths[i], strerror(errno), true);
        else if (S_ISDIR(status.st_mode))
            add_folder(&search, paths[i], 0);
        else if (is_output(&search, &status))
            return error_set(error, ERROR_USAGE, "%s is to be read and to be written; give the summary another name",
                             paths[i]);
        else
            add_file(&search, paths[i], &status, true);
        if (search.seen > search.most)
            return no_end(&search, paths[i], error);
    }
    if (files->list.count > 0)
        return true;
    struct text where = {0};
    utf8_add_clean(&where, span_of(paths[0]), false);
    if (count > 1)
        text_addf(&where, " and %u more", count - 1);
    error_set(error, reading->failure != ERROR_NONE ? reading->failure : ERROR_NOT_TRACE,
              "%s: no trace or summary there (in a folder they end in .json, .json.gz, .json.zst or .kavg)",
              where.bytes);
    text_free(&where);
    return false;
}

/* Makes large traces. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grow.h"

static int usage(void)
{
    fprintf(stderr, "usage: grow [-n TIMES | -s SIZE | -e EVENTS] [-o FILE] TRACE.json\n"
                    "       grow -x SHAPE [-e EVENTS] [-l N] [-o FILE]\n"
                    "SIZE is bytes, or a number with K, M or G. The trace is plain text. Shapes:\n");
    for (unsigned i = 0; i < shape_count; i++)
        fprintf(stderr, "  %-9s %s (%llu events, N = %llu)\n", shapes[i].name, shapes[i].help,
                (unsigned long long)shapes[i].events, (unsigned long long)shapes[i].level);
    return 2;
}

/* `64M`: 64 million. 0 when it is no such number. */
static uint64_t read_size(const char *text)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    static const char units[] = "KMG";
    const char *unit = *end != '\0' ? strchr(units, *end & ~0x20) : NULL;
    if (end == text || text[0] == '-' || (*end != '\0' && (unit == NULL || end[1] != '\0')))
        return 0;
    for (const char *at = units; unit != NULL && at <= unit; at++)
        number *= 1000;
    return number;
}

static const struct shape *find_shape(const char *name)
{
    for (unsigned i = 0; i < shape_count; i++)
        if (strcmp(shapes[i].name, name) == 0)
            return &shapes[i];
    return NULL;
}

static int repeat(const char *path, struct grow_amount amount, const char *output)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    void *text = MAP_FAILED;
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0)
        text = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (text == MAP_FAILED) {
        fprintf(stderr, "grow: cannot read %s\n", path);
        return 1;
    }
    struct pour *out = pour_open(output);
    bool fine = repeat_write(text, (size_t)status.st_size, amount, out);
    pour_close(out);
    munmap(text, (size_t)status.st_size);
    close(file);
    return fine ? 0 : 1;
}

int main(int argc, char *argv[])
{
    struct grow_amount amount = {0};
    const struct shape *shape = NULL;
    const char *output = NULL;
    uint64_t level = 0;
    for (int option; (option = getopt(argc, argv, "n:s:e:l:o:x:")) != -1;) {
        uint64_t number = option != 'o' && option != 'x' && option != '?' ? read_size(optarg) : 1;
        if (number == 0 || option == '?')
            return usage();
        if (option == 'n')
            amount.times = number;
        else if (option == 's')
            amount.bytes = number;
        else if (option == 'e')
            amount.events = number;
        else if (option == 'l')
            level = number;
        else if (option == 'o')
            output = optarg;
        else if ((shape = find_shape(optarg)) == NULL)
            return usage();
    }
    if (argc - optind != (shape == NULL))
        return usage();
    if (shape == NULL)
        return repeat(argv[optind], amount, output);
    struct pour *out = pour_open(output);
    shape_write(shape, out, amount.events != 0 ? amount.events : shape->events, level != 0 ? level : shape->level);
    pour_close(out);
    return 0;
}

/* Reads the members of every event of a trace with our own scanner and does nothing with them: what compares with a
 * parser alone. Prints the CPU seconds and the number of events. */
#include <stdio.h>
#include <stdlib.h>

#include "keyavg/memory.h"
#include "measure.h"
#include "../src/trace/reader.h"

int main(int argc, char *argv[])
{
    if (argc != 2) {
        fprintf(stderr, "usage: scan TRACE.json\n");
        return 2;
    }
    size_t length;
    const char *text = measure_map(argv[1], &length);
    struct notes notes = {0};
    struct scan scan = {.at = measure_list(text, length), .begin = text, .end = text + length, .notes = &notes};
    struct habits *habits = memory_zero(1, sizeof *habits);
    struct fields fields;
    unsigned long events = 0;
    habits->count = 2;
    double begin = measure_cpu();
    while (scan.at != NULL && scan_space(&scan) == SCAN_OK && *scan.at != ']') {
        if (*scan.at == ',') {
            scan.at++;
        } else if (*scan.at != '{' || fields_read(&scan, habits, &fields) != SCAN_OK) {
            fprintf(stderr, "scan: broken at byte %zu\n", (size_t)(scan.at - text));
            return 1;
        } else {
            events++;
        }
    }
    printf("%.6f %lu\n", measure_cpu() - begin, events);
    free(habits);
    return 0;
}

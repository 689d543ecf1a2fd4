/* Parses every event of a trace with cJSON, one after the other, and does nothing with them. Prints the CPU seconds of
 * parsing alone, those with the release of each tree, and the number of events. */
#include <cJSON.h>
#include <stdio.h>

#include "measure.h"

enum { BATCH = 64 }; /* events between two looks at the clock */

int main(int argc, char *argv[])
{
    if (argc != 2) {
        fprintf(stderr, "usage: cjson TRACE.json\n");
        return 2;
    }
    size_t length;
    const char *text = measure_map(argv[1], &length), *end = text + length, *at = measure_list(text, length);
    double parsing = 0, begin = measure_cpu();
    unsigned long events = 0;
    for (size_t count = BATCH; at != NULL && count == BATCH;) {
        cJSON *items[BATCH];
        double from = measure_cpu();
        for (count = 0; count < BATCH; count++) {
            while (at < end && (*at == ',' || (unsigned char)*at <= ' '))
                at++;
            if (at == end || *at != '{')
                break;
            items[count] = cJSON_ParseWithLengthOpts(at, (size_t)(end - at), &at, 0);
            if (items[count] == NULL) {
                fprintf(stderr, "cjson: not JSON at byte %zu\n", (size_t)(at - text));
                return 1;
            }
        }
        parsing += measure_cpu() - from;
        events += count;
        for (size_t i = 0; i < count; i++)
            cJSON_Delete(items[i]);
    }
    printf("%.6f %.6f %lu\n", parsing, measure_cpu() - begin, events);
    return 0;
}

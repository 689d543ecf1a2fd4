#include "keyavg/histogram.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/memory.h"

enum { FINE = 128, FINE_BITS = 7, PARTS = 64, PARTS_BITS = 6 };

uint32_t histogram_range(int64_t ns)
{
    uint64_t value = ns < 0 ? 0 : (uint64_t)ns;
    if (value < FINE)
        return (uint32_t)value;
    unsigned power = 63u - (unsigned)__builtin_clzll(value), shift = power - PARTS_BITS;
    return FINE + (power - FINE_BITS) * PARTS + (uint32_t)(value >> shift) - PARTS;
}

int64_t histogram_low(uint32_t range)
{
    if (range < FINE)
        return range;
    uint32_t power = (range - FINE) / PARTS, part = (range - FINE) % PARTS;
    return (int64_t)((uint64_t)(PARTS + part) << (power + 1));
}

int64_t histogram_high(uint32_t range)
{
    return range + 1 < HISTOGRAM_RANGES ? histogram_low(range + 1) - 1 : INT64_MAX;
}

int64_t histogram_middle(uint32_t range)
{
    if (range < FINE)
        return range;
    uint32_t power = (range - FINE) / PARTS;
    return histogram_low(range) + ((int64_t)1 << power);
}

void histogram_push(struct histogram *histogram, uint32_t range, uint64_t count)
{
    if (histogram->count == histogram->capacity) {
        histogram->capacity = histogram->capacity * 2 + 4;
        histogram->bars = memory_resize(histogram->bars, histogram->capacity, sizeof *histogram->bars);
    }
    histogram->bars[histogram->count++] = (struct histogram_bar){range, count};
}

/* Adds bars that exist already; false when there are new ones, and nothing was added. */
static bool merge_in_place(struct histogram *into, const struct histogram *from)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        while (at < into->count && into->bars[at].range < from->bars[i].range)
            at++;
        if (at == into->count || into->bars[at].range != from->bars[i].range)
            return false;
    }
    at = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        while (into->bars[at].range < from->bars[i].range)
            at++;
        into->bars[at].count += from->bars[i].count;
    }
    return true;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    if (merge_in_place(into, from))
        return;
    struct histogram merged = {0};
    merged.capacity = into->count + from->count;
    merged.bars = memory_alloc(merged.capacity * sizeof *merged.bars);
    uint32_t a = 0, b = 0;
    while (a < into->count || b < from->count) {
        bool new_bar = a == into->count || (b < from->count && from->bars[b].range < into->bars[a].range);
        struct histogram_bar bar = new_bar ? from->bars[b++] : into->bars[a++];
        if (!new_bar && b < from->count && from->bars[b].range == bar.range)
            bar.count += from->bars[b++].count;
        merged.bars[merged.count++] = bar;
    }
    free(into->bars);
    *into = merged;
}

void histogram_copy(struct histogram *into, const struct histogram *from)
{
    *into = (struct histogram){.count = from->count, .capacity = from->count};
    if (from->count == 0)
        return;
    into->bars = memory_alloc(from->count * sizeof *into->bars);
    memcpy(into->bars, from->bars, from->count * sizeof *into->bars);
}

void histogram_free(struct histogram *histogram)
{
    free(histogram->bars);
    *histogram = (struct histogram){0};
}

int64_t histogram_percentile(const struct histogram *histogram, unsigned p, int64_t min, int64_t max)
{
    unsigned __int128 total = 0;
    for (uint32_t i = 0; i < histogram->count; i++)
        total += histogram->bars[i].count;
    unsigned __int128 rank = (total * p + 99) / 100, seen = 0;
    for (uint32_t i = 0; i < histogram->count; i++) {
        seen += histogram->bars[i].count;
        if (seen >= rank && seen > 0) {
            int64_t value = histogram_middle(histogram->bars[i].range);
            return value < min ? min : value > max ? max : value;
        }
    }
    return 0;
}

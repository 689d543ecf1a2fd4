/* Reading a summary's file. Nothing in it is trusted: every number is checked before it is used. */
#include <stdlib.h>

#include "checksum.h"
#include "file.h"
#include "keyavg/category.h"
#include "keyavg/phase.h"
#include "keyavg/summary.h"
#include "keyavg/utf8.h"

struct decoder {
    struct summary *summary;
    const unsigned char *at, *end;
    bool bad;        /* something that no writer writes; all numbers are 0 from then on */
    bool histograms;
};

/* -- Numbers ----------------------------------------------------------------------------------------------------- */

static unsigned __int128 take_wide(struct decoder *decoder)
{
    unsigned __int128 value = 0;
    for (unsigned shift = 0; decoder->at < decoder->end && shift < 128; shift += 7) {
        unsigned char byte = *decoder->at++;
        value |= (unsigned __int128)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
    decoder->bad = true;
    decoder->at = decoder->end;
    return 0;
}

static uint64_t take_number(struct decoder *decoder)
{
    if (decoder->at < decoder->end && *decoder->at < 0x80)
        return *decoder->at++;
    uint64_t value = 0;
    for (unsigned shift = 0; decoder->at < decoder->end && shift < 64; shift += 7) {
        unsigned char byte = *decoder->at++;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
    decoder->bad = true;
    decoder->at = decoder->end;
    return 0;
}

static int64_t take_signed(struct decoder *decoder)
{
    uint64_t value = take_number(decoder);
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

/* A number below `limit`. */
static uint32_t take_below(struct decoder *decoder, uint64_t limit)
{
    uint64_t value = take_number(decoder);
    if (value < limit)
        return (uint32_t)value;
    decoder->bad = true;
    return 0;
}

/* How many things of at least `size` bytes follow. */
static uint32_t take_count(struct decoder *decoder, size_t size)
{
    uint64_t left = (uint64_t)(decoder->end - decoder->at) / size;
    return take_below(decoder, (left < UINT32_MAX - 1 ? left : UINT32_MAX - 1) + 1);
}

static uint64_t fixed(const char *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
    return value;
}

/* -- Strings and sources ----------------------------------------------------------------------------------------- */

/* The strings lie in the file's bytes: they are looked at only to be put into another table. */
static void take_strings(struct decoder *decoder)
{
    struct strings *strings = &decoder->summary->strings;
    uint32_t count = take_count(decoder, 2) + 1;
    strings->entries = memory_resize(strings->entries, count, sizeof *strings->entries);
    strings->capacity = count;
    for (uint32_t i = 1; i < count; i++) {
        uint64_t length = take_number(decoder);
        if (length > (uint64_t)(decoder->end - decoder->at) || length == 0) {
            decoder->bad = true;
            return;
        }
        strings->entries[i] = (struct string_entry){(const char *)decoder->at, (uint32_t)length, 0};
        strings->count = i + 1;
        decoder->at += length;
    }
}

static void take_sources(struct decoder *decoder)
{
    struct summary *summary = decoder->summary;
    uint32_t count = take_count(decoder, 14);
    array_reserve(&summary->sources, (size_t)count + 1);
    for (uint32_t i = 0; i < count && !decoder->bad; i++) {
        struct source source;
        source.rank = take_signed(decoder);
        source.world_size = take_signed(decoder);
        decoder->bad |= source.rank < -1 || source.rank > INT32_MAX;
        decoder->bad |= source.world_size < -1 || source.world_size > INT32_MAX;
        source.name = take_below(decoder, summary->strings.count);
        source.host = take_below(decoder, summary->strings.count);
        source.backend = take_below(decoder, BACKEND_COUNT);
        source.has = take_below(decoder, UINT32_MAX);
        source.steps = take_below(decoder, UINT32_MAX);
        source.base_time = take_signed(decoder);
        source.start = take_signed(decoder);
        source.end = take_signed(decoder);
        source.events = take_number(decoder);
        source.records = take_number(decoder);
        source.self_cpu = take_signed(decoder);
        source.self_device = take_signed(decoder);
        array_push(&summary->sources, source);
    }
    decoder->bad |= count == 0;
}

/* -- Rows -------------------------------------------------------------------------------------------------------- */

static uint32_t take_stack(struct decoder *decoder)
{
    uint32_t frames[64], depth = take_count(decoder, 1), node = 0;
    if (depth > (uint32_t)decoder->summary->stack_depth) {
        decoder->bad = true;
        return 0;
    }
    uint32_t *room = depth <= 64 ? frames : memory_alloc(depth * sizeof *room);
    for (uint32_t i = 0; i < depth; i++)
        room[i] = take_below(decoder, decoder->summary->strings.count);
    for (uint32_t i = depth; i-- > 0 && !decoder->bad;)
        node = stacks_add(&decoder->summary->stacks, node, room[i]);
    if (room != frames)
        free(room);
    return node;
}

static void take_sums(struct decoder *decoder, struct group *group)
{
    uint32_t sums = take_below(decoder, 1u << MEASURES);
    for (int m = 0; m < MEASURES; m++)
        if (sums >> m & 1)
            group->sums[m] = take_signed(decoder);
    uint32_t squares = take_below(decoder, 1u << MEASURE_TIMES);
    for (int m = 0; m < MEASURE_TIMES; m++)
        if (squares >> m & 1)
            group->squares[m] = take_wide(decoder);
}

static void take_histogram(struct decoder *decoder, struct histogram *histogram)
{
    uint32_t length = take_count(decoder, 1);
    const unsigned char *end = decoder->at + length;
    uint64_t range = 0;
    if (!decoder->histograms) {
        decoder->at = end;
        return;
    }
    histogram->capacity = length / 2;
    histogram->bars = length > 0 ? memory_alloc((length / 2 + 1) * sizeof *histogram->bars) : NULL;
    while (decoder->at < end && !decoder->bad) {
        uint64_t step = take_number(decoder), calls = take_number(decoder);
        range += step < HISTOGRAM_RANGES ? step : HISTOGRAM_RANGES;
        if (range >= HISTOGRAM_RANGES || (histogram->count > 0 && step == 0) || calls == 0)
            decoder->bad = true;
        else
            histogram_push(histogram, (uint32_t)range, calls);
    }
    decoder->bad |= decoder->at != end;
}

static void take_over(struct decoder *decoder, struct group *group)
{
    uint64_t sources = decoder->summary->sources.count;
    struct group_over over = {.present = take_below(decoder, sources + 1)};
    for (int m = 0; m < MEASURES && over.present != 0; m++) {
        over.low[m] = take_signed(decoder);
        over.high[m] = (int64_t)((uint64_t)over.low[m] + take_number(decoder));
        over.low_at[m] = take_below(decoder, sources);
        over.high_at[m] = take_below(decoder, sources);
    }
    if (decoder->bad)
        return;
    group->over = memory_alloc(sizeof *group->over);
    *group->over = over;
}

static void take_row(struct decoder *decoder, struct group *group, unsigned parts)
{
    const struct summary *summary = decoder->summary;
    struct group_key *key = &group->key;
    key->name = take_below(decoder, summary->strings.count);
    key->side = (uint8_t)take_below(decoder, (SIDE_DEVICE | SIDE_ANNOTATION) + 1);
    int64_t node = take_signed(decoder);
    decoder->bad |= node < INT32_MIN || node > INT32_MAX;
    key->node = (int32_t)node;
    if (parts & GROUP_SHAPE)
        key->shapes = take_below(decoder, summary->strings.count);
    if (parts & GROUP_STACK)
        key->stack = take_stack(decoder);
    if (parts & GROUP_STEP)
        key->step = take_signed(decoder);
    if (parts & GROUP_SCOPE)
        key->phase = (uint8_t)take_below(decoder, PHASE_COUNT);
    group->kinds = (uint16_t)take_below(decoder, 1u << KIND_COUNT);
    group->scope = (uint8_t)take_below(decoder, UINT8_MAX);
    uint32_t flags = take_below(decoder, (ROW_ASYNC | ROW_TOP_LEVEL | ROW_OVER) + 1);
    group->async = (flags & ROW_ASYNC) != 0;
    group->top_level = (flags & ROW_TOP_LEVEL) != 0;
    take_sums(decoder, group);
    group->min = take_signed(decoder);
    group->max = (int64_t)((uint64_t)group->min + take_number(decoder));
    take_histogram(decoder, &group->histogram);
    if (flags & ROW_OVER)
        take_over(decoder, group);
    else
        group->source = take_below(decoder, summary->sources.count);
}

/* Rows are only gone through by what they are merged into: no key is looked up here. */
static void take_table(struct decoder *decoder, enum summary_table table)
{
    struct summary *summary = decoder->summary;
    struct groups *groups = &summary->tables[table];
    uint32_t count = take_count(decoder, 10);
    struct grouping grouping = summary_grouping(summary, table);
    groups_init(groups, &grouping, &summary->strings, &summary->stacks);
    groups->items = memory_alloc(((size_t)count + 1) * sizeof *groups->items);
    groups->capacity = count;
    for (uint32_t i = 0; i < count && !decoder->bad; i++) {
        groups->items[i] = (struct group){0};
        groups->count = i + 1;
        take_row(decoder, &groups->items[i], grouping.parts);
    }
    summary->tables_read |= 1u << table;
}

/* -- The file ---------------------------------------------------------------------------------------------------- */

bool summary_is_file(const char *bytes, size_t length)
{
    return length >= FILE_MAGIC_BYTES && memcmp(bytes, file_magic, FILE_MAGIC_BYTES) == 0;
}

/* What damage is in. */
static const char *const section_names[FILE_SECTIONS] = {
    "list of strings and sources",
    [1 + SUMMARY_NAME] = "table by name",
    [1 + SUMMARY_SHAPE] = "table by shape",
    [1 + SUMMARY_STACK] = "table by stack",
    [1 + SUMMARY_STEP] = "table by step",
    [1 + SUMMARY_SCOPE] = "table by scope",
};

struct section {
    uint64_t length;
    uint32_t checksum;
};

static struct section section_at(const char *bytes, int number)
{
    const char *at = bytes + FILE_MAGIC_BYTES + FILE_VERSION_BYTES + (size_t)number * FILE_SECTION_BYTES;
    return (struct section){fixed(at, 8), (uint32_t)fixed(at + 8, 4)};
}

static bool check_outside(const char *bytes, size_t length, const char *name, struct section *sections,
                          struct error *error)
{
    enum { BEFORE_CHECKSUM = FILE_OUTSIDE_BYTES - 4 };
    if (!summary_is_file(bytes, length))
        return error_set(error, ERROR_NOT_TRACE, "%s: not a summary (one is made with keyavg --summarise)", name);
    unsigned version = length >= FILE_OUTSIDE_BYTES ? (unsigned)fixed(bytes + FILE_MAGIC_BYTES, 2) : SUMMARY_VERSION;
    if (version > SUMMARY_VERSION)
        return error_set(error, ERROR_NOT_TRACE, "%s: a summary of version %u; this keyavg reads version %d: use a "
                         "newer one, or summarise the trace again", name, version, SUMMARY_VERSION);
    if (length < FILE_OUTSIDE_BYTES)
        return error_set(error, ERROR_NOT_TRACE, "%s: damaged: the file ends after %zu bytes", name, length);
    if (version == 0 || checksum(bytes, BEFORE_CHECKSUM) != fixed(bytes + BEFORE_CHECKSUM, 4))
        return error_set(error, ERROR_NOT_TRACE, "%s: damaged: the checksum of its first %d bytes is wrong", name,
                         FILE_OUTSIDE_BYTES);
    unsigned __int128 whole = FILE_OUTSIDE_BYTES;
    for (int i = 0; i < FILE_SECTIONS; i++) {
        sections[i] = section_at(bytes, i);
        whole += sections[i].length;
    }
    if (whole != length)
        return error_set(error, ERROR_NOT_TRACE, "%s: damaged: it should have %llu bytes and has %zu", name,
                         (unsigned long long)whole, length);
    return true;
}

size_t file_needed(const char *outside, size_t length, unsigned wanted)
{
    size_t needed = FILE_OUTSIDE_BYTES, whole = FILE_OUTSIDE_BYTES;
    for (int i = 0; i < FILE_SECTIONS; i++) {
        struct section section = section_at(outside, i);
        if (section.length > length - whole)
            return length;
        whole += (size_t)section.length;
        if (i == 0 || wanted >> (i - 1) & 1)
            needed = whole;
    }
    return needed;
}

/* Reads one section from where the decoder is; what is not wanted is passed over. */
static bool take_section(struct decoder *decoder, int number, const struct section *section, bool wanted,
                         const char *name, struct error *error)
{
    const unsigned char *from = decoder->at;
    if (wanted && checksum(from, (size_t)section->length) != section->checksum)
        return error_set(error, ERROR_NOT_TRACE, "%s: damaged: the checksum of its %s is wrong", name,
                         section_names[number]);
    decoder->end = from + section->length;
    if (number == 0) {
        decoder->summary->python = (enum python_frames)take_below(decoder, PYTHON_LEFT_OUT + 1);
        decoder->summary->stack_depth = (int)take_below(decoder, INT32_MAX);
        take_strings(decoder);
        if (!decoder->bad)
            take_sources(decoder);
    } else if (wanted) {
        take_table(decoder, (enum summary_table)(number - 1));
    } else {
        decoder->at = decoder->end;
    }
    if (!decoder->bad && decoder->at == decoder->end)
        return true;
    return error_set(error, ERROR_NOT_TRACE, "%s: damaged: its %s holds what no summary has", name,
                     section_names[number]);
}

struct summary *summary_read(char *bytes, size_t length, const char *path, unsigned wanted, bool histograms,
                             struct error *error)
{
    struct text name = {0};
    struct section sections[FILE_SECTIONS];
    utf8_add_clean(&name, span_of(path), false);
    if (!check_outside(bytes, length, name.bytes != NULL ? name.bytes : "", sections, error)) {
        text_free(&name);
        free(bytes);
        return NULL;
    }
    struct decoder decoder = {.summary = summary_new(), .histograms = histograms};
    struct summary *summary = decoder.summary;
    summary->bytes = bytes;
    decoder.at = (const unsigned char *)bytes + FILE_OUTSIDE_BYTES;
    bool fine = true;
    for (int i = 0; i < FILE_SECTIONS && fine; i++)
        fine = take_section(&decoder, i, &sections[i], i == 0 || (wanted >> (i - 1) & 1) != 0,
                            name.bytes != NULL ? name.bytes : "", error);
    text_free(&name);
    if (fine)
        return summary;
    summary_free(summary);
    return NULL;
}

/* Writing a summary's file. Everything is put in one order, so that equal summaries have equal bytes. */
#include <stdlib.h>

#include "checksum.h"
#include "file.h"
#include "keyavg/summary.h"

const char file_magic[FILE_MAGIC_BYTES] = {'K', 'A', 'V', 'G', '\r', '\n', '\x1A', '\n'};

struct encoder {
    const struct summary *summary;
    struct text *out;
    struct text bars;  /* of one histogram */
    uint32_t *strings; /* by strings number: what it is in the file */
    uint32_t *sources; /* likewise */
};

/* -- Numbers ----------------------------------------------------------------------------------------------------- */

/* Seven bits a byte from the lowest on; the highest bit tells that more follow. */
static void add_wide(struct text *out, unsigned __int128 value)
{
    while (value >= 0x80) {
        text_add_char(out, (char)((value & 0x7F) | 0x80));
        value >>= 7;
    }
    text_add_char(out, (char)value);
}

static void add_number(struct text *out, uint64_t value)
{
    add_wide(out, value);
}

/* Small numbers of both signs stay short. */
static void add_signed(struct text *out, int64_t value)
{
    add_number(out, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static void add_fixed(struct text *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        text_add_char(out, (char)(value >> 8 * i & 0xFF));
}

/* -- Orders ------------------------------------------------------------------------------------------------------ */

struct string_place {
    struct span text;
    uint32_t number;
};

static int by_text(const void *a, const void *b)
{
    const struct string_place *x = a, *y = b;
    size_t shared = x->text.length < y->text.length ? x->text.length : y->text.length;
    int order = memcmp(x->text.bytes, y->text.bytes, shared);
    return order != 0 ? order : x->text.length < y->text.length ? -1 : x->text.length > y->text.length;
}

static void mark_keys(const struct groups *groups, uint8_t *used)
{
    for (uint32_t i = 0; i < groups->count; i++) {
        const struct group_key *key = &groups->items[i].key;
        used[key->name] = used[key->shapes] = 1;
        for (uint32_t node = key->stack; node != 0; node = groups->stacks->nodes[node].caller)
            used[groups->stacks->nodes[node].frame] = 1;
    }
}

/* Only strings that something refers to, by their bytes; 0 stays the empty one. */
static void add_strings(struct encoder *encoder)
{
    const struct summary *summary = encoder->summary;
    uint8_t *used = memory_zero((size_t)summary->strings.count + 1, 1);
    ARRAY(struct string_place) places = {0};
    for (size_t i = 0; i < summary->sources.count; i++)
        used[summary->sources.items[i].name] = used[summary->sources.items[i].host] = 1;
    for (int t = 0; t < SUMMARY_TABLES; t++)
        mark_keys(&summary->tables[t], used);
    for (uint32_t i = 1; i < summary->strings.count; i++)
        if (used[i])
            array_push(&places, (struct string_place){strings_get(&summary->strings, i), i});
    free(used);
    if (places.count > 0)
        qsort(places.items, places.count, sizeof *places.items, by_text);
    encoder->strings = memory_zero((size_t)summary->strings.count + 1, sizeof *encoder->strings);
    add_number(encoder->out, places.count);
    for (size_t i = 0; i < places.count; i++) {
        encoder->strings[places.items[i].number] = (uint32_t)i + 1;
        add_number(encoder->out, places.items[i].text.length);
        text_add_span(encoder->out, places.items[i].text);
    }
    array_free(&places);
}

static int by_source(const void *a, const void *b, void *summary)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return summary_source_before(summary, x, y) ? -1 : summary_source_before(summary, y, x) ? 1 : (x > y) - (x < y);
}

static void add_sources(struct encoder *encoder)
{
    const struct summary *summary = encoder->summary;
    uint32_t count = (uint32_t)summary->sources.count, first = 0;
    uint32_t *order = memory_alloc(((size_t)count + 1) * sizeof *order);
    struct text *out = encoder->out;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    union { const void *given; void *taken; } context = {.given = summary};
    qsort_r(order, count, sizeof *order, by_source, context.taken);
    encoder->sources = memory_alloc(((size_t)count + 1) * sizeof *encoder->sources);
    add_number(out, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct source *source = &summary->sources.items[order[i]];
        /* Of sources that are the same in everything the first one stands for all. */
        if (i == 0 || summary_source_before(summary, order[i - 1], order[i]))
            first = i;
        encoder->sources[order[i]] = first;
        add_signed(out, source->rank);
        add_signed(out, source->world_size);
        add_number(out, encoder->strings[source->name]);
        add_number(out, encoder->strings[source->host]);
        add_number(out, source->backend);
        add_number(out, source->has);
        add_number(out, source->steps);
        add_signed(out, source->base_time);
        add_signed(out, source->start);
        add_signed(out, source->end);
        add_number(out, source->events);
        add_number(out, source->records);
        add_signed(out, source->self_cpu);
        add_signed(out, source->self_device);
    }
    free(order);
}

/* A row and its key as numbers of the file, in the order in which they are written and compared. */
struct row {
    const struct group *group;
    uint32_t name, shapes;
    uint32_t first_frame, depth; /* in encoder's frames */
};

struct rows {
    struct row *items;
    ARRAY(uint32_t) frames;
};

static int by_row(const void *a, const void *b, void *context)
{
    const struct row *x = a, *y = b;
    const struct rows *rows = context;
    const struct group_key *p = &x->group->key, *q = &y->group->key;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (p->side != q->side)
        return p->side < q->side ? -1 : 1;
    if (p->node != q->node)
        return p->node < q->node ? -1 : 1;
    if (x->shapes != y->shapes)
        return x->shapes < y->shapes ? -1 : 1;
    for (uint32_t i = 0; i < x->depth && i < y->depth; i++) {
        uint32_t f = rows->frames.items[x->first_frame + i], g = rows->frames.items[y->first_frame + i];
        if (f != g)
            return f < g ? -1 : 1;
    }
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (p->step != q->step)
        return p->step < q->step ? -1 : 1;
    return (p->phase > q->phase) - (p->phase < q->phase);
}

/* -- Rows -------------------------------------------------------------------------------------------------------- */

static void add_over(struct encoder *encoder, const struct group_over *over)
{
    /* A file made by hand may have two rows of one key: of more ranks than there are nothing is known. */
    uint32_t present = over->present <= encoder->summary->sources.count ? over->present : 0;
    add_number(encoder->out, present);
    for (int m = 0; m < MEASURES && present != 0; m++) {
        add_signed(encoder->out, over->low[m]);
        add_number(encoder->out, (uint64_t)over->high[m] - (uint64_t)over->low[m]);
        add_number(encoder->out, encoder->sources[over->low_at[m]]);
        add_number(encoder->out, encoder->sources[over->high_at[m]]);
    }
}

static void add_sums(struct text *out, const struct group *group)
{
    unsigned sums = 0, squares = 0;
    for (int m = 0; m < MEASURES; m++)
        sums |= group->sums[m] != 0 ? 1u << m : 0;
    for (int m = 0; m < MEASURE_TIMES; m++)
        squares |= group->squares[m] != 0 ? 1u << m : 0;
    add_number(out, sums);
    for (int m = 0; m < MEASURES; m++)
        if (sums >> m & 1)
            add_signed(out, group->sums[m]);
    add_number(out, squares);
    for (int m = 0; m < MEASURE_TIMES; m++)
        if (squares >> m & 1)
            add_wide(out, group->squares[m]);
}

/* Behind the length in bytes, so that who does not need it can pass over it. */
static void add_histogram(struct encoder *encoder, const struct histogram *histogram)
{
    uint32_t last = 0;
    text_clear(&encoder->bars);
    for (uint32_t i = 0; i < histogram->count; i++) {
        add_number(&encoder->bars, histogram->bars[i].range - last);
        add_number(&encoder->bars, histogram->bars[i].count);
        last = histogram->bars[i].range;
    }
    add_number(encoder->out, encoder->bars.length);
    text_add_span(encoder->out, text_span(&encoder->bars));
}

static void add_row(struct encoder *encoder, const struct rows *rows, const struct row *row, unsigned parts)
{
    const struct group *group = row->group;
    struct text *out = encoder->out;
    add_number(out, row->name);
    add_number(out, group->key.side);
    add_signed(out, group->key.node);
    if (parts & GROUP_SHAPE)
        add_number(out, row->shapes);
    if (parts & GROUP_STACK) {
        add_number(out, row->depth);
        for (uint32_t i = 0; i < row->depth; i++)
            add_number(out, rows->frames.items[row->first_frame + i]);
    }
    if (parts & GROUP_STEP)
        add_signed(out, group->key.step);
    if (parts & GROUP_SCOPE)
        add_number(out, group->key.phase);
    add_number(out, group->kinds);
    add_number(out, group->scope);
    add_number(out, (group->async ? ROW_ASYNC : 0u) | (group->top_level ? ROW_TOP_LEVEL : 0u) |
                        (group->over != NULL ? ROW_OVER : 0u));
    add_sums(out, group);
    add_signed(out, group->min);
    add_number(out, (uint64_t)group->max - (uint64_t)group->min);
    add_histogram(encoder, &group->histogram);
    if (group->over != NULL)
        add_over(encoder, group->over);
    else
        add_number(out, encoder->sources[group->source]);
}

static void add_table(struct encoder *encoder, const struct groups *groups)
{
    struct rows rows = {.items = memory_alloc(((size_t)groups->count + 1) * sizeof *rows.items)};
    for (uint32_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->items[i];
        struct row *row = &rows.items[i];
        *row = (struct row){group, encoder->strings[group->key.name], encoder->strings[group->key.shapes],
                            (uint32_t)rows.frames.count, 0};
        for (uint32_t node = group->key.stack; node != 0; node = groups->stacks->nodes[node].caller, row->depth++)
            array_push(&rows.frames, encoder->strings[groups->stacks->nodes[node].frame]);
    }
    qsort_r(rows.items, groups->count, sizeof *rows.items, by_row, &rows);
    add_number(encoder->out, groups->count);
    for (uint32_t i = 0; i < groups->count; i++)
        add_row(encoder, &rows, &rows.items[i], groups->grouping.parts);
    array_free(&rows.frames);
    free(rows.items);
}

/* -- The file ---------------------------------------------------------------------------------------------------- */

void summary_add_file(const struct summary *summary, struct text *out)
{
    struct text inside = {0};
    struct encoder encoder = {.summary = summary, .out = &inside};
    size_t start = out->length, ends[FILE_SECTIONS];
    add_number(&inside, (uint64_t)summary->python);
    add_number(&inside, (uint64_t)summary->stack_depth);
    add_strings(&encoder);
    add_sources(&encoder);
    ends[0] = inside.length;
    for (int t = 0; t < SUMMARY_TABLES; t++) {
        add_table(&encoder, &summary->tables[t]);
        ends[1 + t] = inside.length;
    }
    text_add(out, file_magic, sizeof file_magic);
    add_fixed(out, SUMMARY_VERSION, 2);
    add_fixed(out, 0, 2);
    for (int i = 0; i < FILE_SECTIONS; i++) {
        size_t from = i > 0 ? ends[i - 1] : 0;
        add_fixed(out, ends[i] - from, 8);
        add_fixed(out, checksum(inside.bytes + from, ends[i] - from), 4);
    }
    add_fixed(out, checksum(out->bytes + start, out->length - start), 4);
    text_add_span(out, text_span(&inside));
    text_free(&inside);
    text_free(&encoder.bars);
    free(encoder.strings);
    free(encoder.sources);
}

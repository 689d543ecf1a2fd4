/* The writers: a table as text in one of the formats. */
#ifndef KEYAVG_WRITER_H
#define KEYAVG_WRITER_H

#include "keyavg/output.h"
#include "keyavg/sheet.h"
#include "keyavg/table.h"

struct drill;

struct writer_options {
    unsigned name_width, source_width, shapes_width; /* torch: max_*_column_width: 55, 75, 80 */
    const char *header;                              /* torch, text: torch's header=, or NULL */
    const struct column *const *columns;             /* chosen columns, or NULL: the format's own */
    unsigned column_count;
    unsigned screen_columns;                         /* text: the width to fit, 0 unlimited */
    bool ascii;                                      /* text: no character beyond ASCII */
    bool exact;                                      /* csv: no `'` before text that a spreadsheet would compute */
    /* stacks: self_cpu_time_total or self_device_time_total; folded: also the totals */
    const struct column *metric;
};

struct writer {
    const char *name; /* `torch` */
    const char *help;
    const char *suffixes; /* file name endings that choose it, separated by spaces: `csv` */
    bool all_rows;        /* the default row limit is none, else 100 */
    bool takes_columns;   /* --columns works */
    /* False when the sink took no more. */
    bool (*write)(struct table *table, const struct writer_options *options, struct sink *sink);
    sheet_writer *write_sheet; /* the same for what is not of one trace; NULL: it is only for one */
};

extern const struct writer writers[];
extern const unsigned writer_count;

/* By name; NULL when there is none. */
const struct writer *writer_find(struct span name);

/* By the ending of a file's name; NULL when no writer claims it. */
const struct writer *writer_for_file(const char *path);

/* torch's defaults. */
void writer_options_init(struct writer_options *options);

/* The version of the JSON library. */
const char *writer_json_library(void);

/* The formats. */
bool torch_write(struct table *table, const struct writer_options *options, struct sink *sink);
bool text_write(struct table *table, const struct writer_options *options, struct sink *sink);
bool csv_write(struct table *table, const struct writer_options *options, struct sink *sink);
bool tsv_write(struct table *table, const struct writer_options *options, struct sink *sink);
bool json_write(struct table *table, const struct writer_options *options, struct sink *sink);
bool markdown_write(struct table *table, const struct writer_options *options, struct sink *sink);
bool stacks_write(struct table *table, const struct writer_options *options, struct sink *sink);
bool folded_write(struct table *table, const struct writer_options *options, struct sink *sink);

/* Writes a drill (drill.h); only with a writer that takes its kind. */
bool drill_write(const struct drill *drill, const struct writer *writer, const struct writer_options *options,
                 struct sink *sink);

/* The same of two traces: the rows of the first, then those of the second, behind a column `side`. NULL: the side has
 * nothing of it. The drills are of one kind and have the same settings. */
bool drill_write_sides(const struct drill *const drills[2], const struct writer *writer,
                       const struct writer_options *options, struct sink *sink);
/* Columns of two drills of one kind, one of which may be NULL: those that were asked for, else those that either shows,
 * or with `all` that either has, in the kind's order. To free(). */
const struct column **drill_sides_columns(const struct drill *const drills[2], bool all, unsigned *count);
bool writer_takes_drill(const struct writer *writer, int kind); /* enum drill_kind */

/* For the formats: a column beyond torch's attributes by which rows are grouped. */
bool writer_is_key_part(const struct table *table, const struct column *column);

/* For the formats: the chosen columns; else all attributes, or those of torch's table and the one sorted by; with the
 * parts of the key. To free(). */
const struct column **writer_columns(const struct table *table, const struct writer_options *options, bool all,
                                     unsigned *count);

/* For the formats: writes a table as a sheet; with `all`, all attributes when no columns are chosen. */
bool writer_table(struct table *table, const struct writer_options *options, bool all, sheet_writer *write,
                  struct sink *sink);

/* For the formats: hands `text` over once it has grown to a good size, or at once with `all`. */
bool writer_flush(struct sink *sink, struct text *text, bool all);

#endif

/* A sheet: rows and columns for a writer, wherever the values come from: one trace, two, or many ranks. */
#ifndef KEYAVG_SHEET_H
#define KEYAVG_SHEET_H

#include "keyavg/column.h"
#include "keyavg/output.h"

struct writer_options;

struct sheet {
    const void *context;
    uint32_t count; /* rows */
    const struct column *const *columns;
    unsigned column_count;
    bool chosen;                /* the columns were asked for: none is left out for want of room */
    const struct column *sort;  /* kept longest where there is no room for all; NULL none */
    enum time_unit unit;
    const char *device;         /* its name in headings */
    /* A cell; VALUE_UNKNOWN for what is not known. `scratch` holds text that had to be made. */
    void (*value)(const void *context, uint32_t row, const struct column *column, struct value *out,
                  struct text *scratch);
    /* The lines of a row's stack, innermost first: fills at most `room` and returns how many there are. */
    uint32_t (*stack)(const void *context, uint32_t row, struct span *lines, uint32_t room);
    void (*add_foot)(const void *context, struct text *out);  /* whole lines below a text; may be NULL */
    void (*add_facts)(const void *context, struct text *out); /* json: name and value of each fact, as in an object */
    /* json: what else is known of a row, each member with a comma before it; left out where columns were asked for. May
     * be NULL. */
    void (*add_members)(const void *context, uint32_t row, struct text *out);
};

/* Writes a sheet in a format. False when the sink took no more. */
typedef bool sheet_writer(const struct sheet *sheet, const struct writer_options *options, struct sink *sink);

sheet_writer text_write_sheet, csv_write_sheet, tsv_write_sheet, json_write_sheet, markdown_write_sheet;

/* The folded one wants the sheet of a call tree: its column `path`. */
sheet_writer folded_write_sheet;

/* Appends the facts about a trace, a JSON object. */
struct table;
void json_add_facts(struct text *out, const struct table *table);

/* Appends a JSON string. Invalid bytes become U+FFFD each; control characters are escaped. */
void json_add_string(struct text *out, struct span string);
/* as it stands in a string; escaped where a terminal would obey it */
void json_add_point(struct text *out, uint32_t point);

/* Appends a list of shapes, which looks the same in Python and in JSON; what a damaged file has instead is a text. */
void json_add_shapes(struct text *out, struct span shapes);

#endif

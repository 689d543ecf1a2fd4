/* The columns: one descriptor each. Screen, sort, filter, export, help and man page come from this table. */
#ifndef KEYAVG_COLUMN_H
#define KEYAVG_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/text.h"
#include "keyavg/units.h"

struct table;

enum value_kind {
    VALUE_UNKNOWN,
    VALUE_INTEGER, /* `integer`: ns, bytes, calls, ... by the column's unit; flags 0 or 1 */
    VALUE_RATIO,   /* `integer` / `over`, exact: averages in ns, shares (1 is 100 %) */
    VALUE_REAL,    /* `real` */
    VALUE_TEXT,    /* `text`, borrowed from the trace or from the scratch text given to the column */
};

/* One cell. */
struct value {
    enum value_kind kind;
    int64_t integer, over; /* over > 0 */
    double real;
    struct span text;
};

enum column_unit {
    UNIT_TEXT,
    UNIT_TIME,  /* ns */
    UNIT_SHARE, /* ratio */
    UNIT_BYTES,
    UNIT_COUNT,
    UNIT_FLOPS,
    UNIT_NUMBER, /* a plain number: node id, scope */
    UNIT_FLAG,   /* yes or no */
    UNIT_FACTOR, /* how many times as much */
};

/* What a trace must hold for the column to say anything. */
enum column_need {
    NEED_NOTHING,
    NEED_DEVICE,        /* events of a device */
    NEED_MEMORY,        /* profile_memory=True */
    NEED_DEVICE_MEMORY, /* profile_memory=True and a device */
    NEED_SHAPES,        /* record_shapes=True */
    NEED_STACKS,        /* with_stack=True */
    NEED_FLOPS,         /* with_flops=True for torch; shapes for our own estimate */
    NEED_OVERLOADS,     /* capture_overload_names=True */
    NEED_NODES,         /* node ids, which only the array form has */
    NEED_TWO,           /* two traces that are compared */
    NEED_RANKS,         /* many ranks */
    NEED_COLLECTIVES,   /* the list of collectives */
    NEED_COUNT
};

struct column {
    const char *name;  /* torch's attribute name, or ours: `self_cpu_time_total` */
    const char *alias; /* another name that finds it, or NULL */
    const char *title; /* `Self CPU`; `%D` stands for the device's name */
    const char *help;  /* one sentence */
    uint8_t unit;      /* enum column_unit */
    uint8_t need;      /* enum column_need */
    uint8_t width;     /* columns on screen */
    bool summable;     /* its cells add up over rows */
    bool spread;       /* needs the calls' statistics: computed only while shown, sorted or filtered on */
    bool attribute;    /* an attribute of FunctionEventAvg: part of json rows */
    /* The row's value, torch's own where the column is an attribute: 0 or empty where nothing was recorded. */
    void (*value)(const struct table *table, uint32_t row, struct value *out, struct text *scratch);
    int (*compare)(struct span a, struct span b); /* of two texts; NULL: by bytes */
    const struct column *of; /* the column that this one is a facet of (facet.h), else NULL */
    uint8_t facet;           /* enum facet */
    const char *formula;     /* how a cell is made of the row's calls; NULL: the first call's, or as `help` says */
    bool is_signed;          /* a difference: shown with its sign, in the unit of its size */
};

extern const struct column columns[]; /* the attributes first, as torch's class lists them */
extern const unsigned column_count;

/* By name, facets as `NAME.FACET`; torch's `cuda_`, `xpu_`, `privateuse1_` stand for `device_`. NULL when there is
 * none. */
const struct column *column_find(struct span name);

/* The existing name nearest to a wrong one (for `did you mean`), or NULL when none is near. */
const struct column *column_nearest(struct span name);

/* Whether the trace of this table can say anything in the column. */
bool column_available(const struct table *table, const struct column *column);

/* What would have recorded it, to be put after `recorded with `: `profile_memory=True`. NULL when it needs nothing. */
const char *column_remedy(const struct column *column);

/* `us`, `bytes`, ...: the unit of the numbers that column_add_raw writes; empty for text. */
const char *column_unit_name(const struct column *column);

/* Whether its cells are numbers, which stand at the right of their column. */
bool column_is_number(const struct column *column);

/* Appends the title with the device's name put in; `Device` where there is none: a table whose trace has no device,
 * NULL. */
void column_add_title(const struct column *column, const struct table *table, struct text *out);
void column_add_title_of(const struct column *column, const char *device, struct text *out);

/* Appends a cell as screen and text show it: time in the unit, shares, bytes; `--` for unknown. Text is not cleaned. */
void column_add_text(const struct column *column, const struct value *value, enum time_unit unit, struct text *out);

/* Appends a cell as csv, tsv, markdown and json have it: us with three decimals, bytes, numbers, percent with four
 * decimals, `true` and `false`; empty for unknown. Text is not cleaned. */
void column_add_raw(const struct column *column, const struct value *value, struct text *out);

/* The number of a value that is neither text nor unknown. */
double value_real(const struct value *value);

/* Orders two known values of one column: below, at or above 0. Exact for integers and ratios. */
int value_compare(const struct column *column, const struct value *a, const struct value *b);

#endif

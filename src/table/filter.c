/* The filter language: reading expressions. */
#include "keyavg/filter.h"

#include <stdlib.h>

#include "filter_terms.h"
#include "keyavg/nearest.h"
#include "keyavg/units.h"
#include "keyavg/utf8.h"

static const char *const keys[] = {"name", "kind", "scope", "step", "thread", "shape"};
static const enum term_kind key_terms[] = {TERM_WORD, TERM_KIND, TERM_SCOPE, TERM_STEP, TERM_THREAD, TERM_SHAPE};

/* `at COLUMN: why`; columns count characters from 1. */
static bool wrong(struct error *error, struct span whole, const char *at, const char *why, struct span word)
{
    struct text shown = {0};
    utf8_add_fitted(&shown, word, 40, UTF8_CUT_END, false);
    size_t place = utf8_length((struct span){whole.bytes, (size_t)(at - whole.bytes)}) + 1;
    if (shown.length > 0)
        error_set(error, ERROR_USAGE, "filter, at %zu: %s '%s'", place, why, shown.bytes);
    else
        error_set(error, ERROR_USAGE, "filter, at %zu: %s", place, why);
    text_free(&shown);
    return false;
}

static bool all_digits(struct span text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return false;
    return text.length > 0 && text.length < 18;
}

static int64_t number_of(struct span text)
{
    int64_t value = 0;
    for (size_t i = 0; i < text.length; i++)
        value = value * 10 + (text.bytes[i] - '0');
    return value;
}

/* -- Regular expressions -------------------------------------------------------------------------- */

/* Behind the `]` of a bracket expression that opens at `at`; classes such as [:alpha:] may stand in it. */
static size_t skip_bracket(struct span text, size_t at)
{
    at++;
    at += at < text.length && text.bytes[at] == '^';
    at += at < text.length && text.bytes[at] == ']';
    while (at < text.length && text.bytes[at] != ']') {
        char kind = at + 1 < text.length && text.bytes[at] == '[' ? text.bytes[at + 1] : '\0';
        const char end[] = {kind, ']'};
        const char *class_end = kind == ':' || kind == '.' || kind == '='
                                    ? memmem(text.bytes + at + 2, text.length - at - 2, end, 2)
                                    : NULL;
        at = class_end != NULL ? (size_t)(class_end - text.bytes) + 2 : at + 1;
    }
    return at;
}

enum { COUNT_MAX = 255 };

/* The largest count of a counted repeat that opens at *at, which goes to its `}`. */
static unsigned read_count(struct span text, size_t *at)
{
    unsigned count = 0, most = 0;
    for (++*at; *at < text.length && text.bytes[*at] != '}'; ++*at) {
        char c = text.bytes[*at];
        count = c == ',' ? 0 : count * 10 + (unsigned)(unsigned char)(c - '0');
        most = count > most ? count : most;
        if (most > COUNT_MAX)
            break;
    }
    return most;
}

enum { REGEX_DEPTH = 64, REGEX_NEST = 3, REGEX_SIZE = 4096 };

/* A piece of a regular expression: a character, a bracket, or what was read of a group. */
struct piece {
    size_t size;   /* with its repeats written out, as the C library does with `+` and counts */
    unsigned nest; /* repeats that are inside of each other */
    bool counted;  /* whether it holds a counted repeat */
    bool repeated; /* whether it ends with a repeat */
};

static void put_into(struct piece *group, const struct piece *last, size_t size)
{
    group->size += size;
    group->counted |= last->counted;
    group->nest = last->nest > group->nest ? last->nest : group->nest;
}

/* Applies the repeat at *at, which goes to its end, to `last`, and adds what that adds to its group. */
static const char *repeat(struct piece *group, struct piece *last, struct span text, size_t *at)
{
    char c = text.bytes[*at];
    size_t added = 1;
    if (last->repeated)
        return "a repeat of a repeat";
    if (last->nest == REGEX_NEST)
        return "repeats inside of each other, more than 3 deep";
    if (c == '{') {
        if (last->counted)
            return "a counted repeat inside of another";
        unsigned count = read_count(text, at);
        if (count > COUNT_MAX)
            return "a repeat count above 255";
        added = last->size * (count + 1); /* `{3,}` is three times and then any number */
        last->counted = true;
    } else if (c == '+') {
        added = last->size + 1;
    }
    last->size += added;
    last->nest++;
    last->repeated = true;
    put_into(group, last, added);
    return NULL;
}

/* What keeps an expression quick to compile and to match: no count above 255, no counted repeat inside of another, no
 * repeat of a repeat and few inside of each other, and a limit to what it is when its repeats are written out. */
static const char *regex_problem(struct span text)
{
    struct piece groups[REGEX_DEPTH] = {0}, last = {0}; /* last: what a repeat would apply to */
    int depth = 0;
    if (text.length > 256)
        return "the regular expression is longer than 256 bytes";
    for (size_t i = 0; i < text.length; i++) {
        char c = text.bytes[i];
        if (c == '(') {
            if (++depth == REGEX_DEPTH)
                return "too many brackets in each other";
            groups[depth] = last = (struct piece){0};
        } else if (c == ')' && depth > 0) {
            last = groups[depth--];
            last.size++;
            last.repeated = false;
            put_into(&groups[depth], &last, last.size);
        } else if (strchr("{+*?", c) != NULL && c != '\0') {
            const char *problem = repeat(&groups[depth], &last, text, &i);
            if (problem != NULL)
                return problem;
        } else {
            if (c == '\\' && ++i < text.length && text.bytes[i] >= '1' && text.bytes[i] <= '9')
                return "back references are not taken";
            if (c == '[')
                i = skip_bracket(text, i);
            last = (struct piece){.size = 1};
            put_into(&groups[depth], &last, 1);
        }
        if (groups[depth].size > REGEX_SIZE)
            return "the regular expression is too large when its repeats are written out";
    }
    return NULL;
}

static bool parse_regex(struct term *term, struct span whole, struct span text, struct error *error)
{
    const char *problem = regex_problem(text);
    if (problem != NULL)
        return wrong(error, whole, text.bytes, problem, (struct span){0});
    if (memchr(text.bytes, 0, text.length) != NULL)
        return wrong(error, whole, text.bytes, "a NUL in the regular expression", (struct span){0});
    char *pattern = memory_copy_text(text.bytes, text.length);
    int code = regcomp(&term->regex, pattern, REG_EXTENDED | REG_NOSUB);
    free(pattern);
    if (code != 0) {
        char why[120];
        regerror(code, &term->regex, why, sizeof why);
        return wrong(error, whole, text.bytes, why, (struct span){0});
    }
    term->kind = TERM_REGEX;
    return true;
}

/* -- Terms on events ------------------------------------------------------------------------------ */

static bool parse_steps(struct term *term, struct span whole, struct span value, struct error *error)
{
    if (span_is(value, "none")) {
        term->low = term->high = -1;
        return true;
    }
    const char *dash = value.length > 0 ? memchr(value.bytes, '-', value.length) : NULL;
    struct span low = value, high = value;
    if (dash != NULL) {
        low.length = (size_t)(dash - value.bytes);
        high = (struct span){dash + 1, value.length - low.length - 1};
    }
    bool open = dash != NULL && high.length == 0;
    if (!all_digits(low) || (!open && !all_digits(high)))
        return wrong(error, whole, value.bytes, "a step is a number, 3-5, 3- or none, not", value);
    term->low = number_of(low);
    term->high = open ? INT64_MAX : number_of(high);
    return true;
}

static void add_compact(struct text *out, struct span text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] != ' ')
            text_add_char(out, text.bytes[i]);
}

static bool parse_event_term(struct term *term, struct span whole, struct span value, struct error *error)
{
    if (value.length == 0)
        return wrong(error, whole, value.bytes, "nothing stands behind the colon", (struct span){0});
    switch (term->kind) {
    case TERM_KIND:
        term->kinds = filter_kinds(value);
        return term->kinds != 0 ||
               wrong(error, whole, value.bytes,
                     "a kind is op, annotation, python, runtime, overhead, memory, kernel, memcpy, memset, sync, cpu "
                     "or device, not",
                     value);
    case TERM_SCOPE:
        term->phase = phase_find(value);
        return term->phase != PHASE_COUNT ||
               wrong(error, whole, value.bytes, "a scope is forward, backward, recompute, sync, optimizer, data, user or none, not", value);
    case TERM_STEP: return parse_steps(term, whole, value, error);
    case TERM_SHAPE:
        if (value.bytes[0] != '[')
            text_add_char(&term->word, '[');
        add_compact(&term->word, value);
        if (value.bytes[0] != '[')
            text_add_char(&term->word, ']');
        return true;
    default: text_add_span(&term->word, value); return true;
    }
}

/* -- Terms on columns ----------------------------------------------------------------------------- */

/* The operator in a word: its place and length; false where there is none. */
static bool find_operator(struct span word, size_t *at, size_t *length, enum comparison *comparison)
{
    for (size_t i = 1; i < word.length; i++) {
        char c = word.bytes[i];
        bool equal = i + 1 < word.length && word.bytes[i + 1] == '=';
        if (c != '<' && c != '>' && c != '=' && !(c == '!' && equal))
            continue;
        *at = i;
        *length = equal && c != '=' ? 2 : 1;
        *comparison = c == '<'   ? (equal ? AT_MOST : BELOW)
                      : c == '>' ? (equal ? AT_LEAST : ABOVE)
                      : c == '=' ? EQUAL
                                 : UNEQUAL;
        return true;
    }
    return false;
}

static bool parse_number(struct term *term, struct span text)
{
    char copy[64];
    if (text.length == 0 || text.length >= sizeof copy)
        return false;
    memcpy(copy, text.bytes, text.length);
    copy[text.length] = 0;
    int64_t whole;
    switch ((enum column_unit)term->column->unit) {
    case UNIT_TIME:
        if (!units_parse_time(text, 1000, &whole))
            return false;
        term->number = (double)whole;
        return true;
    case UNIT_BYTES:
        if (!units_parse_bytes(text, &whole))
            return false;
        term->number = (double)whole;
        return true;
    case UNIT_FLAG:
        term->number = span_is(text, "yes") || span_is(text, "true") || span_is(text, "1");
        return term->number > 0 || span_is(text, "no") || span_is(text, "false") || span_is(text, "0");
    default: break;
    }
    char *end;
    term->number = strtod(copy, &end);
    if (end == copy || term->number != term->number)
        return false;
    if (term->column->unit == UNIT_SHARE) {
        term->number /= 100;
        end += *end == '%';
    } else if (*end != 0) {
        double factor = *end == 'k' ? 1e3 : *end == 'M' ? 1e6 : *end == 'G' ? 1e9 : *end == 'T' ? 1e12 : 0;
        term->number *= factor;
        end += factor > 0;
    }
    return *end == 0;
}

static bool looks_like_name(struct span text)
{
    for (size_t i = 0; i < text.length; i++) {
        char c = text.bytes[i];
        if (!(c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')))
            return false;
    }
    return text.length > 0;
}

/* True: it was a term on a column, or an error; *ok tells which. False: it is no such term. */
static bool parse_column_term(struct term *term, struct span whole, struct span word, bool *ok, struct error *error)
{
    size_t at, length;
    if (!find_operator(word, &at, &length, &term->comparison))
        return false;
    struct span name = {word.bytes, at}, value = {word.bytes + at + length, word.length - at - length};
    term->column = column_find(name);
    *ok = true;
    if (term->column == NULL) {
        const struct column *near = looks_like_name(name) ? column_nearest(name) : NULL;
        bool number = value.length > 0 && value.bytes[0] >= '0' && value.bytes[0] <= '9';
        if (near == NULL && !(looks_like_name(name) && number))
            return false; /* `vector<int>` is a piece of a name */
        char why[160] = "no column";
        if (near != NULL)
            snprintf(why, sizeof why, "did you mean %s? there is no column", near->name);
        *ok = wrong(error, whole, word.bytes, why, name);
        return true;
    }
    term->kind = TERM_COLUMN;
    if (value.length == 0) {
        *ok = wrong(error, whole, value.bytes, "a value is missing after", (struct span){word.bytes, at + length});
    } else if (term->column->unit == UNIT_TEXT) {
        if (term->comparison != EQUAL && term->comparison != UNEQUAL)
            *ok = wrong(error, whole, word.bytes + at, "text is compared with = or !=:", name);
        text_add_span(&term->word, value);
    } else if (!parse_number(term, value)) {
        static const char *const wanted[] = {
            [UNIT_TIME] = "a time such as 1ms, 20us or 5 (us), not", [UNIT_SHARE] = "a share such as 5 or 5%, not",
            [UNIT_BYTES] = "bytes such as 10, 2KB or 1.5MB, not",    [UNIT_FLAG] = "yes or no, not",
            [UNIT_FLOPS] = "a number such as 2G, not",               [UNIT_COUNT] = "a number, not",
            [UNIT_NUMBER] = "a number, not",                         [UNIT_FACTOR] = "a number, not",
            [UNIT_TEXT] = "",
        };
        *ok = wrong(error, whole, value.bytes, wanted[term->column->unit], value);
    }
    return true;
}

/* -- The expression ------------------------------------------------------------------------------- */

static bool has_capital(struct span text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] >= 'A' && text.bytes[i] <= 'Z')
            return true;
    return false;
}

/* One term, which `word` holds without its `!`. */
static bool parse_word(struct term *term, struct span whole, struct span word, struct error *error)
{
    bool ok;
    const char *colon = memchr(word.bytes, ':', word.length);
    for (size_t i = 0; colon != NULL && i < sizeof keys / sizeof *keys; i++) {
        struct span key = {word.bytes, (size_t)(colon - word.bytes)};
        /* `name::x` is a name, not a key. */
        if (!span_is(key, keys[i]) || (key.length + 1 < word.length && colon[1] == ':'))
            continue;
        term->kind = key_terms[i];
        if (!parse_event_term(term, whole, (struct span){colon + 1, word.length - key.length - 1}, error))
            return false;
        term->exact_case = has_capital(text_span(&term->word));
        return true;
    }
    if (parse_column_term(term, whole, word, &ok, error))
        return ok;
    term->kind = TERM_WORD;
    text_add_span(&term->word, word);
    term->exact_case = has_capital(word);
    return true;
}

/* The end of a term that begins at `at`. Quotes and brackets hold spaces. */
static bool find_end(struct span whole, size_t at, size_t *end, struct error *error)
{
    int brackets = 0;
    bool shape = span_starts((struct span){whole.bytes + at, whole.length - at}, "shape:");
    *end = at;
    while (*end < whole.length && (whole.bytes[*end] != ' ' || (shape && brackets > 0))) {
        brackets += whole.bytes[*end] == '[' ? 1 : whole.bytes[*end] == ']' ? -1 : 0;
        (*end)++;
    }
    if (shape && brackets > 0)
        return wrong(error, whole, whole.bytes + at, "a bracket is not closed", (struct span){0});
    return true;
}

/* The closing mark of `"words"` or `/regex/` that opens at `at`; SIZE_MAX where it is missing. */
static size_t find_mark(struct span whole, size_t at)
{
    char mark = whole.bytes[at];
    for (size_t i = at + 1; i < whole.length; i++) {
        if (whole.bytes[i] == '\\' && mark == '/')
            i++;
        else if (whole.bytes[i] == mark)
            return i;
    }
    return SIZE_MAX;
}

static bool parse_term(struct filter *filter, struct span whole, size_t *at, struct error *error)
{
    struct term term = {0};
    size_t start = *at, end;
    bool ok = true;
    while (*at < whole.length && whole.bytes[*at] == '!') {
        term.negated = !term.negated;
        (*at)++;
    }
    if (*at == whole.length || whole.bytes[*at] == ' ')
        return wrong(error, whole, whole.bytes + start, "nothing stands behind the !", (struct span){0});
    char first = whole.bytes[*at];
    if (first == '/' || first == '"') {
        size_t mark = find_mark(whole, *at);
        if (mark == SIZE_MAX)
            return wrong(error, whole, whole.bytes + *at,
                         first == '/' ? "the regular expression has no closing /" : "a quote is not closed",
                         (struct span){0});
        struct span inside = {whole.bytes + *at + 1, mark - *at - 1};
        if (first == '/') {
            ok = parse_regex(&term, whole, inside, error);
        } else {
            term.kind = TERM_WORD;
            text_add_span(&term.word, inside);
            term.exact_case = has_capital(inside);
        }
        end = mark + 1;
    } else {
        if (!find_end(whole, *at, &end, error))
            return false;
        ok = parse_word(&term, whole, (struct span){whole.bytes + *at, end - *at}, error);
    }
    text_add(&term.source, whole.bytes + start, end - start);
    *at = end;
    if (!ok) {
        text_free(&term.word);
        text_free(&term.source);
        return false;
    }
    array_push(&filter->terms, term);
    return true;
}

struct filter *filter_parse(struct span text, struct error *error)
{
    struct filter *filter = memory_zero(1, sizeof *filter);
    for (size_t at = 0; at < text.length;) {
        if (text.bytes[at] == ' ') {
            at++;
        } else if (!parse_term(filter, text, &at, error)) {
            filter_free(filter);
            return NULL;
        }
    }
    return filter;
}

void filter_free(struct filter *filter)
{
    if (filter == NULL)
        return;
    for (size_t i = 0; i < filter->terms.count; i++) {
        struct term *term = &filter->terms.items[i];
        if (term->kind == TERM_REGEX)
            regfree(&term->regex);
        text_free(&term->word);
        text_free(&term->source);
    }
    array_free(&filter->terms);
    free(filter);
}

struct filter *filter_copy(const struct filter *filter)
{
    struct text text = {0};
    if (filter == NULL)
        return NULL;
    filter_add_text(filter, true, &text);
    struct filter *copy = filter_parse(text_span(&text), NULL);
    text_free(&text);
    return copy;
}

bool filter_same(const struct filter *a, const struct filter *b)
{
    struct text one = {0}, other = {0};
    if (a == NULL || b == NULL)
        return a == b;
    filter_add_text(a, true, &one);
    filter_add_text(b, true, &other);
    bool same = span_equal(text_span(&one), text_span(&other));
    text_free(&one);
    text_free(&other);
    return same;
}

/* -- As text -------------------------------------------------------------------------------------- */

static void add_terms(const struct filter *filter, bool steps, bool others, struct text *out)
{
    bool first = true;
    for (size_t i = 0; i < filter->terms.count; i++) {
        const struct term *term = &filter->terms.items[i];
        if (term->kind == TERM_STEP ? !steps : !others)
            continue;
        if (!first)
            text_add_char(out, ' ');
        text_add_span(out, text_span(&term->source));
        first = false;
    }
}

void filter_add_text(const struct filter *filter, bool steps, struct text *out)
{
    add_terms(filter, steps, true, out);
}

void filter_add_step_terms(const struct filter *filter, struct text *out)
{
    add_terms(filter, true, false, out);
}

void filter_add_steps(const struct filter *filter, struct text *out)
{
    bool first = true;
    for (size_t i = 0; i < filter->terms.count; i++) {
        const struct term *term = &filter->terms.items[i];
        if (term->kind != TERM_STEP)
            continue;
        const char *colon = memchr(term->source.bytes, ':', term->source.length);
        text_addf(out, "%s%s%s", first ? "" : " ", term->negated ? "not " : "", colon + 1);
        first = false;
    }
}

bool filter_has_steps(const struct filter *filter)
{
    for (size_t i = 0; i < filter->terms.count; i++)
        if (filter->terms.items[i].kind == TERM_STEP)
            return true;
    return false;
}

bool filter_has_others(const struct filter *filter)
{
    for (size_t i = 0; i < filter->terms.count; i++)
        if (filter->terms.items[i].kind != TERM_STEP)
            return true;
    return false;
}

bool filter_on_rows(const struct filter *filter)
{
    for (size_t i = 0; i < filter->terms.count; i++)
        if (filter->terms.items[i].kind == TERM_COLUMN)
            return true;
    return false;
}

bool filter_on_events(const struct filter *filter)
{
    for (size_t i = 0; i < filter->terms.count; i++)
        if (filter->terms.items[i].kind != TERM_COLUMN)
            return true;
    return false;
}

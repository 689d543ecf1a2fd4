#include "keyavg/raw.h"

#include "reader.h"

enum where {
    AT_VALUE,      /* a value is due */
    AT_FIRST,      /* behind an opening bracket */
    BEHIND_VALUE,  /* a comma or a closing bracket is due */
    AT_MEMBER,     /* behind a comma */
};

struct visitor {
    struct scan scan;
    raw_visit *visit;
    void *context;
    enum where where;
    unsigned depth;             /* brackets that are open */
    char open[RAW_DEPTH + 1];   /* their closing ones */
    struct span key;            /* of the value that is due */
    struct raw_member previous; /* a string that may turn out to hold unescaped quotes; told a step later */
    bool waiting, repaired;
};

static bool tell(struct visitor *visitor, enum raw_kind kind, const char *from, const char *to)
{
    struct raw_member member = {kind, visitor->depth, visitor->key, {from, (size_t)(to - from)}};
    visitor->key = (struct span){0};
    if (kind == RAW_STRING) {
        visitor->previous = member;
        visitor->waiting = true;
        return true;
    }
    return visitor->visit(visitor->context, &member);
}

/* A string is told only when it is clear that it ends where it seemed to. */
static bool tell_waiting(struct visitor *visitor)
{
    bool waiting = visitor->waiting;
    visitor->waiting = false;
    return !waiting || visitor->visit(visitor->context, &visitor->previous);
}

static bool close_bracket(struct visitor *visitor)
{
    const char *at = visitor->scan.at;
    if (*at != visitor->open[visitor->depth])
        return false;
    visitor->depth--;
    visitor->scan.at++;
    visitor->where = BEHIND_VALUE;
    return tell(visitor, RAW_CLOSE, at, at + 1);
}

static bool read_value(struct visitor *visitor)
{
    static const enum raw_kind kinds[] = {
        [TOKEN_STRING] = RAW_STRING, [TOKEN_NUMBER] = RAW_NUMBER, [TOKEN_TRUE] = RAW_TRUE, [TOKEN_FALSE] = RAW_FALSE,
        [TOKEN_NULL] = RAW_NULL,     [TOKEN_WORD] = RAW_WORD,     [TOKEN_ARRAY] = RAW_DEEP, [TOKEN_OBJECT] = RAW_DEEP,
    };
    struct scan *scan = &visitor->scan;
    const char *from = scan->at;
    struct token token;
    if ((*from == '{' || *from == '[') && visitor->depth < RAW_DEPTH) {
        scan->at++;
        visitor->where = AT_FIRST;
        bool more = tell(visitor, *from == '{' ? RAW_OBJECT : RAW_ARRAY, from, from + 1);
        visitor->open[++visitor->depth] = *from == '{' ? '}' : ']';
        return more;
    }
    if (scan_value(scan, &token) != SCAN_OK)
        return false;
    visitor->where = BEHIND_VALUE;
    return tell(visitor, kinds[token.kind], from, scan->at);
}

/* The string before did not end there if what follows cannot follow a value. */
static bool repair(struct visitor *visitor)
{
    struct raw_member *string = &visitor->previous;
    struct token token = {.bytes = string->text.bytes + 1, .length = (uint32_t)string->text.length - 2,
                          .kind = TOKEN_STRING};
    if (!visitor->waiting || visitor->repaired || !fields_repair(&visitor->scan, &token))
        return false;
    visitor->repaired = true;
    string->text.length = token.length + (size_t)2;
    return true;
}

/* A key and its colon. */
static bool read_key(struct visitor *visitor)
{
    struct scan *scan = &visitor->scan;
    struct token key;
    if (*scan->at != '"' || scan_string(scan, &key) != SCAN_OK || scan_space(scan) != SCAN_OK || *scan->at != ':')
        return false;
    scan->at++;
    visitor->key = (struct span){key.bytes, key.length};
    visitor->where = AT_VALUE;
    return true;
}

static bool step(struct visitor *visitor)
{
    struct scan *scan = &visitor->scan;
    if (scan_space(scan) != SCAN_OK)
        return false;
    bool closes = *scan->at == '}' || *scan->at == ']';
    switch (visitor->where) {
    case BEHIND_VALUE:
        if (!closes && *scan->at != ',')
            return repair(visitor);
        if (!tell_waiting(visitor))
            return false;
        if (closes)
            return close_bracket(visitor);
        scan->at++;
        visitor->where = AT_MEMBER;
        return true;
    case AT_FIRST:
    case AT_MEMBER:
        if (closes) /* also behind a comma too many */
            return close_bracket(visitor);
        if (visitor->open[visitor->depth] == '}')
            return read_key(visitor);
        visitor->where = AT_VALUE;
        return true;
    case AT_VALUE:
        break;
    }
    return read_value(visitor);
}

bool raw_members(struct span text, raw_visit *visit, void *context, size_t *end)
{
    struct notes notes = {0};
    struct visitor visitor = {.visit = visit, .context = context, .where = AT_VALUE};
    visitor.scan = (struct scan){.begin = text.bytes, .at = text.bytes, .end = text.bytes + text.length,
                                 .notes = &notes};
    bool more = true;
    do
        more = step(&visitor);
    while (more && (visitor.where != BEHIND_VALUE || visitor.depth > 0));
    if (end != NULL)
        *end = (size_t)(visitor.scan.at - text.bytes);
    return more && tell_waiting(&visitor);
}

struct span raw_decode(struct span raw, struct text *room)
{
    if (raw.length >= 2 && raw.bytes[0] == '"' && raw.bytes[raw.length - 1] == '"') {
        raw.bytes++;
        raw.length -= 2;
    }
    bool escapes = raw.length != 0 && memchr(raw.bytes, '\\', raw.length) != NULL;
    struct token token = {raw.bytes, (uint32_t)raw.length, escapes ? STRING_ESCAPES : 0, TOKEN_STRING};
    return scan_text(&token, room);
}

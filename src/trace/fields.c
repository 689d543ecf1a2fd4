/* The members of one event. */
#include <string.h>
#include <strings.h>

#include "reader.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline bool key_is(const struct token *key, const char *name, size_t length)
{
    return key->length == length && memcmp(key->bytes, name, length) == 0;
}

#define KEY_IS(key, name) key_is(key, name, sizeof(name) - 1)

/* Where an argument's value goes; NULL for arguments that nothing asks for. */
static struct token *argument_field(struct fields *fields, const struct token *key)
{
    switch (key->length) {
    case 4:
        return KEY_IS(key, "name") ? &fields->label : NULL;
    case 5:
        return KEY_IS(key, "Bytes") ? &fields->bytes : KEY_IS(key, "dtype") ? &fields->dtype : NULL;
    case 6:
        return KEY_IS(key, "device") ? &fields->device : KEY_IS(key, "stream") ? &fields->stream : NULL;
    case 8:
        return KEY_IS(key, "finished") ? &fields->finished : NULL;
    case 10:
        if (KEY_IS(key, "Input Dims") || KEY_IS(key, "Input dims"))
            return &fields->dims;
        return KEY_IS(key, "Input type")   ? &fields->types
               : KEY_IS(key, "Group size") ? &fields->group_size
               : KEY_IS(key, "Call stack") || KEY_IS(key, "Call Stack") ? &fields->call_stack
                                                                        : NULL;
    case 11:
        if (strncasecmp(key->bytes, "external id", 11) == 0)
            return &fields->external_id;
        return KEY_IS(key, "correlation") ? &fields->correlation : KEY_IS(key, "Device Type") ? &fields->device_type : NULL;
    case 13:
        return KEY_IS(key, "Fwd thread id") ? &fields->forward_thread
               : KEY_IS(key, "In msg nelems") ? &fields->in_elements
                                              : NULL;
    case 14:
        return KEY_IS(key, "cuda_sync_kind")    ? &fields->sync_kind
               : KEY_IS(key, "Out msg nelems") ? &fields->out_elements
                                               : NULL;
    case 15:
        return KEY_IS(key, "Sequence number") ? &fields->sequence
               : KEY_IS(key, "Concrete Inputs") ? &fields->concrete
               : KEY_IS(key, "original_stream") ? &fields->original_stream
               : KEY_IS(key, "Collective name") ? &fields->collective
                                                : NULL;
    case 16:
        return KEY_IS(key, "Module Hierarchy") ? &fields->module : NULL;
    case 33:
        return KEY_IS(key, "wait_on_cuda_event_record_corr_id") ? &fields->waits_for : NULL;
    default:
        return NULL;
    }
}

static struct token *member_field(struct fields *fields, const struct token *key)
{
    switch (key->length) {
    case 2:
        if (key->bytes[0] == 'p')
            return key->bytes[1] == 'h' ? &fields->ph : NULL;
        return KEY_IS(key, "ts") ? &fields->ts : KEY_IS(key, "id") ? &fields->id : NULL;
    case 3:
        return KEY_IS(key, "cat")   ? &fields->cat
               : KEY_IS(key, "pid") ? &fields->pid
               : KEY_IS(key, "tid") ? &fields->tid
               : KEY_IS(key, "dur") ? &fields->dur
                                    : NULL;
    case 4:
        return KEY_IS(key, "name") ? &fields->name : NULL;
    default:
        return NULL;
    }
}

/* How far the text behind a value, and that behind a line feed, is looked at. */
enum { GOES_ON_LENGTH = 512 };

/* Whether `at` (behind white space) goes on as an event does after a value: a comma and the next member's key, or a
 * closing bracket. */
static bool goes_on(const char *at, const char *end)
{
    end = end - at > GOES_ON_LENGTH ? at + GOES_ON_LENGTH : end;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    if (at == end)
        return false;
    if (*at == '}')
        return true;
    if (*at != ',')
        return false;
    at++;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    if (at == end || *at != '"')
        return false;
    const char *key = ++at;
    while (at < end && at - key < 64 && *at != '"' && *at != '\n')
        at++;
    if (at == end || *at != '"' || at == key)
        return false;
    do
        at++;
    while (at < end && (*at == ' ' || *at == '\t'));
    return at < end && *at == ':';
}

/* Whether the quote at `at` is that of an event's first key: behind a line that begins with `{`, or of `{"ph":`. */
static bool is_other_event(const char *from, const char *at, const char *end)
{
    const char *before = at;
    while (before > from && (unsigned char)before[-1] <= ' ')
        before--;
    if (before == from || before[-1] != '{')
        return false;
    for (before--; before > from && (before[-1] == ' ' || before[-1] == '\t');)
        before--;
    return (before > from && before[-1] == '\n') || (end - at > 4 && memcmp(at, "\"ph\":", 5) == 0);
}

enum { REPAIR_LENGTH = 1 << 16 };

/* torch 2.13 wrote quotes in names as they are. The string then ends at the first quote after which the event goes on
 * as an event does; never beyond the start of another event, which may be another writer's. */
bool fields_repair(struct scan *scan, struct token *token)
{
    const char *from = token->bytes, *at = from + token->length;
    const char *end = scan->end - at > REPAIR_LENGTH ? at + REPAIR_LENGTH : scan->end;
    scan->looked = end;
    for (; at < end; at++) {
        if (*at == '\\' && at + 1 < end) {
            at++;
        } else if (*at == '"' && is_other_event(from, at, scan->end)) {
            break;
        } else if (*at == '"' && goes_on(at + 1, scan->end)) {
            token->length = (uint32_t)(at - from);
            scan->at = at + 1;
            scan_note(scan, NOTE_QUOTE_REPAIRED, from);
            return true;
        }
    }
    scan->looked = at;
    return false;
}

/* Where a member's value goes; `*args` tells whether it is the object of arguments. A key may be written with
 * escapes. */
static struct token *field_of(struct fields *fields, const struct token *key, bool inside, bool *args)
{
    struct text room = {0};
    struct token plain = *key;
    if (key->flags & STRING_ESCAPES) {
        struct span text = scan_text(key, &room);
        plain = (struct token){text.bytes, (uint32_t)text.length, 0, TOKEN_STRING};
    }
    struct token *field = inside ? argument_field(fields, &plain) : member_field(fields, &plain);
    *args = !inside && KEY_IS(&plain, "args");
    text_free(&room);
    return field != NULL ? field : &fields->ignored;
}

/* Where the cursor is within one event. */
struct position {
    bool inside;            /* in `args` */
    bool first;             /* behind an opening bracket: no comma is due */
    bool repaired;
    bool odd;               /* the last step is not to be taken as a habit: a key not plain ASCII, which may have been
                             * noted, or `args` that are no object */
    struct token *previous; /* the value before, when it may be repaired */
};

/* From behind a value (or at the event's `{`) to the next member's value. `*field` is where it goes, NULL at the
 * event's end. */
static enum scan_status next_member(struct scan *scan, struct fields *fields, struct position *position,
                                    struct token **field)
{
    struct token key;
    enum scan_status status;
    if (position->first)
        scan->at++;
    for (;;) {
        if (scan_space(scan) != SCAN_OK)
            return SCAN_END;
        if (!position->first && *scan->at != '}') {
            if (*scan->at != ',') {
                if (position->repaired || position->previous == NULL || position->previous->kind != TOKEN_STRING ||
                    !fields_repair(scan, position->previous))
                    return SCAN_BROKEN;
                position->repaired = true;
                continue;
            }
            scan->at++;
            if (scan_space(scan) != SCAN_OK)
                return SCAN_END;
        }
        if (*scan->at == '}') { /* also behind a comma too many */
            scan->at++;
            if (!position->inside) {
                *field = NULL;
                return SCAN_OK;
            }
            position->inside = position->first = false;
            position->previous = NULL;
            continue;
        }
        position->first = false;
        if (*scan->at != '"')
            return SCAN_BROKEN;
        if ((status = scan_string(scan, &key)) != SCAN_OK)
            return status;
        position->odd |= key.flags != 0;
        if (scan_space(scan) != SCAN_OK)
            return SCAN_END;
        if (*scan->at != ':')
            return SCAN_BROKEN;
        scan->at++;
        if (scan_space(scan) != SCAN_OK)
            return SCAN_END;
        bool args;
        *field = field_of(fields, &key, position->inside, &args);
        if (args && *scan->at == '{') {
            position->inside = position->first = true;
            scan->at++;
            continue;
        }
        position->odd |= args; /* the next event's may be an object again */
        return SCAN_OK;
    }
}

/* Whether the text at `at` is that of a habit; there are HABIT_TEXT bytes to look at. */
static inline bool matches(const struct habit *habit, const char *at)
{
#ifdef __SSE2__
    unsigned length = habit->length;
    for (unsigned i = 0; i < length; i += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(at + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(habit->text + i));
        unsigned equal = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(a, b));
        unsigned wanted = length - i >= 16 ? 0xFFFFu : (1u << (length - i)) - 1;
        if ((equal & wanted) != wanted)
            return false;
    }
    return true;
#else
    return memcmp(habit->text, at, habit->length) == 0;
#endif
}

/* The values that nearly all members have, without a call: a plain string or a number of less than 16 bytes. */
static inline bool quick_value(struct scan *scan, struct token *token)
{
#ifdef __SSE2__
    const char *at = scan->at;
    if (scan->end - at < 32)
        return false;
    if (*at == '"') {
        __m128i block = _mm_loadu_si128((const __m128i *)(const void *)(at + 1));
        __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
        __m128i odd = _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('\\')),
                                   _mm_cmplt_epi8(block, _mm_set1_epi8(' ')));
        unsigned stop = (unsigned)_mm_movemask_epi8(_mm_or_si128(quote, odd)); /* bytes from 0x80 are below ' ' here */
        if (stop == 0)
            return false;
        unsigned length = (unsigned)__builtin_ctz(stop);
        if (at[1 + length] != '"')
            return false;
        *token = (struct token){at + 1, length, 0, TOKEN_STRING};
        scan->at = at + length + 2;
        return true;
    }
    if (*at < '0' || *at > '9' || (*at == '0' && at[1] >= '0' && at[1] <= '9'))
        return false;
    __m128i digits = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)at), _mm_set1_epi8('0'));
    unsigned other = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits)) ^ 0xFFFFu;
    if (other == 0)
        return false;
    unsigned length = (unsigned)__builtin_ctz(other);
    if (at[length] == '.') {
        other &= other - 1;
        if (other == 0 || at[length + 1] < '0' || at[length + 1] > '9')
            return false;
        length = (unsigned)__builtin_ctz(other);
    }
    char next = at[length];
    if (next != ',' && (unsigned char)next > ' ' && next != '}')
        return false;
    *token = (struct token){at, length, 0, TOKEN_NUMBER};
    scan->at = at + length;
    return true;
#else
    (void)scan;
    (void)token;
    return false;
#endif
}

static const struct habit *find_habit(const struct habits *habits, const struct habit *after, const char *at)
{
    for (unsigned i = 0; i < HABIT_CHOICES && after->next[i] != 0; i++)
        if (matches(&habits->items[after->next[i]], at))
            return &habits->items[after->next[i]];
    return NULL;
}

/* Remembers the text between two values; returns the habit, or the one that stands for no guess. */
static const struct habit *learn(struct habits *habits, const struct habit *after, const char *from, const char *to,
                                 const struct fields *fields, const struct token *field, bool inside)
{
    struct habit *before = &habits->items[after - habits->items];
    unsigned choice = 0;
    while (choice < HABIT_CHOICES && before->next[choice] != 0)
        choice++;
    if (after == &habits->items[HABIT_NONE] || choice == HABIT_CHOICES || habits->count == HABITS ||
        to - from > HABIT_TEXT)
        return &habits->items[HABIT_NONE];
    struct habit *habit = &habits->items[habits->count];
    memcpy(habit->text, from, (size_t)(to - from));
    habit->length = (uint8_t)(to - from);
    habit->inside = inside;
    habit->field = field != NULL ? (uint16_t)((const char *)field - (const char *)fields) : HABIT_END;
    before->next[choice] = (uint16_t)habits->count++;
    return habit;
}

/* The text between the values of one kind of event is the same each time: `,\n    "pid": `. What stood there before is
 * compared first; only what differs is read member by member. */
enum scan_status fields_read(struct scan *scan, struct habits *habits, struct fields *fields)
{
    struct position position = {.first = true};
    const struct habit *habit = &habits->items[HABIT_START];
    memset(fields, 0, sizeof *fields);
    for (;;) {
        struct token *field;
        const char *from = scan->at;
        const struct habit *known = scan->end - from >= HABIT_TEXT ? find_habit(habits, habit, from) : NULL;
        if (known != NULL) {
            scan->at = from + known->length;
            if (known->field == HABIT_END)
                return SCAN_OK;
            habit = known;
            position.first = false;
            position.inside = known->inside;
            field = (struct token *)(void *)((char *)fields + known->field);
        } else {
            bool repaired = position.repaired;
            position.odd = false;
            enum scan_status status = next_member(scan, fields, &position, &field);
            if (status != SCAN_OK)
                return status;
            habit = repaired == position.repaired && !position.odd
                        ? learn(habits, habit, from, scan->at, fields, field, position.inside)
                        : &habits->items[HABIT_NONE];
            if (field == NULL)
                return SCAN_OK;
        }
        enum scan_status status = quick_value(scan, field) ? SCAN_OK : scan_value(scan, field);
        if (status != SCAN_OK)
            return status;
        position.previous = field;
    }
}

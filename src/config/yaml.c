/* The one file that knows libyaml. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

#include "keyavg/memory.h"
#include "keyavg/utf8.h"
#include "node.h"

/* A list or map that is being filled. */
struct open_node {
    struct node *node;
    struct node *last; /* child so far */
    bool key_waits;    /* a map: the last key has no value yet */
};

struct reader {
    struct document *document;
    struct messages *messages;
    yaml_parser_t parser;
    struct open_node open[NODE_DEPTH_MAX];
    unsigned depth;
};

static struct place place_of(yaml_mark_t mark)
{
    return (struct place){(uint32_t)mark.line + 1, (uint32_t)mark.column + 1};
}

static struct node *new_node(struct document *document, enum node_kind kind, struct place place)
{
    struct node *node = memory_zero(1, sizeof *node);
    *node = (struct node){.kind = kind, .place = place, .text = {"", 0}};
    array_push(&document->nodes, node);
    return node;
}

static bool refuse(struct reader *reader, struct place place, const char *why)
{
    messages_add(reader->messages, reader->document->path, place, "%s", why);
    return false;
}

static bool key_stands_twice(struct reader *reader, struct open_node *map, const struct node *key)
{
    for (const struct node *other = map->node->first; other != NULL; other = other->next) {
        if (!span_equal(other->text, key->text))
            continue;
        struct text word = {0};
        utf8_add_fitted(&word, key->text, 60, UTF8_CUT_END, false);
        messages_add(reader->messages, reader->document->path, key->place, "'%s' stands twice, first in line %u",
                     word.bytes != NULL ? word.bytes : "", other->place.line);
        text_free(&word);
        return true;
    }
    return false;
}

/* Puts a node where the parser is: as the root, the next of a list, a key or its value. */
static bool attach(struct reader *reader, struct node *node)
{
    if (reader->depth == 0) {
        reader->document->root = node;
        return true;
    }
    struct open_node *parent = &reader->open[reader->depth - 1];
    if (parent->key_waits) {
        parent->last->value = node;
        parent->key_waits = false;
        return true;
    }
    if (parent->node->kind == NODE_MAP) {
        if (node->kind == NODE_NOTHING)
            return refuse(reader, node->place, "a key is missing; write '~' and 'null' in quotes");
        if (node->kind != NODE_SCALAR)
            return refuse(reader, node->place, "a key must be one word; write '[' and '{' in quotes");
        if (key_stands_twice(reader, parent, node))
            return false;
        parent->key_waits = true;
    }
    if (parent->last != NULL)
        parent->last->next = node;
    else
        parent->node->first = node;
    parent->last = node;
    return true;
}

/* YAML's ways to say nothing. Only plain words: '~' in quotes is a tilde. */
static bool says_nothing(const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (*text == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

/* The column where the text itself begins, after its quote; 0 when it does not stand in the file as it is. */
static uint32_t text_column(const yaml_event_t *event, struct span text)
{
    size_t in_file = event->end_mark.index - event->start_mark.index, length = utf8_length(text);
    if (event->start_mark.line != event->end_mark.line)
        return 0;
    if (in_file == length)
        return (uint32_t)event->start_mark.column + 1;
    return in_file == length + 2 ? (uint32_t)event->start_mark.column + 2 : 0;
}

static bool take_scalar(struct reader *reader, const yaml_event_t *event, struct place place)
{
    size_t length = event->data.scalar.length;
    const char *text = (const char *)event->data.scalar.value;
    if (length > NODE_SCALAR_MAX)
        return refuse(reader, place, "a value of more than 4096 bytes");
    if (memchr(text, '\0', length) != NULL)
        return refuse(reader, place, "a value must not hold a NUL byte");
    if (!utf8_valid((struct span){text, length}))
        return refuse(reader, place, "a value must be valid UTF-8");
    struct node *node = new_node(reader->document, says_nothing(event) ? NODE_NOTHING : NODE_SCALAR, place);
    if (node->kind == NODE_SCALAR) {
        node->text = (struct span){memory_copy_text(text, length), length};
        node->text_column = text_column(event, node->text);
    }
    return attach(reader, node);
}

static bool open_collection(struct reader *reader, enum node_kind kind, struct place place)
{
    if (reader->depth == NODE_DEPTH_MAX)
        return refuse(reader, place, "nested too deeply");
    struct node *node = new_node(reader->document, kind, place);
    if (!attach(reader, node))
        return false;
    reader->open[reader->depth++] = (struct open_node){.node = node};
    return true;
}

/* Anchors and aliases could make a small file an endless tree, tags could give words a meaning we do not know. */
static bool is_plain(struct reader *reader, const yaml_event_t *event, struct place place)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return refuse(reader, place, "aliases are not understood; write '*' in quotes");
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        break;
    default:
        break;
    }
    if (anchor != NULL)
        return refuse(reader, place, "anchors are not understood; write '&' in quotes");
    if (tag != NULL)
        return refuse(reader, place, "tags are not understood; write '!' in quotes");
    return true;
}

/* Takes one event; false ends the reading. */
static bool take(struct reader *reader, const yaml_event_t *event)
{
    struct place place = place_of(event->start_mark);
    if (reader->document->nodes.count >= NODE_COUNT_MAX)
        return refuse(reader, place, "too many values");
    if (!is_plain(reader, event, place))
        return false;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return reader->document->root == NULL || refuse(reader, place, "a second document; only one is understood");
    case YAML_SCALAR_EVENT:
        return take_scalar(reader, event, place);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(reader, NODE_LIST, place);
    case YAML_MAPPING_START_EVENT:
        return open_collection(reader, NODE_MAP, place);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        reader->depth--;
        return true;
    default:
        return true;
    }
}

static bool report_syntax(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem != NULL ? parser->problem : "not YAML";
    if (strstr(problem, "cannot start any token") != NULL)
        problem = "this character must stand in quotes, and a tab cannot indent";
    struct place place = place_of(parser->problem_mark);
    /* libyaml's context is where the construct began: `while parsing a block mapping`. */
    if (parser->context != NULL && parser->context_mark.line + 1 < place.line)
        messages_add(reader->messages, reader->document->path, place, "%s %s that began in line %zu", problem,
                     parser->context, parser->context_mark.line + 1);
    else
        messages_add(reader->messages, reader->document->path, place, "%s", problem);
    return false;
}

static bool read_events(struct reader *reader)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&reader->parser, &event))
            return report_syntax(reader);
        bool ended = event.type == YAML_STREAM_END_EVENT;
        bool taken = take(reader, &event);
        yaml_event_delete(&event);
        if (ended || !taken)
            return taken;
    }
}

/* libyaml tells the place of a bad byte only as an offset, so such bytes are looked for first. */
static bool check_bytes(struct document *document, struct span bytes, struct messages *messages)
{
    struct place place = {1, 1};
    if (bytes.length > NODE_BYTES_MAX) {
        messages_add(messages, document->path, (struct place){0}, "the file is larger than 256 KiB");
        return false;
    }
    for (size_t i = 0; i < bytes.length;) {
        uint32_t point;
        size_t taken = utf8_decode(bytes.bytes + i, bytes.length - i, &point);
        if (point == UTF8_REPLACEMENT && taken == 1) {
            messages_add(messages, document->path, place, "byte 0x%02X is not UTF-8", (unsigned char)bytes.bytes[i]);
            return false;
        }
        if ((point < 0x20 && point != '\t' && point != '\n' && point != '\r') || point == 0x7F) {
            messages_add(messages, document->path, place, "control character 0x%02X", (unsigned)point);
            return false;
        }
        place.column++;
        if (point == '\n')
            place = (struct place){place.line + 1, 1};
        i += taken;
    }
    return true;
}

/* A document without contents. */
static void make_empty(struct document *document)
{
    char *path = document->path;
    document->path = NULL;
    document_free(document);
    document->path = path;
    document->root = new_node(document, NODE_NOTHING, (struct place){1, 1});
}

bool document_parse(struct document *document, const char *path, struct span bytes, struct messages *messages)
{
    *document = (struct document){.path = memory_copy_text(path, strlen(path))};
    struct reader reader = {.document = document, .messages = messages};
    if (span_starts(bytes, "\xEF\xBB\xBF"))
        bytes = (struct span){bytes.bytes + 3, bytes.length - 3};
    bool good = check_bytes(document, bytes, messages);
    if (good) {
        if (!yaml_parser_initialize(&reader.parser)) {
            messages_add(messages, path, (struct place){0}, "out of memory");
            good = false;
        } else {
            yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
            yaml_parser_set_input_string(&reader.parser, (const unsigned char *)bytes.bytes, bytes.length);
            good = read_events(&reader);
            yaml_parser_delete(&reader.parser);
        }
    }
    if (!good || document->root == NULL)
        make_empty(document);
    return good;
}

/* Reads at most one byte more than is allowed, so that document_parse sees that it is too much. */
static bool read_all(int file, struct text *bytes)
{
    while (bytes->length <= NODE_BYTES_MAX) {
        char *room = text_room(bytes, 16384);
        ssize_t got = read(file, room, 16384);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        bytes->length += (size_t)got;
        bytes->bytes[bytes->length] = '\0';
    }
    return true;
}

bool document_read(struct document *document, const char *path, bool *missing, struct messages *messages)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (missing != NULL)
        *missing = file < 0 && (errno == ENOENT || errno == ENOTDIR);
    struct text bytes = {0};
    bool read = file >= 0 && read_all(file, &bytes);
    if (!read && (missing == NULL || !*missing))
        messages_add(messages, path, (struct place){0}, "%s", strerror(errno));
    if (file >= 0)
        close(file);
    if (read) {
        read = document_parse(document, path, text_span(&bytes), messages);
    } else {
        *document = (struct document){.path = memory_copy_text(path, strlen(path))};
        make_empty(document);
    }
    text_free(&bytes);
    return read;
}

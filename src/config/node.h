/* A YAML file as a small tree of nodes, each with its place. */
#ifndef KEYAVG_CONFIG_NODE_H
#define KEYAVG_CONFIG_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/array.h"
#include "keyavg/messages.h"
#include "keyavg/text.h"

/* What a file may hold; more is refused. A configuration or a theme of ours needs a tenth of it. */
enum {
    NODE_BYTES_MAX = 256 * 1024,
    NODE_COUNT_MAX = 8192,
    NODE_DEPTH_MAX = 8,
    NODE_SCALAR_MAX = 4096,
};

enum node_kind {
    NODE_NOTHING, /* no value: `key:`, `~`, `null` */
    NODE_SCALAR,
    NODE_LIST,
    NODE_MAP, /* its children are the keys, all scalars and all different; each has a `value` */
};

struct node {
    enum node_kind kind;
    struct place place;
    uint32_t text_column; /* of a scalar's first character where it stands in one line just as it is, else 0 */
    struct span text;   /* of a scalar: valid UTF-8 without NUL, terminated; owned by the document */
    struct node *first; /* child of a list or map */
    struct node *next;  /* brother */
    struct node *value; /* of a key */
};

struct document {
    char *path; /* as messages name it */
    struct node *root;
    ARRAY(struct node *) nodes; /* all of them, for freeing */
};

/* Reads the bytes of a YAML file called `path`. Anchors, aliases, tags, a second document, duplicate keys and keys that
 * are not scalars are refused, as is what exceeds the limits above. Returns false with one message added; the document
 * is then empty (its root is NODE_NOTHING) but still names the path. Free with document_free either way. */
bool document_parse(struct document *document, const char *path, struct span bytes, struct messages *messages);

/* The same from the file itself, which must be a regular file, a pipe or a device with an end. `missing`, when not
 * NULL, says that there is no such file, and then no message is added. */
bool document_read(struct document *document, const char *path, bool *missing, struct messages *messages);

void document_free(struct document *document);

/* Whether the value of a key is of this kind; if not, a message says what it is instead. */
bool node_expect(const struct document *document, const struct node *key, enum node_kind kind,
                 struct messages *messages);

/* The index of a word among the known ones, `count` when it is none of them. */
size_t node_word(struct span word, const char *const *words, size_t count);

/* Adds `unknown KIND 'word'` for a scalar, with the nearest of the known words. */
void node_unknown(const struct document *document, const struct node *node, const char *kind,
                  const char *const *words, size_t count, struct messages *messages);

#endif

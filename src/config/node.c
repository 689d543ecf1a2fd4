/* What every reader of a document asks for. */
#include "node.h"

#include <stdlib.h>

#include "keyavg/nearest.h"

void document_free(struct document *document)
{
    for (size_t i = 0; i < document->nodes.count; i++) {
        struct node *node = document->nodes.items[i];
        if (node->kind == NODE_SCALAR)
            free((void *)(uintptr_t)node->text.bytes);
        free(node);
    }
    array_free(&document->nodes);
    free(document->path);
    *document = (struct document){0};
}

bool node_expect(const struct document *document, const struct node *key, enum node_kind kind,
                 struct messages *messages)
{
    static const char *const names[] = {"nothing", "text", "a list", "a map"};
    const struct node *value = key->value;
    if (value->kind == kind)
        return true;
    if (value->kind == NODE_NOTHING)
        messages_add(messages, document->path, key->place, "'%.60s' has no value; it needs %s (in quotes if it begins "
                     "with one of # & * ! | > %% @ ` [ ] { } or is ~)", key->text.bytes, names[kind]);
    else
        messages_add(messages, document->path, value->place, "'%.60s' needs %s, not %s", key->text.bytes, names[kind],
                     names[value->kind]);
    return false;
}

size_t node_word(struct span word, const char *const *words, size_t count)
{
    size_t i = 0;
    while (i < count && !span_is(word, words[i]))
        i++;
    return i;
}

void node_unknown(const struct document *document, const struct node *node, const char *kind,
                  const char *const *words, size_t count, struct messages *messages)
{
    struct nearest nearest;
    nearest_init(&nearest, node->text);
    for (size_t i = 0; i < count; i++)
        nearest_offer(&nearest, words[i]);
    messages_add_unknown(messages, document->path, node->place, kind, node->text, nearest.name);
}

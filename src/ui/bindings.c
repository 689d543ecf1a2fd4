/* Which key means which action. */
#include "keyavg/action.h"

#include <stdlib.h>

#include "keyavg/array.h"
#include "keyavg/key.h"

/* The next word of `rest`, shortened by it; words are separated by spaces, which a name in `<...>` may hold. */
static bool next_word(struct span *rest, struct span *word)
{
    while (rest->length > 0 && *rest->bytes == ' ') {
        rest->bytes++;
        rest->length--;
    }
    size_t length = 0;
    while (length < rest->length && rest->bytes[length] != ' ')
        length++;
    *word = (struct span){rest->bytes, length};
    *rest = (struct span){rest->bytes + length, rest->length - length};
    return length > 0;
}

static void drop(struct bindings *bindings, size_t at)
{
    bindings->count--;
    for (size_t i = at; i < bindings->count; i++)
        bindings->items[i] = bindings->items[i + 1];
}

bool bindings_set(struct bindings *bindings, const struct action *action, struct span keys, struct span *wrong)
{
    struct span rest = keys, word;
    while (next_word(&rest, &word)) {
        if (key_find(word) == KEYCODE_NONE) {
            *wrong = word;
            return false;
        }
    }
    for (size_t i = bindings->count; i-- > 0;)
        if (bindings->items[i].action == action)
            drop(bindings, i);
    rest = keys;
    while (next_word(&rest, &word)) {
        uint32_t code = key_find(word);
        for (size_t i = bindings->count; i-- > 0;)
            if (bindings->items[i].code == code && bindings->items[i].action->contexts & action->contexts)
                drop(bindings, i);
        array_push(bindings, (struct binding){code, action});
    }
    return true;
}

void bindings_init(struct bindings *bindings)
{
    *bindings = (struct bindings){0};
    for (unsigned i = 0; i < action_count; i++) {
        struct span rest = span_of(actions[i].keys), word;
        while (next_word(&rest, &word))
            array_push(bindings, (struct binding){key_find(word), &actions[i]});
    }
}

void bindings_free(struct bindings *bindings)
{
    array_free(bindings);
}

const struct action *bindings_find(const struct bindings *bindings, uint32_t code, unsigned context)
{
    for (size_t i = 0; i < bindings->count; i++)
        if (bindings->items[i].code == code && bindings->items[i].action->contexts & context)
            return bindings->items[i].action;
    return NULL;
}

void bindings_add_keys(const struct bindings *bindings, const struct action *action, struct text *out)
{
    bool first = true;
    for (size_t i = 0; i < bindings->count; i++) {
        if (bindings->items[i].action != action)
            continue;
        if (!first)
            text_add_char(out, ' ');
        key_add_name(bindings->items[i].code, out);
        first = false;
    }
}

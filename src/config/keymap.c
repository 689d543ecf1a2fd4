#include "keyavg/keymap.h"

#include <stdlib.h>

#include "keyavg/array.h"

void words_free(struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->items[i].text);
    array_free(words);
}

void keymap_free(struct keymap *keymap)
{
    for (size_t i = 0; i < keymap->count; i++) {
        free(keymap->items[i].context.text);
        free(keymap->items[i].action.text);
        words_free(&keymap->items[i].keys);
    }
    array_free(keymap);
}

/* Names of keys, the keys of --play, and key maps. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "keyavg/action.h"
#include "keyavg/key.h"

/* A key's name must find the key again. */
static void check_name(uint32_t code)
{
    struct text name = {0};
    key_add_name(code, &name);
    if (name.length == 0)
        fuzz_fail("key %u has no name", code);
    uint32_t found = key_find(text_span(&name));
    bool nameless = strcmp(name.bytes, "<?>") == 0 || code >= KEYCODE_HANGUP || (code >= 0x7F && code < KEYCODE_UP);
    if (found != code && !nameless)
        fuzz_fail("key %u is called %s, which is key %u", code, name.bytes, found);
    text_free(&name);
}

static void check_bindings(struct span keys)
{
    struct bindings bindings;
    struct span wrong = {0};
    bindings_init(&bindings);
    size_t count = bindings.count;
    const struct action *action = &actions[keys.length % action_count];
    if (bindings_set(&bindings, action, keys, &wrong)) {
        struct text names = {0};
        bindings_add_keys(&bindings, action, &names);
        struct text again = {0};
        if (!bindings_set(&bindings, action, text_span(&names), &wrong))
            fuzz_fail("'%s' is not taken any more", names.bytes);
        bindings_add_keys(&bindings, action, &again);
        if (!span_equal(text_span(&names), text_span(&again)))
            fuzz_fail("'%s' became '%s'", names.bytes, again.bytes);
        text_free(&names);
        text_free(&again);
    } else if (bindings.count != count || wrong.bytes < keys.bytes || wrong.bytes + wrong.length > keys.bytes + keys.length) {
        fuzz_fail("a refused key map has changed something");
    }
    bindings_free(&bindings);
}

int fuzz_keys(const uint8_t *bytes, size_t length)
{
    struct span all = {(const char *)bytes, length}, rest = all;
    struct error error = {0};
    struct key key;
    int times;
    while (key_next(&rest, &key, &times, &error)) {
        if (times < 0 || times > 100000)
            fuzz_fail("%d times", times);
        check_name(key.code);
    }
    if (rest.length != 0 && (error.code != ERROR_USAGE || error.text[0] == '\0'))
        fuzz_fail("stopped without a word");
    key_find(all);
    if (memchr(bytes, '\0', length) == NULL)
        check_bindings(all);
    return 0;
}

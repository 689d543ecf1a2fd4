/* How one kernel was launched, from the text of its event. */
#include "keyavg/kernels.h"
#include "keyavg/raw.h"

struct reading {
    struct kernel_args *args;
    struct span *open; /* a list that is being read: up to its closing bracket */
    unsigned depth;
};

static struct span *wanted(struct kernel_args *args, struct span key)
{
    const struct {
        const char *name;
        struct span *value;
    } members[] = {
        {"grid", &args->grid},
        {"block", &args->block},
        {"registers per thread", &args->registers},
        {"shared memory", &args->shared_memory},
        {"est. achieved occupancy %", &args->occupancy},
        {"graph id", &args->graph_id},
        {"graph node id", &args->graph_node},
        {"annotated_stream", &args->annotated_stream},
        {"original_stream", &args->original_stream},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (span_is(key, members[i].name))
            return members[i].value;
    return NULL;
}

static bool visit(void *context, const struct raw_member *member)
{
    struct reading *reading = context;
    if (reading->open != NULL) {
        if (member->kind == RAW_CLOSE && member->depth == reading->depth) {
            reading->open->length = (size_t)(member->text.bytes + member->text.length - reading->open->bytes);
            reading->open = NULL;
        }
        return true;
    }
    /* 0 is the event, 1 its members, 2 those of its args. */
    if (member->depth != 2 || member->key.bytes == NULL)
        return true;
    struct span *value = wanted(reading->args, member->key);
    if (value == NULL || value->bytes != NULL)
        return true;
    *value = member->text;
    if (member->kind == RAW_OBJECT || member->kind == RAW_ARRAY) {
        reading->open = value;
        reading->depth = member->depth;
    }
    return true;
}

void kernel_args_read(struct span event_text, struct kernel_args *args)
{
    struct reading reading = {.args = args};
    *args = (struct kernel_args){0};
    raw_members(event_text, visit, &reading, NULL);
}

/* The members around the list of events. */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "reader.h"

/* A flag as the writers have it: 0, 1, true, false. */
static void take_flag(const struct token *value, bool *has, bool *flag)
{
    int64_t number;
    if (scan_integer(value, &number)) {
        *has = true;
        *flag = number != 0;
    }
}

static void take_number(const struct token *value, bool *has, int64_t *number)
{
    int64_t taken;
    if (scan_integer(value, &taken)) {
        *has = true;
        *number = taken;
    }
}

static void take_text(const struct token *value, char **text)
{
    struct text room = {0};
    if (value->kind != TOKEN_NULL) {
        struct span span = value->kind == TOKEN_STRING ? scan_text(value, &room)
                                                       : (struct span){value->bytes, value->length};
        free(*text);
        *text = memory_copy_text(span.bytes, span.length);
    }
    text_free(&room);
}

/* A small integer of an object (rank, world size); -1 when it is not there. Text counts as a number too. */
static int64_t small_member(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (cJSON_IsString(item) && *item->valuestring >= '0' && *item->valuestring <= '9')
        number = (double)strtol(item->valuestring, NULL, 10);
    return number >= 0 && number < 1e9 ? (int64_t)number : -1;
}

static void take_distributed(struct header *header, const struct token *value)
{
    cJSON *object = cJSON_ParseWithLength(value->bytes, value->length);
    if (object == NULL)
        return;
    header->rank = small_member(object, "rank");
    header->world_size = small_member(object, "world_size");
    cJSON_Delete(object);
    free(header->distributed_info);
    header->distributed_info = memory_copy_text(value->bytes, value->length);
}

/* JSON text worth keeping: only what cJSON takes for whole, so that it can be written out again as it is. */
static void take_json(const struct token *value, char **text)
{
    cJSON *whole = cJSON_ParseWithLength(value->bytes, value->length);
    if (whole == NULL)
        return;
    cJSON_Delete(whole);
    free(*text);
    *text = memory_copy_text(value->bytes, value->length);
}

void header_take(struct trace *trace, struct span key, const struct token *value)
{
    struct header *header = &trace->header;
    if (span_is(key, "record_shapes"))
        take_flag(value, &header->has_record_shapes, &header->record_shapes);
    else if (span_is(key, "with_stack"))
        take_flag(value, &header->has_with_stack, &header->with_stack);
    else if (span_is(key, "profile_memory"))
        take_flag(value, &header->has_profile_memory, &header->profile_memory);
    else if (span_is(key, "with_flops"))
        take_flag(value, &header->has_with_flops, &header->with_flops);
    else if (span_is(key, "with_modules"))
        take_flag(value, &header->has_with_modules, &header->with_modules);
    else if (span_is(key, "baseTimeNanoseconds"))
        take_number(value, &header->has_base_time, &header->base_time);
    else if (span_is(key, "distributedInfo") && value->kind == TOKEN_OBJECT)
        take_distributed(header, value);
    else if (span_is(key, "deviceProperties") && value->kind == TOKEN_ARRAY)
        take_json(value, &header->device_properties);
    else if (span_is(key, "trace_id"))
        take_text(value, &header->trace_id);
    else if (span_is(key, "host_name"))
        take_text(value, &header->host_name);
    else if (span_is(key, "traceName"))
        take_text(value, &header->trace_name);
    else if (span_is(key, "schemaVersion"))
        take_text(value, &header->schema_version);
}

void header_init(struct header *header)
{
    *header = (struct header){.rank = -1, .world_size = -1, .window_end = INT64_MIN};
}

void header_free(struct header *header)
{
    free(header->trace_id);
    free(header->host_name);
    free(header->trace_name);
    free(header->schema_version);
    free(header->device_properties);
    free(header->distributed_info);
    header_init(header);
}

static void merge_flag(bool *has, bool *flag, bool other_has, bool other)
{
    if (other_has) {
        *has = true;
        *flag = other;
    }
}

static void merge_text(char **text, const char *other)
{
    if (other != NULL) {
        free(*text);
        *text = memory_copy_text(other, strlen(other));
    }
}

void header_merge(struct header *into, const struct header *from)
{
#define MERGE_FLAG(name) merge_flag(&into->has_##name, &into->name, from->has_##name, from->name);
    MERGE_FLAG(record_shapes)
    MERGE_FLAG(with_stack)
    MERGE_FLAG(profile_memory)
    MERGE_FLAG(with_flops)
    MERGE_FLAG(with_modules)
#undef MERGE_FLAG
    into->array_form |= from->array_form;
    if (from->has_base_time) {
        into->has_base_time = true;
        into->base_time = from->base_time;
    }
    if (from->distributed_info != NULL) {
        into->rank = from->rank;
        into->world_size = from->world_size;
    }
    if (from->window_end != INT64_MIN)
        into->window_end = from->window_end;
    merge_text(&into->trace_id, from->trace_id);
    merge_text(&into->host_name, from->host_name);
    merge_text(&into->trace_name, from->trace_name);
    merge_text(&into->schema_version, from->schema_version);
    merge_text(&into->device_properties, from->device_properties);
    merge_text(&into->distributed_info, from->distributed_info);
}

bool trace_has_memory(const struct trace *trace)
{
    const struct header *header = &trace->header;
    if (header->has_profile_memory)
        return header->profile_memory;
    /* Files with any flag at all say so when memory was profiled; older ones have none of them. */
    for (size_t i = 0; i < trace->memory.count; i++)
        if (!trace->memory.items[i].out_of_memory)
            return !(header->has_record_shapes || header->has_with_stack || header->has_with_flops ||
                     header->has_with_modules);
    return false;
}

const char *trace_use_device(const struct trace *trace)
{
    static const char *const names[BACKEND_COUNT] = {NULL, "cuda", "privateuse1", "hpu", "xpu", "mtia"};
    return names[trace->backend];
}

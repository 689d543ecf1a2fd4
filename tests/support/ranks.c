#include "ranks.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/text.h"
#include "words.h"

cJSON *words_json(const char *words)
{
    return words_json_of(words, NULL, NULL);
}

const cJSON *words_member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

struct rank_set rank_set_ddp(void)
{
    struct rank_set set = {.name = "ddp", .count = 4};
    for (int i = 0; i < set.count; i++) {
        char name[64];
        snprintf(name, sizeof name, "ddp/rank%d/trace.json.gz", i);
        set.paths[i] = strdup(words_sample(name));
    }
    return set;
}

struct rank_set rank_set_dlrm8(void)
{
    struct rank_set set = {.name = "dlrm8", .count = 6};
    for (int i = 0; i < set.count; i++) {
        char name[64];
        snprintf(name, sizeof name, "dlrm8/worker%d.json.gz", i);
        set.paths[i] = strdup(words_shared(name));
    }
    return set;
}

struct rank_set rank_set_sampled(void)
{
    struct rank_set set = {.name = "sampled", .count = 2};
    set.paths[0] = strdup(words_shared("sampled-rank0.json.gz"));
    set.paths[1] = strdup(words_shared("sampled-rank1.json.gz"));
    return set;
}

void rank_set_free(struct rank_set *set)
{
    for (int i = 0; i < RANK_SET_MOST; i++)
        free(set->paths[i]);
}

char *rank_set_words(const char *words, const struct rank_set *set)
{
    struct text text = {0};
    text_add_string(&text, words);
    for (int i = 0; i < set->count; i++)
        text_addf(&text, " %s", set->paths[i]);
    return text.bytes;
}

struct rank_set rank_set_summarised(const struct rank_set *set)
{
    struct rank_set out = {.name = set->name, .count = set->count};
    for (int i = 0; i < set->count; i++) {
        char name[64], words[8192];
        snprintf(name, sizeof name, "%s%d.kavg", set->name, i);
        out.paths[i] = strdup(words_file(name, ""));
        snprintf(words, sizeof words, "--summarise %s %s", out.paths[i], set->paths[i]);
        words_tell(words, 0, NULL, NULL);
    }
    return out;
}

struct rank_set rank_set_merged(const struct rank_set *set)
{
    struct rank_set out = {.name = set->name, .count = 1};
    char name[64], words[8192];
    snprintf(name, sizeof name, "%s-all.kavg", set->name);
    out.paths[0] = strdup(words_file(name, ""));
    snprintf(words, sizeof words, "--summarise %s", out.paths[0]);
    char *all = rank_set_words(words, set);
    words_tell(all, 0, NULL, NULL);
    free(all);
    return out;
}

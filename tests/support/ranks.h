/*
 * Files of many ranks, and what the program says of them as json.
 */
#ifndef SUPPORT_RANKS_H
#define SUPPORT_RANKS_H

#include <cjson/cJSON.h>

enum { RANK_SET_MOST = 8 };

struct rank_set {
    const char *name;
    char *paths[RANK_SET_MOST]; /* owned */
    int count;
};

/* Our own recording, and others, without which the test is skipped. To be freed. */
struct rank_set rank_set_ddp(void);
struct rank_set rank_set_dlrm8(void);
struct rank_set rank_set_sampled(void);
void rank_set_free(struct rank_set *set);

/* Words, then the files of a set. To free(). */
char *rank_set_words(const char *words, const struct rank_set *set);

/* The set's files each as a summary; all of them together as one. */
struct rank_set rank_set_summarised(const struct rank_set *set);
struct rank_set rank_set_merged(const struct rank_set *set);

/* What the program prints with these words, as json; the test fails when it is none. Free with cJSON_Delete. */
cJSON *words_json(const char *words);
const cJSON *words_member(const cJSON *object, const char *name);

#endif

/* What a keystroke in the explorer costs: another grouping, another order, another letter of a filter, each beside the
 * plain loop of columns.c, in turn. Prints a line for each of them: what, rows, median, least and most milliseconds, and
 * the median of its ratio to the loop of the same round. Times are wall clock, or CPU where that is less: on a busy
 * machine waiting does not count, with several threads the sum does not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "columns.h"
#include "keyavg/filter.h"
#include "keyavg/grouping.h"
#include "keyavg/table.h"
#include "measure.h"

enum { TASKS_MAX = 32, ROUNDS_MAX = 101 };

enum task_kind { TASK_LOOP, TASK_GROUP, TASK_SORT, TASK_FILTER };

struct task {
    enum task_kind kind;
    const char *word;
    uint32_t rows;
    double times[ROUNDS_MAX], ratios[ROUNDS_MAX];
};

static struct task tasks[TASKS_MAX] = {{.kind = TASK_LOOP, .word = "loop"}};
static unsigned task_count = 1;

static void fail(const struct error *error)
{
    fprintf(stderr, "regroup: %s\n", error->text);
    exit(1);
}

static void add_task(enum task_kind kind, const char *word)
{
    if (task_count < TASKS_MAX)
        tasks[task_count++] = (struct task){.kind = kind, .word = word};
}

/* -- One task ---------------------------------------------------------------------------------------------------- */

static double since(double wall, double cpu)
{
    wall = measure_wall() - wall;
    cpu = measure_cpu() - cpu;
    return wall < cpu ? wall : cpu;
}

static double run_loop(const struct columns *loop)
{
    static int64_t sum;
    double wall = measure_wall(), cpu = measure_cpu();
    sum += columns_read(loop);
    double time = since(wall, cpu);
    if (sum == INT64_MIN) /* never, but the compiler cannot know */
        puts("");
    return time;
}

static double run_task(struct task *task, struct table *table)
{
    struct query query = table->query;
    struct error error = {0};
    struct filter *filter = NULL;
    double wall = measure_wall(), cpu = measure_cpu();
    switch (task->kind) {
    case TASK_LOOP:
        break;
    case TASK_GROUP:
        if (!grouping_parse(span_of(task->word), &query.grouping, &error))
            fail(&error);
        break;
    case TASK_SORT:
        query.sort = column_find(span_of(task->word));
        if (query.sort == NULL) {
            fprintf(stderr, "regroup: no column %s\n", task->word);
            exit(1);
        }
        break;
    case TASK_FILTER:
        query.filter = filter = filter_parse(span_of(task->word), &error);
        if (filter == NULL)
            fail(&error);
        break;
    }
    table_update(table, &query);
    double time = since(wall, cpu);
    task->rows = table->count;
    if (filter != NULL) { /* back to what the next task begins with */
        query.filter = NULL;
        table_update(table, &query);
        filter_free(filter);
    }
    return time;
}

/* The same grouping or order twice in a row would be no work. */
static void disturb(const struct task *task, struct table *table)
{
    struct query query = table->query;
    if (task->kind == TASK_GROUP)
        query.grouping.parts = query.grouping.parts == GROUP_DEVICE ? GROUP_THREAD : GROUP_DEVICE;
    if (task->kind == TASK_SORT)
        query.sort = NULL;
    table_update(table, &query);
}

/* -- All --------------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_task(struct task *task, unsigned rounds)
{
    static const char *const kinds[] = {"loop", "group", "sort", "filter"};
    qsort(task->times, rounds, sizeof *task->times, by_value);
    qsort(task->ratios, rounds, sizeof *task->ratios, by_value);
    printf("%s\t%s\t%lu\t%.3f\t%.3f\t%.3f\t%.3f\n", kinds[task->kind], task->word, (unsigned long)task->rows,
           task->times[rounds / 2] * 1e3, task->times[0] * 1e3, task->times[rounds - 1] * 1e3, task->ratios[rounds / 2]);
}

static int usage(void)
{
    fprintf(stderr, "usage: regroup [-r ROUNDS] [-n LENGTH] [-g GROUPING]... [-s COLUMN]... [-f FILTER]... TRACE\n"
                    "LENGTH is that of the loop's columns (default: the trace's events); - is standard input.\n"
                    "Orders and filters are those of the first grouping.\n");
    return 2;
}

int main(int argc, char *argv[])
{
    unsigned long rounds = 5, length = 0;
    const char *first = NULL;
    for (int option; (option = getopt(argc, argv, "r:n:g:s:f:")) != -1;) {
        if (option == 'r')
            rounds = strtoul(optarg, NULL, 10);
        else if (option == 'n')
            length = strtoul(optarg, NULL, 10);
        else if (option == '?')
            return usage();
        else
            add_task(option == 'g' ? TASK_GROUP : option == 's' ? TASK_SORT : TASK_FILTER, optarg);
        if (option == 'g' && first == NULL)
            first = optarg;
    }
    if (argc - optind != 1 || rounds < 1 || rounds > ROUNDS_MAX)
        return usage();
    struct error error = {0};
    struct trace *trace = trace_load(argv[optind], NULL, &error);
    if (trace == NULL)
        fail(&error);
    struct query query;
    struct columns loop;
    query_init(&query);
    if (first != NULL && !grouping_parse(span_of(first), &query.grouping, &error))
        fail(&error);
    struct grouping grouping = query.grouping;
    struct table *table = table_build(trace, &query);
    columns_init(&loop, length != 0 ? length : trace->events.count);
    /* The first round warms up: what is found once and kept (steps, phases, modules) is not a keystroke's. */
    for (unsigned round = 0; round <= rounds; round++) {
        unsigned at = round > 0 ? round - 1 : 0;
        double loop_time = run_loop(&loop);
        tasks[0].times[at] = loop_time;
        tasks[0].ratios[at] = 1;
        for (unsigned i = 1; i < task_count; i++) {
            query = table->query;
            query.grouping = grouping;
            if (tasks[i].kind != TASK_GROUP)
                table_update(table, &query);
            disturb(&tasks[i], table);
            tasks[i].times[at] = run_task(&tasks[i], table);
            tasks[i].ratios[at] = tasks[i].times[at] / loop_time;
        }
    }
    printf("events\t\t%lu\n", (unsigned long)trace->events.count);
    for (unsigned i = 0; i < task_count; i++)
        print_task(&tasks[i], (unsigned)rounds);
    columns_free(&loop);
    table_free(table);
    trace_free(trace);
    return 0;
}

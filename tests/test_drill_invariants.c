/*
 * What must hold of every recording under every grouping when somebody drills down: sums are exact, nothing is counted
 * twice or lost, ways lead back. Each figure is made a second time here, by the plainest way there is.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/calls.h"
#include "keyavg/calltree.h"
#include "keyavg/focus.h"
#include "keyavg/kernels.h"
#include "keyavg/module_tree.h"
#include "keyavg/phase.h"
#include "keyavg/steps.h"
#include "support/render.h"
#include "support/skip.h"
#include "support/traces.h"

static const struct grouping groupings[] = {
    {GROUP_NAME, 0, false, PYTHON_AS_ROWS},
    {GROUP_NAME | GROUP_SHAPE, 0, false, PYTHON_IN_TREE},
    {GROUP_NAME | GROUP_OVERLOAD | GROUP_SHAPE | GROUP_DTYPE, 0, true, PYTHON_AS_ROWS},
    {GROUP_NAME | GROUP_STACK, 3, false, PYTHON_IN_TREE},
    {GROUP_NAME | GROUP_SHAPE | GROUP_STACK, 5, false, PYTHON_AS_ROWS},
    {GROUP_NAME | GROUP_THREAD | GROUP_STEP, 0, false, PYTHON_AS_ROWS},
    {GROUP_NAME | GROUP_SCOPE | GROUP_MODULE, 0, false, PYTHON_IN_TREE},
    {GROUP_NAME | GROUP_DEVICE, 0, false, PYTHON_LEFT_OUT},
    {GROUP_SCOPE, 0, false, PYTHON_AS_ROWS},
    {GROUP_MODULE | GROUP_THREAD, 0, false, PYTHON_AS_ROWS},
};

enum { GROUPINGS = sizeof groupings / sizeof *groupings, FOCUSED_MAX = 40, UNFOLDED_MAX = 3000 };

/* One recording with what is asked of it. */
struct subject {
    const char *path;
    struct trace *trace;
    struct tree *tree;
    struct averages *averages; /* all rows, as the grouping has them */
    struct keys *keys;
    const struct grouping *grouping;
};

static bool is_node(const struct tree *tree, uint32_t e)
{
    return tree->state[e] == STATE_ROW && !event_on_device(tree->trace, e);
}

static bool is_work(const struct tree *tree, uint32_t e)
{
    return tree->state[e] == STATE_ROW && event_on_device(tree->trace, e) &&
           event_kind(tree->trace, e) != KIND_DEVICE_ANNOTATION;
}

static bool is_async(const struct trace *trace, uint32_t e)
{
    return !event_on_device(trace, e) && (trace->events.flags[e] & EVENT_ASYNC) != 0;
}

static int64_t cpu_of(const struct trace *trace, uint32_t e)
{
    return event_on_device(trace, e) ? 0 : trace->events.duration[e];
}

/* The nearest event of a set above another. */
static uint32_t above_in(const struct tree *tree, const uint64_t *set, uint32_t e)
{
    uint32_t above = tree->parent[e];
    while (above != NO_EVENT && !(set[above / 64] >> above % 64 & 1))
        above = tree->parent[above];
    return above;
}

/* -- Keys -------------------------------------------------------------------------------------------------------- */

/* Rows and keys part the events in the same way. */
static void check_keys(const struct subject *subject)
{
    const struct averages *averages = subject->averages;
    const struct keys *keys = subject->keys;
    uint32_t *key_of = malloc((averages->count + 1) * sizeof *key_of),
             *row_of = malloc((keys->count + 1) * sizeof *row_of);
    memset(key_of, 0xFF, (averages->count + 1) * sizeof *key_of);
    memset(row_of, 0xFF, (keys->count + 1) * sizeof *row_of);
    for (uint32_t e = 0; e < subject->tree->count; e++) {
        uint32_t row = averages->row_of[e], key = keys->of[e];
        cr_assert_eq(key == NO_EVENT, subject->tree->state[e] != STATE_ROW, "%s: event %u", subject->path, e);
        if (row == NO_EVENT)
            continue;
        if (key_of[row] == NO_EVENT && row_of[key] == NO_EVENT) {
            key_of[row] = key;
            row_of[key] = row;
            cr_expect_eq(keys->first[key], averages->rows[row].first, "%s: first of key %u", subject->path, key);
        }
        cr_assert(key_of[row] == key && row_of[key] == row, "%s: event %u is in row %u, key %u", subject->path, e, row,
                  key);
    }
    free(key_of);
    free(row_of);
}

/* -- Focus ------------------------------------------------------------------------------------------------------- */

static void sum_side(const struct focus_row *rows, uint32_t count, int64_t *cpu, int64_t *device, uint64_t *calls)
{
    *cpu = *device = 0;
    *calls = 0;
    for (uint32_t i = 0; i < count; i++) {
        *cpu += rows[i].cpu;
        *device += rows[i].device;
        *calls += rows[i].kind == FOCUS_SELF || rows[i].kind == FOCUS_ASYNC ? 0 : rows[i].calls;
        cr_assert(i == 0 || rows[i - 1].cpu >= rows[i].cpu);
    }
}

static void check_focus_sums(const struct subject *subject, const struct focus *focus, uint32_t row)
{
    const struct average *average = &subject->averages->rows[row];
    int64_t cpu, device;
    uint64_t calls;
    cr_expect_eq(focus->calls, average->count, "%s: row %u", subject->path, row);
    cr_expect_eq(focus->cpu_total, average->cpu_time_total, "%s: row %u", subject->path, row);
    cr_expect_eq(focus->self_cpu, average->self_cpu_time_total, "%s: row %u", subject->path, row);
    cr_expect_eq(focus->device_total, average->device_time_total, "%s: row %u", subject->path, row);
    cr_expect_eq(focus->self_device, average->self_device_time_total, "%s: row %u", subject->path, row);
    sum_side(focus->callers, focus->caller_count, &cpu, &device, &calls);
    cr_expect(cpu == focus->cpu_total && device == focus->device_total && calls == focus->calls,
              "%s: callers of row %u: %lld of %lld", subject->path, row, (long long)cpu, (long long)focus->cpu_total);
    sum_side(focus->callees, focus->callee_count, &cpu, &device, &calls);
    cr_expect(cpu == focus->cpu_total && device == focus->device_total, "%s: callees of row %u: %lld of %lld",
              subject->path, row, (long long)cpu, (long long)focus->cpu_total);
}

/* Each caller and callee once more, from the lists of children. */
static void check_focus_rows(const struct subject *subject, const struct focus *focus, const uint32_t *calls,
                             uint32_t count)
{
    const struct tree *tree = subject->tree;
    const struct keys *keys = subject->keys;
    int64_t *given = calloc(keys->count + 1, sizeof *given), *taken = calloc(keys->count + 1, sizeof *taken);
    for (uint32_t i = 0; i < count; i++) {
        if (event_on_device(tree->trace, calls[i]))
            continue;
        uint32_t parent = tree->parent[calls[i]];
        given[parent != NO_EVENT ? keys->of[parent] : keys->count] += cpu_of(tree->trace, calls[i]);
        for (uint32_t c = tree->child_first[calls[i]]; c < tree->child_first[calls[i] + 1]; c++)
            taken[keys->of[tree->children[c]]] += cpu_of(tree->trace, tree->children[c]);
    }
    for (uint32_t i = 0; i < focus->caller_count; i++) {
        const struct focus_row *row = &focus->callers[i];
        if (row->kind == FOCUS_KEY && event_on_device(tree->trace, calls[0]))
            continue;
        if (row->kind == FOCUS_KEY || row->kind == FOCUS_TOP_LEVEL)
            cr_expect_eq(row->cpu, given[row->kind == FOCUS_KEY ? row->key : keys->count], "%s: a caller",
                         subject->path);
    }
    for (uint32_t i = 0; i < focus->callee_count; i++)
        if (focus->callees[i].kind == FOCUS_KEY)
            cr_expect_eq(focus->callees[i].cpu, taken[focus->callees[i].key], "%s: a callee", subject->path);
    free(given);
    free(taken);
}

static void check_focus(const struct subject *subject)
{
    struct averages *averages = subject->averages;
    averages_need_calls(averages);
    tree_need_children(subject->tree);
    uint32_t step = averages->count / FOCUSED_MAX + 1;
    for (uint32_t row = 0; row < averages->count; row += step) {
        const uint32_t *calls = averages->calls + averages->call_first[row];
        uint32_t count = averages->rows[row].count;
        struct focus *focus = focus_build(subject->keys, calls, count, false);
        check_focus_sums(subject, focus, row);
        check_focus_rows(subject, focus, calls, count);
        cr_expect_eq(focus->folded_cpu, 0);
        focus_free(focus);
        focus = focus_build(subject->keys, calls, count, true);
        check_focus_sums(subject, focus, row);
        focus_free(focus);
    }
}

/* -- Call trees -------------------------------------------------------------------------------------------------- */

/* Figures by key. */
struct sums {
    uint64_t calls;
    int64_t total, self, device_total, self_device;
};

static void check_tree_totals(const struct subject *subject, const struct calltree *calltree)
{
    const struct keys *keys = subject->keys;
    const struct averages *averages = subject->averages;
    struct sums *sums = calloc(keys->count + 1, sizeof *sums);
    for (uint32_t n = 1; n < calltree->count; n++) {
        const struct calltree_node *node = &calltree->nodes[n];
        struct sums *sum = &sums[node->kind == CALLTREE_KEY ? node->key : keys->count];
        sum->calls += node->calls;
        sum->total += node->total;
        sum->self += node->self;
        sum->device_total += node->device_total;
        sum->self_device += node->self_device;
    }
    for (uint32_t row = 0; row < averages->count; row++) {
        const struct average *average = &averages->rows[row];
        const struct sums *sum = &sums[keys->of[average->first]];
        if (event_on_device(subject->trace, average->first))
            continue;
        cr_expect(sum->calls == average->count && sum->total == average->cpu_time_total &&
                      sum->self == average->self_cpu_time_total && sum->device_total == average->device_time_total &&
                      sum->self_device == average->self_device_time_total,
                  "%s: row %u: total %lld, in the tree %lld", subject->path, row, (long long)average->cpu_time_total,
                  (long long)sum->total);
    }
    free(sums);
}

/* Every node's total is its own time and its children's; siblings are sorted, and told their places. */
static void check_nodes(const struct subject *subject, struct calltree *calltree)
{
    int64_t *async = calloc(calltree->count, sizeof *async);
    for (uint32_t e = 0; e < subject->tree->count; e++)
        if (calltree->node_of[e] != NO_EVENT && is_async(subject->trace, e))
            async[calltree->node_of[e]] += subject->trace->events.duration[e];
    uint32_t met = 0;
    for (uint32_t n = 0; n < calltree->count; n++) {
        const struct calltree_node *node = &calltree->nodes[n];
        int64_t total = node->self + async[n], device = node->self_device;
        uint32_t count;
        const uint32_t *children = calltree_children(calltree, n, &count);
        for (uint32_t i = 0; i < count; i++) {
            const struct calltree_node *child = &calltree->nodes[children[i]];
            total += child->total;
            device += child->device_total;
            cr_assert(child->parent == n && child->place == i && child->depth == node->depth + 1);
            cr_assert(i == 0 || calltree->nodes[children[i - 1]].total >= child->total);
        }
        met += count;
        cr_expect(total == node->total && device == node->device_total, "%s: node %u: %lld, its parts %lld",
                  subject->path, n, (long long)node->total, (long long)total);
    }
    cr_expect_eq(met, calltree->count - 1);
    free(async);
}

static int64_t file_device_time(const struct tree *tree)
{
    int64_t sum = 0;
    for (uint32_t e = 0; e < tree->count; e++)
        if (is_work(tree, e))
            sum += tree->trace->events.duration[e];
    return sum;
}

/* Bottom up: the children share out all of a node, over some thousand nodes. */
static void check_turned(const struct subject *subject, const struct calltree *down)
{
    struct calltree *up = calltree_turn(down);
    uint32_t node = 0, seen = 0;
    for (; node != NO_EVENT && seen < UNFOLDED_MAX; node = calltree_next(up, node, true), seen++) {
        struct sums sum = {0};
        uint32_t count;
        const uint32_t *children = calltree_children(up, node, &count);
        for (uint32_t i = 0; i < count; i++) {
            const struct calltree_node *child = &up->nodes[children[i]];
            sum.calls += child->calls;
            sum.total += child->total;
            sum.self += child->self;
            sum.self_device += child->self_device;
        }
        const struct calltree_node *at = &up->nodes[node];
        if (node == 0)
            sum.total = at->total; /* the keys' totals hold each other */
        cr_expect(count == 0 || (sum.calls == at->calls && sum.total == at->total && sum.self == at->self &&
                                 sum.self_device == at->self_device),
                  "%s: node %u: %lld, its callers %lld", subject->path, node, (long long)at->total,
                  (long long)sum.total);
    }
    const struct averages *averages = subject->averages;
    uint32_t count;
    const uint32_t *children = calltree_children(up, 0, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = averages->row_of[subject->keys->first[up->nodes[children[i]].key]];
        if (row == NO_EVENT || event_on_device(subject->trace, averages->rows[row].first))
            continue;
        cr_expect_eq(up->nodes[children[i]].self, averages->rows[row].self_cpu_time_total, "%s: row %u", subject->path,
                     row);
        cr_expect_eq(up->nodes[children[i]].calls, averages->rows[row].count, "%s: row %u", subject->path, row);
        cr_expect_eq(up->nodes[children[i]].total, averages->rows[row].cpu_time_total, "%s: row %u", subject->path,
                     row);
    }
    calltree_free(up);
}

static int64_t sum_of_self(const struct calltree *calltree)
{
    int64_t sum = 0;
    for (uint32_t n = 0; n < calltree->count; n++)
        sum += calltree->nodes[n].self;
    return sum;
}

static void check_calltree(const struct subject *subject)
{
    struct calltree *calltree = calltree_build(subject->keys, NULL, false);
    struct calltree *folded = calltree_build(subject->keys, NULL, true);
    check_tree_totals(subject, calltree);
    check_nodes(subject, calltree);
    check_nodes(subject, folded);
    cr_expect_eq(calltree->nodes[0].device_total, file_device_time(subject->tree), "%s", subject->path);
    cr_expect_eq(folded->nodes[0].device_total, calltree->nodes[0].device_total, "%s", subject->path);
    cr_expect_eq(folded->nodes[0].total, calltree->nodes[0].total, "%s", subject->path);
    cr_expect_eq(sum_of_self(folded), sum_of_self(calltree), "%s: folding lost time", subject->path);
    cr_expect_leq(folded->count, calltree->count);
    check_turned(subject, calltree);
    uint32_t walked = 0;
    for (uint32_t node = 0; node != NO_EVENT; node = calltree_next(calltree, node, true))
        walked++;
    cr_expect_eq(walked, calltree->count, "%s", subject->path);
    calltree_free(folded);
    calltree_free(calltree);
}

/* The tree of a set of calls: half of one row's. */
static void check_chosen(const struct subject *subject)
{
    struct averages *averages = subject->averages;
    if (averages->count == 0)
        return;
    uint32_t row = averages->count / 2, count = (averages->rows[row].count + 1) / 2;
    uint64_t *set = keys_select_events(subject->tree, averages->calls + averages->call_first[row], count);
    struct calltree *calltree = calltree_build(subject->keys, set, false);
    check_nodes(subject, calltree);
    uint64_t chosen = 0;
    for (uint32_t n = 1; n < calltree->count; n++)
        chosen += calltree->nodes[n].chosen;
    if (!event_on_device(subject->trace, averages->rows[row].first))
        cr_expect_eq(chosen, count, "%s: %llu of %u calls are in the tree", subject->path, (unsigned long long)chosen,
                     count);
    /* The outermost of the calls make up the whole. */
    int64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t e = averages->calls[averages->call_first[row] + i];
        total += above_in(subject->tree, set, e) == NO_EVENT ? cpu_of(subject->trace, e) : 0;
    }
    cr_expect_eq(calltree->nodes[0].total, total, "%s: row %u", subject->path, row);
    free(set);
    calltree_free(calltree);
}

/* -- Kernels, pairs, phases, modules ----------------------------------------------------------------------------- */

static void check_kernel_rows(const struct subject *subject, const struct kernels *kernels)
{
    int64_t total = 0, own = 0;
    for (uint32_t i = 0; i < kernels->count; i++) {
        const struct kernel_row *row = &kernels->rows[i];
        int64_t sum = 0, most = 0, least = INT64_MAX;
        uint32_t at_most = 0;
        for (uint32_t j = 0; j < row->count; j++) {
            int64_t duration = subject->trace->events.duration[kernels->events[row->first + j]];
            sum += row->kind == KERNEL_MISSING ? 0 : duration;
            most = duration > most ? duration : most;
            least = duration < least ? duration : least;
            at_most += duration <= row->p90;
        }
        cr_expect(sum == row->total && most == row->max && least == row->min, "%s: kernel row %u", subject->path, i);
        cr_expect_geq(at_most * UINT64_C(100), row->count * UINT64_C(90), "%s: kernel row %u: p90", subject->path, i);
        cr_expect_leq(row->own, row->total);
        total += row->counted ? row->total : 0;
        own += row->counted ? row->own : 0;
    }
    cr_expect(total == kernels->total && own == kernels->own, "%s", subject->path);
}

static void check_kernels(const struct subject *subject)
{
    struct averages *averages = subject->averages;
    struct tree *tree = subject->tree;
    struct kernels *kernels = kernels_of_file(tree);
    kernels_measure(tree, kernels);
    check_kernel_rows(subject, kernels);
    cr_expect_eq(kernels->total, file_device_time(tree), "%s: %lld", subject->path, (long long)kernels->total);
    kernels_free(kernels);
    uint32_t step = averages->count / FOCUSED_MAX + 1;
    for (uint32_t row = 0; row < averages->count && tree->has_device_time; row += step) {
        const uint32_t *calls = averages->calls + averages->call_first[row];
        if (event_on_device(subject->trace, calls[0]))
            continue;
        kernels = kernels_of_calls(tree, calls, averages->rows[row].count);
        kernels_measure(tree, kernels);
        check_kernel_rows(subject, kernels);
        cr_expect_eq(kernels->own, averages->rows[row].self_device_time_total, "%s: row %u", subject->path, row);
        /* Each device event once: those of the calls that are in no other call of the row. */
        int64_t total = 0;
        uint64_t *set = keys_select_events(tree, calls, averages->rows[row].count);
        for (uint32_t i = 0; i < averages->rows[row].count; i++)
            total += above_in(tree, set, calls[i]) == NO_EVENT ? amounts_get(&tree->device_total, calls[i]) : 0;
        cr_expect_eq(kernels->total, total, "%s: row %u", subject->path, row);
        free(set);
        kernels_free(kernels);
    }
}

static void check_pair_rows(const struct subject *subject)
{
    const struct pairs *pairs = tree_pairs(subject->tree);
    struct pair_rows *rows = pairs_group(subject->keys, NULL);
    uint32_t count = 0, open = 0;
    int64_t backward = 0, want = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        count += rows->rows[i].pairs;
        open += rows->rows[i].forward_only;
        backward += rows->rows[i].backward_cpu + rows->rows[i].backward_only_cpu;
    }
    for (uint32_t e = 0; e < subject->tree->count; e++)
        if (pairs->side[e] == PAIR_BACKWARD)
            want += subject->trace->events.duration[e];
    cr_expect(count == pairs->count && open == pairs->open_count && backward == want, "%s: %u pairs of %u",
              subject->path, count, pairs->count);
    pair_rows_free(rows);
}

/* All phases together are the whole, and so are all steps. */
static void check_phases(const struct subject *subject)
{
    const uint8_t *phase = tree_phases(subject->tree);
    int64_t self[PHASE_COUNT] = {0}, sum = 0, whole = 0;
    uint32_t *all = malloc((subject->tree->count + 1) * sizeof *all), count = 0;
    for (uint32_t e = 0; e < subject->tree->count; e++) {
        if (subject->tree->state[e] != STATE_ROW)
            continue;
        cr_assert_lt(phase[e], PHASE_COUNT);
        self[phase[e]] += amounts_get(&subject->tree->self_cpu, e);
        whole += amounts_get(&subject->tree->self_cpu, e);
        all[count++] = e;
    }
    for (int i = 0; i < PHASE_COUNT; i++)
        sum += self[i];
    cr_expect_eq(sum, whole, "%s", subject->path);
    if (subject->grouping->parts == GROUP_SCOPE) {
        int64_t rows = 0;
        for (uint32_t row = 0; row < subject->averages->count; row++)
            rows += subject->averages->rows[row].self_cpu_time_total;
        cr_expect_eq(rows, whole, "%s: phases sum to %lld of %lld", subject->path, (long long)rows, (long long)whole);
    }
    struct step_sum *steps = calls_by_step(subject->tree, all, count);
    uint32_t in_steps = 0, in_classes = 0, classes[20];
    for (uint32_t i = 0; i <= tree_steps(subject->tree)->count; i++)
        in_steps += steps[i].calls;
    cr_expect_eq(in_steps, count, "%s", subject->path);
    struct call_histogram histogram = calls_histogram(subject->trace, all, count, classes, 20);
    for (unsigned i = 0; i < 20; i++) {
        in_classes += classes[i];
        cr_expect_leq(classes[i], histogram.most);
    }
    cr_expect_eq(in_classes, count, "%s", subject->path);
    free(steps);
    free(all);
}

static void check_modules(const struct subject *subject, bool by_class)
{
    const struct tree *tree = subject->tree;
    struct module_tree *modules = module_tree_build(subject->tree, by_class);
    int64_t self_cpu = 0, self_device = 0, want_cpu = 0, want_device = 0;
    uint32_t pairs = 0, listed = 0;
    for (uint32_t n = 0; n < modules->count; n++) {
        const struct module_node *node = &modules->nodes[n];
        self_cpu += node->forward.self_cpu + node->backward.self_cpu;
        self_device += node->forward.self_device + node->backward.self_device;
        pairs += node->pairs;
        int64_t cpu = node->forward.self_cpu, device = node->backward.self_device;
        for (uint32_t i = 0; i < node->child_count; i++, listed++) {
            const struct module_node *child = &modules->nodes[modules->children[node->child_first + i]];
            cr_assert_eq(child->parent, n);
            cpu += child->forward.cpu;
            device += child->backward.device;
        }
        cr_expect(cpu == node->forward.cpu && device == node->backward.device, "%s: module %u", subject->path, n);
    }
    for (uint32_t e = 0; e < tree->count; e++) {
        want_cpu += is_node(tree, e) ? amounts_get(&tree->self_cpu, e) : 0;
        want_device += is_work(tree, e) && tree->owner[e] != NO_EVENT ? tree->trace->events.duration[e] : 0;
    }
    cr_expect(self_cpu == want_cpu && self_device == want_device, "%s: modules have %lld of %lld", subject->path,
              (long long)self_cpu, (long long)want_cpu);
    cr_expect_eq(pairs, tree_pairs(subject->tree)->count, "%s", subject->path);
    cr_expect_eq(listed, modules->count - 1, "%s", subject->path);
    module_tree_free(modules);
}

/* -- All recordings ---------------------------------------------------------------------------------------------- */

static void check_trace(const char *path)
{
    struct subject subject = {.path = support_short_path(path), .trace = support_trace_file(path)};
    for (unsigned i = 0; i < GROUPINGS; i++) {
        bool without_python = groupings[i].python == PYTHON_LEFT_OUT;
        if (subject.tree == NULL || subject.tree->without_python != without_python) {
            tree_free(subject.tree);
            subject.tree = tree_build(subject.trace, without_python);
        }
        subject.grouping = &groupings[i];
        subject.averages = averages_build(subject.tree, &groupings[i], NULL);
        subject.keys = keys_build(subject.tree, &groupings[i]);
        check_keys(&subject);
        check_focus(&subject);
        check_calltree(&subject);
        check_chosen(&subject);
        check_kernels(&subject);
        check_pair_rows(&subject);
        check_phases(&subject);
        check_modules(&subject, i % 2 == 1);
        averages_free(subject.averages);
        keys_free(subject.keys);
    }
    tree_free(subject.tree);
    trace_free(subject.trace);
}

static void check_folder(const char *folder, bool all)
{
    struct support_traces traces = support_traces_below(folder, all);
    for (unsigned i = 0; i < traces.count; i++)
        check_trace(traces.paths[i]);
    support_traces_free(&traces);
}

Test(drill_invariants, samples, .timeout = 600)
{
    check_folder(support_samples_dir(), false);
}

Test(drill_invariants, traces, .timeout = 600)
{
    char folder[4200];
    snprintf(folder, sizeof folder, "%s/traces", support_need_shared());
    check_folder(folder, true);
}

/* The columns that only drills have. */
#include "keyavg/drill.h"

/* What a table of averages shows in them: nothing. */
static void unknown(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)table, (void)row, (void)scratch;
    *out = (struct value){.kind = VALUE_UNKNOWN, .over = 1};
}

#define SUMMABLE .summable = true, .value = unknown
#define PLAIN .value = unknown

const struct column drill_columns[] = {
    {"side", NULL, "Side", "In a view of two traces, the one that the row is of: base or new.", UNIT_TEXT, NEED_TWO, 4,
     PLAIN},
    {"part", NULL, "Part", "What the row is to the one in focus: caller, row, callee or kernel.", UNIT_TEXT,
     NEED_NOTHING, 8, PLAIN},
    {"cpu_share", NULL, "of it", "Share of the CPU total of the row in focus, or of the whole tree.", UNIT_SHARE,
     NEED_NOTHING, 8, PLAIN},
    {"device_share", NULL, "of %D", "Share of the device total of the row in focus, or of the whole tree.", UNIT_SHARE,
     NEED_DEVICE, 8, PLAIN},
    {"event", NULL, "Event", "Number of the event in list order: by start, the longer first.", UNIT_NUMBER,
     NEED_NOTHING, 9, PLAIN},
    {"call", NULL, "Call", "Number of the call in order of time, from 1.", UNIT_NUMBER, NEED_NOTHING, 7, PLAIN},
    {"start", NULL, "Start", "When the call started, since the first event of the recording.", UNIT_TIME, NEED_NOTHING,
     11, PLAIN},
    {"duration", NULL, "Duration", "How long the call took; what ended on another thread took until there.", UNIT_TIME,
     NEED_NOTHING, 10, SUMMABLE},
    {"launch_delay", NULL, "Delay", "Start on the device less the end of the call that launched it.", UNIT_TIME,
     NEED_DEVICE, 10, PLAIN},
    {"caller", NULL, "Caller", "Name of what called the call.", UNIT_TEXT, NEED_NOTHING, 24, PLAIN},
    {"depth", NULL, "Depth", "How deep the node is in its tree, from 0.", UNIT_NUMBER, NEED_NOTHING, 5, PLAIN},
    {"path", NULL, "Path", "Names from the root to the node, separated by semicolons.", UNIT_TEXT, NEED_NOTHING, 60,
     PLAIN},
    {"own_device_time", NULL, "Own", "Device time of the events whose op is a call of the row itself.", UNIT_TIME,
     NEED_DEVICE, 10, SUMMABLE},
    {"delay_mean", NULL, "Delay avg", "Start on the device less the end of the launching call, on average.", UNIT_TIME,
     NEED_DEVICE, 10, PLAIN},
    {"delay_max", NULL, "Delay max", "The longest of these delays.", UNIT_TIME, NEED_DEVICE, 10, PLAIN},
    {"link", NULL, "Link", "How the op was found: link (torch's own, which figures use), correlation, or around.",
     UNIT_TEXT, NEED_NOTHING, 11, PLAIN},
    {"grid", NULL, "Grid", "Blocks of the first launch, as recorded.", UNIT_TEXT, NEED_DEVICE, 14, PLAIN},
    {"block", NULL, "Block", "Threads of a block of the first launch, as recorded.", UNIT_TEXT, NEED_DEVICE, 14, PLAIN},
    {"registers", NULL, "Regs", "Registers per thread of the first launch, as recorded.", UNIT_TEXT, NEED_DEVICE, 5,
     PLAIN},
    {"shared_memory", NULL, "Shared", "Shared memory of a block of the first launch, as recorded.", UNIT_TEXT,
     NEED_DEVICE, 8, PLAIN},
    {"occupancy", NULL, "Occup.", "Estimated achieved occupancy of the first launch in per cent, as recorded.",
     UNIT_TEXT, NEED_DEVICE, 6, PLAIN},
    {"graph", NULL, "Graph", "CUDA graph and node of the first launch, as recorded.", UNIT_TEXT, NEED_DEVICE, 8, PLAIN},
    {"pairs", NULL, "Pairs", "Forward ops with a backward op.", UNIT_COUNT, NEED_NOTHING, 7, SUMMABLE},
    {"forward_cpu", NULL, "Fwd CPU", "CPU total of the forward side; of pairs, of those with both ends.", UNIT_TIME,
     NEED_NOTHING, 10, SUMMABLE},
    {"forward_device", NULL, "Fwd %D", "Device total of the forward side.", UNIT_TIME, NEED_DEVICE, 10, SUMMABLE},
    {"backward_cpu", NULL, "Bwd CPU", "CPU total of the backward side.", UNIT_TIME, NEED_NOTHING, 10, SUMMABLE},
    {"backward_device", NULL, "Bwd %D", "Device total of the backward side.", UNIT_TIME, NEED_DEVICE, 10, SUMMABLE},
    {"backward_ratio", NULL, "Bwd/Fwd",
     "How many times as long the backward side takes, on the device where it has time.", UNIT_FACTOR, NEED_NOTHING, 8,
     PLAIN},
    {"forward_only", NULL, "No bwd", "Forward ops without backward.", UNIT_COUNT, NEED_NOTHING, 7, SUMMABLE},
    {"backward_only", NULL, "No fwd", "Backward ops without a forward op.", UNIT_COUNT, NEED_NOTHING, 7, SUMMABLE},
    {"forward_only_cpu", NULL, "No bwd CPU", "CPU total of the forward ops without backward.", UNIT_TIME, NEED_NOTHING,
     10, SUMMABLE},
    {"backward_only_cpu", NULL, "No fwd CPU", "CPU total of the backward ops without a forward op.", UNIT_TIME,
     NEED_NOTHING, 10, SUMMABLE},
    {"forward_only_device", NULL, "No bwd %D", "Device total of the forward ops without backward.", UNIT_TIME,
     NEED_DEVICE, 11, SUMMABLE},
    {"backward_only_device", NULL, "No fwd %D", "Device total of the backward ops without a forward op.", UNIT_TIME,
     NEED_DEVICE, 11, SUMMABLE},
    {"forward_self_cpu", NULL, "Fwd self", "Forward CPU time that is in no module inside this one.", UNIT_TIME,
     NEED_NOTHING, 10, SUMMABLE},
    {"backward_self_cpu", NULL, "Bwd self", "Backward CPU time that is in no module inside this one.", UNIT_TIME,
     NEED_NOTHING, 10, SUMMABLE},
    {"recomputed", NULL, "Again", "Calls of the module's forward inside backward.", UNIT_COUNT, NEED_NOTHING, 6,
     SUMMABLE},
    {"member", NULL, "Member", "A member of the event as the file has it, or a link of it.", UNIT_TEXT, NEED_NOTHING,
     24, PLAIN},
    {"content", NULL, "Value", "Its value, unchanged.", UNIT_TEXT, NEED_NOTHING, 60, PLAIN},
    {"found", NULL, "Found", "What was found, or what a line of an explanation adds, as people read it.", UNIT_TEXT,
     NEED_NOTHING, 11, PLAIN},
    {"state", NULL, "State", "ok, missing (not recorded), note (to be known), fault (numbers are wrong or lost).",
     UNIT_TEXT, NEED_NOTHING, 7, PLAIN},
    {"advice", NULL, "What it means", "What it means, or which argument of the profiler would have recorded it.",
     UNIT_TEXT, NEED_NOTHING, 100, PLAIN},
    {"section", NULL, "Section", "What the fact is about: recorded, file, links, calls, time, rules.", UNIT_TEXT,
     NEED_NOTHING, 9, PLAIN},
    {"check", NULL, "Check", "The fact's name for programs.", UNIT_TEXT, NEED_NOTHING, 30, PLAIN},
    {"amount", NULL, "Amount", "The same as a number, in the column unit; shares in per cent.", UNIT_NUMBER,
     NEED_NOTHING, 14, PLAIN},
    {"unit", NULL, "Unit", "What the amount counts: ns, percent, count or number, bytes, flag (1 yes, 0 no), factor.",
     UNIT_TEXT, NEED_NOTHING, 7, PLAIN},
    {"events", NULL, "Events", "How many events the row is about; Enter leads to them.", UNIT_COUNT, NEED_NOTHING, 8,
     PLAIN},
    {"term", NULL, "Term", "What the line is to the cell: is, plus, minus, over, left out, note.", UNIT_TEXT,
     NEED_NOTHING, 9, PLAIN},
    {"offset", NULL, "Offset", "Where the first one stands: bytes from the start of the unpacked file.", UNIT_NUMBER,
     NEED_NOTHING, 12, PLAIN},
    {"line", NULL, "Line", "The line of that place, from 1.", UNIT_NUMBER, NEED_NOTHING, 9, PLAIN},
};
const unsigned drill_column_count = sizeof drill_columns / sizeof drill_columns[0];

void drill_column_add_views(const struct column *column, struct text *out)
{
    unsigned kinds = drill_column_kinds(column);
    bool of_drills = column >= drill_columns && column < drill_columns + drill_column_count;
    const char *before = of_drills ? " Views: " : " Views: table, ";
    for (int kind = DRILL_FOCUS; kind < DRILL_KINDS; kind++) {
        if (!(kinds >> kind & 1))
            continue;
        text_addf(out, "%s%s", before, drill_kinds[kind].name);
        before = ", ";
    }
    if (kinds != 0)
        text_add_char(out, '.');
}

const struct column *drill_column_find(struct span name)
{
    for (unsigned i = 0; i < drill_column_count; i++)
        if (span_is(name, drill_columns[i].name))
            return &drill_columns[i];
    return NULL;
}

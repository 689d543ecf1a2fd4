/* Where one event belongs, as cells. */
#include "drill_ops.h"
#include "keyavg/phase.h"
#include "keyavg/steps.h"

void drill_set_thread(const struct drill *drill, uint32_t event, struct value *out, struct text *scratch)
{
    const struct trace *trace = drill->trace;
    if (event_on_device(trace, event)) {
        drill_set_lane(drill, event, out, scratch);
        return;
    }
    const struct thread *thread = &trace->threads.items[tree_thread(drill->tree, event)];
    text_add_span(scratch, strings_get(&trace->strings, thread->pid));
    text_add_char(scratch, '/');
    text_add_span(scratch, strings_get(&trace->strings, thread->tid));
    set_text(out, text_span(scratch));
}

void drill_set_step(const struct drill *drill, uint32_t event, struct value *out, struct text *scratch)
{
    const struct steps *steps = tree_steps(drill->tree);
    if (steps->count == 0)
        return;
    if (steps->of[event] == 0)
        text_add_string(scratch, "[no step]");
    else
        text_addf(scratch, "step %lld", (long long)steps->numbers[steps->of[event] - 1]);
    set_text(out, text_span(scratch));
}

void drill_set_phase(const struct drill *drill, uint32_t event, struct value *out)
{
    set_text(out, span_of(phase_name((enum phase)tree_phases(drill->tree)[event])));
}

void drill_set_shapes(const struct drill *drill, uint32_t event, struct value *out)
{
    const struct inputs *inputs = &drill->trace->inputs.items[drill->trace->events.inputs[event]];
    if (inputs->dims != 0)
        set_text(out, strings_get(&drill->trace->strings, inputs->dims));
}

void drill_set_lane(const struct drill *drill, uint32_t event, struct value *out, struct text *scratch)
{
    const struct trace *trace = drill->trace;
    const struct lane *lane = &trace->lanes.items[event_on_device(trace, event) ? trace->events.place[event] : 0];
    text_add_string(scratch, event_on_device(trace, event) ? table_device_name(drill->table) : "CPU");
    if (event_on_device(trace, event) && lane->device >= 0)
        text_addf(scratch, " %d", (int)lane->device);
    if (event_on_device(trace, event) && lane->stream != 0) {
        text_add_string(scratch, " stream ");
        text_add_span(scratch, strings_get(&trace->strings, lane->stream));
    }
    set_text(out, text_span(scratch));
}

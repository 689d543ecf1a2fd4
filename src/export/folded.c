/* Folded stacks of the call tree, as flame graph tools take them: `a;b;c 1234`, in ns. */
#include <stdlib.h>

#include "keyavg/drill.h"
#include "keyavg/utf8.h"
#include "keyavg/writer.h"

bool folded_write_sheet(const struct sheet *sheet, const struct writer_options *options, struct sink *sink)
{
    const struct column *path = column_find(span_of("path"));
    struct text out = {0}, scratch = {0};
    bool taken = true;
    for (uint32_t i = 0; i < sheet->count && taken; i++) {
        struct value amount, name;
        sheet->value(sheet->context, i, options->metric, &amount, &scratch);
        /* Negative self times, which overlapping events can have, are no width. */
        if (amount.kind != VALUE_INTEGER || amount.integer <= 0)
            continue;
        sheet->value(sheet->context, i, path, &name, &scratch);
        if (name.kind != VALUE_TEXT || name.text.length == 0)
            continue;
        utf8_add_clean(&out, name.text, false);
        text_addf(&out, " %lld\n", (long long)amount.integer);
        taken = writer_flush(sink, &out, false);
    }
    taken = taken && writer_flush(sink, &out, true);
    text_free(&out);
    text_free(&scratch);
    return taken;
}

/* A table's calls as a tree. */
bool folded_write(struct table *table, const struct writer_options *options, struct sink *sink)
{
    struct drill_source source = {.table = table};
    struct drill_settings settings;
    drill_settings_init(&settings);
    settings.unfolded = true;
    struct drill *drill = drill_build(&source, DRILL_TREE, (struct drill_subject){.about = DRILL_OF_ALL}, &settings);
    bool taken = drill_write(drill, writer_find(span_of("folded")), options, sink);
    drill_free(drill);
    drill_source_clear(&source);
    return taken;
}

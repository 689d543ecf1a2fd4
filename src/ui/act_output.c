/* What leaves the program: clipboard, files, settings. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "acts.h"
#include "keyavg/many.h"
#include "keyavg/output.h"
#include "keyavg/writer.h"
#include "drill_view.h"
#include "rows.h"

static bool add_bytes(void *context, const char *bytes, size_t length)
{
    text_add(context, bytes, length);
    return true;
}

/* Name and the columns on the screen, for a writer. To free(). */
static const struct column **shown_columns(const struct table_view *view, unsigned *count)
{
    const struct column **list = memory_alloc((view->seen.count + 1) * sizeof *list);
    *count = 0;
    list[(*count)++] = column_find(span_of("key"));
    for (size_t i = 0; i < view->seen.count; i++)
        list[(*count)++] = view->seen.items[i].column;
    return list;
}

/* What became of each row goes along, whatever columns are on the screen. */
static bool write_changes(struct app *app, const struct writer *writer, struct sink *sink)
{
    static const char *const besides[] = {"change", "renamed_to"};
    const struct table_view *view = table_view_of(app);
    struct writer_options options;
    unsigned count;
    const struct column **list = shown_columns(view, &count);
    list = memory_resize(list, count + 2, sizeof *list);
    for (size_t i = 0; i < sizeof besides / sizeof *besides; i++) {
        const struct column *column = column_find(span_of(besides[i]));
        bool there = i > 0 && app->compare->renamed == 0;
        for (unsigned k = 0; k < count; k++)
            there = there || list[k] == column;
        if (!there)
            list[count++] = column;
    }
    writer_options_init(&options);
    options.ascii = app->looks.ascii;
    struct sheet sheet = compare_sheet(app->compare, list, count);
    sheet.chosen = true;
    bool done = writer->write_sheet(&sheet, &options, sink);
    free(list);
    return done;
}

static bool write_view(struct app *app, const struct writer *writer, struct sink *sink)
{
    struct drill_view *drill = drill_view_of(app);
    if (ranks_view_on_top(app))
        return ranks_view_write(app, writer, sink);
    if (drill != NULL)
        return drill_view_write(drill, writer, sink);
    if (app->compare != NULL)
        return write_changes(app, writer, sink);
    struct writer_options options;
    unsigned count;
    const struct column **list = shown_columns(table_view_of(app), &count);
    writer_options_init(&options);
    options.ascii = app->looks.ascii;
    if (writer->takes_columns) {
        options.columns = list;
        options.column_count = count;
    }
    bool done = writer->write(app->table, &options, sink);
    free(list);
    return done;
}

static void copy(struct app *app, const struct text *text, const char *what)
{
    /* What many terminals take; more is cut there without a word. */
    enum { USUAL_LIMIT = 74000 };
    if (app->outside.clipboard == NULL) {
        app_complain(app, "there is no clipboard here");
        return;
    }
    app->outside.clipboard(app, text_span(text));
    app_say(app, "copied %s: %zu bytes%s", what, text->length,
            text->length > USUAL_LIMIT ? "; some terminals take no more than 74,000" : "");
}

void act_copy_row(struct app *app, struct span argument)
{
    (void)argument;
    struct table_view *view = table_view_of(app);
    struct drill_view *drill = drill_view_of(app);
    if (drill != NULL || ranks_view_on_top(app)) {
        struct text cells = {0};
        if (drill != NULL)
            drill_view_add_row(drill, &cells);
        else
            ranks_view_add_row(app, &cells);
        copy(app, &cells, "the row");
        text_free(&cells);
        return;
    }
    uint32_t row = table_view_row(view);
    if (row == UINT32_MAX) {
        app_complain(app, "there is no row");
        return;
    }
    struct text line = {0}, label = {0};
    rows_add_label(app, row, &label);
    utf8_add_clean(&line, text_span(&label), app->looks.ascii);
    for (size_t i = 0; i < view->seen.count; i++) {
        const struct column *column = view->seen.items[i].column;
        struct value value;
        rows_value(app, row, column, &value, &view->scratch);
        text_clear(&label);
        column_add_text(column, &value, app->query.unit, &label);
        text_add_char(&line, '\t');
        utf8_add_clean(&line, text_span(&label), app->looks.ascii);
    }
    copy(app, &line, "the row");
    text_free(&line);
    text_free(&label);
}

void act_copy_view(struct app *app, struct span argument)
{
    (void)argument;
    struct text text = {0};
    struct sink sink = {add_bytes, &text};
    write_view(app, writer_find(span_of("text")), &sink);
    copy(app, &text, "the view");
    text_free(&text);
}

/* -- Export --------------------------------------------------------------------------------------- */

static void export_now(struct app *app)
{
    const char *path = app->export_path;
    const struct drill_view *drill = drill_view_of(app);
    const struct writer *writer = writer_for_file(path);
    struct output output;
    struct error error = {0};
    bool ranks = ranks_view_on_top(app);
    if (drill == NULL && (app->compare != NULL || ranks) && writer != NULL && writer->write_sheet == NULL)
        writer = NULL;
    if (writer == NULL || (drill != NULL && !writer_takes_drill(writer, (int)drill->drill->kind)))
        writer = writer_find(span_of("text"));
    if (!output_open(&output, path, &error)) {
        app_complain(app, "%s", error.text);
        return;
    }
    struct sink sink = output_sink(&output);
    write_view(app, writer, &sink);
    if (output_commit(&output, &error))
        app_say(app, "wrote %s as %s: %zu rows", path, writer->name,
                ranks           ? app->many->ranks->count
                : drill != NULL ? drill->drill->rows.count + (drill->twin != NULL ? drill->twin->drill->rows.count : 0)
                                : rows_count(app));
    else
        app_complain(app, "%s", error.text);
}

static void overwrite_done(struct app *app, struct span text, bool accepted)
{
    if (accepted && text.length > 0 && (*text.bytes == 'y' || *text.bytes == 'Y'))
        export_now(app);
    else
        app_say(app, "not written");
}

static const struct prompt_kind overwrite_prompt = {
    .label = "the file exists; overwrite it? (y/n) ", .done = overwrite_done, .history = HISTORY_NONE};

static void export_done(struct app *app, struct span text, bool accepted)
{
    if (!accepted)
        return;
    while (text.length > 0 && text.bytes[text.length - 1] == ' ')
        text.length--;
    if (text.length == 0) {
        app_say(app, "no name, not written");
        return;
    }
    free(app->export_path);
    app->export_path = memory_copy_text(text.bytes, text.length);
    if (access(app->export_path, F_OK) == 0)
        prompt_open(app, &overwrite_prompt, (struct span){"", 0});
    else
        export_now(app);
}

static const struct prompt_kind export_prompt = {
    .label = "export to (.txt .csv .tsv .json .md): ",
    .done = export_done,
    .complete = complete_file,
    .history = HISTORY_FILE,
};

void act_export(struct app *app, struct span argument)
{
    if (argument.length > 0)
        export_done(app, argument, true);
    else
        prompt_open(app, &export_prompt, (struct span){"", 0});
}

void act_reload(struct app *app, struct span argument)
{
    (void)argument;
    if (ranks_view_on_top(app))
        many_reload(app);
    else if (app->path != NULL && strcmp(app->path, "-") == 0)
        app_complain(app, "standard input cannot be read a second time");
    else if (app->outside.reload != NULL)
        app->outside.reload(app);
}

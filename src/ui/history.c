/* What was typed into prompts before, in this run and in those before. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "keyavg/config.h"
#include "keyavg/output.h"
#include "keyavg/prompt.h"

enum { HISTORY_MAX = 200, LINE_MAX_BYTES = 4096 };

/* Which history a line of the file belongs to, by its first character. */
static const char kinds[PROMPT_HISTORIES] = {
    [HISTORY_COMMAND] = ':', [HISTORY_SEARCH] = '/', [HISTORY_FILTER] = '\\', [HISTORY_FILE] = 'w'};

bool history_add(struct history *history, struct span line)
{
    size_t count = history->lines.count;
    char **lines = history->lines.items;
    if (line.length == 0 || (count > 0 && span_is(line, lines[count - 1])))
        return false;
    if (count == HISTORY_MAX) {
        free(lines[0]);
        for (size_t i = 1; i < count; i++)
            lines[i - 1] = lines[i];
        history->lines.count--;
    }
    array_push(&history->lines, memory_copy_text(line.bytes, line.length));
    return true;
}

void history_free(struct history *history)
{
    for (size_t i = 0; i < history->lines.count; i++)
        free(history->lines.items[i]);
    array_free(&history->lines);
    history->fresh = 0;
}

static bool add_path(struct text *out)
{
    if (!config_add_state_folder(out))
        return false;
    text_add_string(out, "/history");
    return true;
}

static void load(struct history histories[PROMPT_HISTORIES], const char *path)
{
    char line[LINE_MAX_BYTES + 3];
    FILE *file = fopen(path, "re");
    bool whole = true; /* the piece begins a line */
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        size_t length = strcspn(line, "\n");
        bool ends = line[length] == '\n', begins = whole;
        whole = ends;
        /* What we have not written is left alone, a line that is too long, too. */
        if (!begins || !ends || length < 3 || line[1] != ' ')
            continue;
        for (int i = 0; i < PROMPT_HISTORIES; i++)
            if (kinds[i] == line[0])
                history_add(&histories[i], (struct span){line + 2, length - 2});
    }
    if (file != NULL)
        fclose(file);
}

void histories_load(struct history histories[PROMPT_HISTORIES])
{
    struct text path = {0};
    if (add_path(&path))
        load(histories, path.bytes);
    text_free(&path);
}

static void add_lines(const struct history *history, char kind, struct text *out)
{
    for (size_t i = 0; i < history->lines.count; i++)
        if (strlen(history->lines.items[i]) <= LINE_MAX_BYTES && strchr(history->lines.items[i], '\n') == NULL)
            text_addf(out, "%c %s\n", kind, history->lines.items[i]);
}

static void write_file(const char *path, const struct text *text)
{
    struct output output;
    struct error error = {0};
    mode_t mask = umask(077);
    if (output_open(&output, path, &error)) {
        struct sink sink = output_sink(&output);
        sink.write(sink.context, text->bytes, text->length);
        output_commit(&output, &error); /* a history that cannot be kept is no matter */
    }
    umask(mask);
}

void histories_save(struct history histories[PROMPT_HISTORIES])
{
    struct history kept[PROMPT_HISTORIES] = {0};
    struct text path = {0}, text = {0};
    size_t fresh = 0;
    for (int i = 0; i < PROMPT_HISTORIES; i++)
        fresh += histories[i].fresh;
    if (fresh > 0 && add_path(&path) && config_make_folders(path.bytes)) {
        /* Another explorer may have written meanwhile: ours come behind. */
        load(kept, path.bytes);
        for (int i = 0; i < PROMPT_HISTORIES; i++) {
            size_t count = histories[i].lines.count;
            size_t first = count > histories[i].fresh ? count - histories[i].fresh : 0;
            for (size_t j = first; j < count; j++)
                history_add(&kept[i], span_of(histories[i].lines.items[j]));
            add_lines(&kept[i], kinds[i], &text);
            history_free(&kept[i]);
        }
        write_file(path.bytes, &text);
    }
    text_free(&path);
    text_free(&text);
}

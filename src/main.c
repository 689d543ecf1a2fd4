#include <config.h>

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/batch.h"
#include "keyavg/explorer.h"
#include "keyavg/terminal.h"
#include "keyavg/trace.h"

/* A file must not get the number of a stream that the caller closed. What is opened here fails when it is used. */
static void hold_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) != file)
            return;
}

static void add_version(struct text *out)
{
    text_addf(out, "%s %s\n", PACKAGE_NAME, PACKAGE_VERSION);
    trace_add_libraries(out);
    text_addf(out, "cJSON %s\n", writer_json_library());
}

static int print(void (*add)(struct text *out))
{
    struct text text = {0};
    struct output output;
    struct error error = {0};
    add(&text);
    output_to(&output, STDOUT_FILENO);
    struct sink sink = output_sink(&output);
    sink.write(sink.context, text.bytes, text.length);
    text_free(&text);
    if (output_commit(&output, &error))
        return 0;
    fprintf(stderr, "keyavg: %s\n", error.text);
    return (int)error.code;
}

int main(int argc, char *argv[])
{
    struct options options;
    struct error error = {0};
    int code;
    hold_streams();
    setlocale(LC_CTYPE, ""); /* numbers are written the same everywhere */
    if (!options_parse(&options, argc, argv, &error)) {
        fprintf(stderr, "keyavg: %s\n", error.text);
        code = (int)error.code;
    } else if (options.help) {
        code = print(options_add_help);
    } else if (options.version) {
        code = print(add_version);
    } else if (options.list_columns) {
        code = print(options_add_columns);
    } else if (options.print_config) {
        code = explorer_print_config();
    } else if (options.play != NULL) {
        code = explorer_play(&options);
    } else {
        /* Typed at the terminal, the trace cannot come between the keys. */
        if (strcmp(options.trace, "-") == 0 && isatty(STDIN_FILENO))
            options.interactive = false;
        bool explore = options.interactive && terminal_usable(&error);
        if (options.interactive && !explore)
            fprintf(stderr, "keyavg: %s; printing the table\n", error.text);
        if (options.interactive && !explore && !options.row_limit_given)
            options.query.row_limit = 100;
        code = explore ? explorer_run(&options) : batch_run(&options);
    }
    options_free(&options);
    return code;
}

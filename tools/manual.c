/* Prints what keyavg's tables say of it: `manual keyavg.1` a man page, `manual columns` a table for docs/, ... */
#include <locale.h>
#include <stdio.h>

#include "manual.h"

static void add_filter_examples(struct text *out)
{
    for (int i = 0; filter_forms[i].form != NULL; i++)
        text_addf(out, "%s\n", filter_forms[i].example);
}

static const struct {
    const char *name;
    void (*add)(struct text *out);
} pages[] = {
    {"keyavg.1", man_add_program},
    {"keyavg.5", man_add_formats},
    {"keyavg.bash", completion_add_bash},
    {"_keyavg", completion_add_zsh},
    {"keyavg.fish", completion_add_fish},
    {"columns", markdown_add_columns},
    {"formulas", markdown_add_formulas},
    {"actions", markdown_add_actions},
    {"key-names", markdown_add_key_names},
    {"roles", markdown_add_roles},
    {"theme-words", markdown_add_theme_words},
    {"themes", markdown_add_themes},
    {"filter", markdown_add_filter},
    {"filter-values", markdown_add_filter_values},
    {"filter-examples", add_filter_examples},
    {"groupings", markdown_add_groupings},
    {"settings", markdown_add_settings},
    {"options", markdown_add_options},
    {"formats", markdown_add_formats},
};

enum { PAGE_COUNT = sizeof pages / sizeof *pages };

int main(int argc, char *argv[])
{
    setlocale(LC_CTYPE, "C.UTF-8");
    for (int i = 0; argc == 2 && i < PAGE_COUNT; i++) {
        if (!span_is(span_of(argv[1]), pages[i].name))
            continue;
        struct text text = {0};
        pages[i].add(&text);
        bool good = fwrite(text.bytes, 1, text.length, stdout) == text.length && fflush(stdout) == 0;
        text_free(&text);
        return good ? 0 : 1;
    }
    fprintf(stderr, "usage: manual PAGE; the pages are\n");
    for (int i = 0; i < PAGE_COUNT; i++)
        fprintf(stderr, "  %s\n", pages[i].name);
    return 2;
}

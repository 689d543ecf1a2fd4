/*
 * The cell grid, the names of keys, and what the table of actions must hold.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "keyavg/action.h"
#include "keyavg/grid.h"
#include "keyavg/key.h"

static void expect_text(const struct grid *grid, const char *expected)
{
    struct text text = {0};
    grid_add_text(grid, &text);
    cr_expect_str_eq(text.bytes, expected);
    text_free(&text);
}

Test(grid, text_is_cut_at_the_edges)
{
    struct grid grid;
    grid_init(&grid, 2, 5, false);
    grid_text(&grid, 0, 0, 9, span_of("abcdefghi"), UTF8_CUT_END, ROLE_TEXT);
    grid_text(&grid, 1, 3, 9, span_of("xyz"), UTF8_CUT_END, ROLE_TEXT);
    grid_text(&grid, 7, 0, 3, span_of("no"), UTF8_CUT_END, ROLE_TEXT);
    grid_text(&grid, -1, -1, 3, span_of("no"), UTF8_CUT_END, ROLE_TEXT);
    expect_text(&grid, "abcde\n   xy\n");
    grid_free(&grid);
}

Test(grid, wide_and_combining_characters_keep_their_cells)
{
    struct grid grid;
    grid_init(&grid, 1, 6, false);
    grid_text(&grid, 0, 0, 6, span_of("\u6F22\u5B57e\u0301x"), UTF8_CUT_END, ROLE_TEXT);
    cr_expect_eq(grid_cell(&grid, 0, 0)->width, 2);
    cr_expect_eq(grid_cell(&grid, 0, 1)->width, 0);
    cr_expect_eq(grid_cell(&grid, 0, 4)->count, 2);
    expect_text(&grid, "\u6F22\u5B57e\u0301x\n");
    /* Half of a wide character is no character. */
    grid_text(&grid, 0, 1, 1, span_of("a"), UTF8_CUT_END, ROLE_TEXT);
    expect_text(&grid, " a\u5B57e\u0301x\n");
    grid_free(&grid);
}

Test(grid, many_marks_do_not_overflow_a_cell)
{
    struct grid grid;
    grid_init(&grid, 1, 2, false);
    grid_text(&grid, 0, 0, 2, span_of("e\u0301\u0301\u0301\u0301\u0301\u0301\u0301"), UTF8_CUT_END, ROLE_TEXT);
    cr_expect_eq(grid_cell(&grid, 0, 0)->count, GRID_POINTS);
    grid_free(&grid);
}

Test(grid, controls_become_placeholders)
{
    struct grid grid;
    grid_init(&grid, 1, 20, false);
    grid_text(&grid, 0, 0, 20, span_of("a\033[31mb\tc\xC2\x9B" "d\u202E"), UTF8_CUT_END, ROLE_TEXT);
    expect_text(&grid, "a\u241B[31mb\u2409c\uFFFDd\uFFFD\n");
    grid_free(&grid);
    grid_init(&grid, 1, 20, true);
    grid_text(&grid, 0, 0, 20, span_of("a\033\u00E9\u6F22"), UTF8_CUT_END, ROLE_TEXT);
    expect_text(&grid, "a????\n");
    grid_free(&grid);
}

Test(grid, bars_have_eighths)
{
    struct grid grid;
    grid_init(&grid, 4, 4, false);
    grid_bar(&grid, 0, 0, 4, 1.0, ROLE_BAR);
    grid_bar(&grid, 1, 0, 4, 0.5, ROLE_BAR);
    grid_bar(&grid, 2, 0, 4, 0.0001, ROLE_BAR);
    grid_bar(&grid, 3, 0, 4, 7.0, ROLE_BAR);
    expect_text(&grid, "\u2588\u2588\u2588\u2588\n\u2588\u2588\n\u258F\n\u2588\u2588\u2588\u2588\n");
    grid_free(&grid);
    grid_init(&grid, 1, 4, true);
    grid_bar(&grid, 0, 0, 4, 0.5, ROLE_BAR);
    expect_text(&grid, "##\n");
    grid_free(&grid);
}

Test(grid, numbers_stand_at_the_right)
{
    struct grid grid;
    grid_init(&grid, 1, 6, false);
    grid_right(&grid, 0, 0, 6, span_of("1.5ms"), ROLE_NUMBER);
    expect_text(&grid, " 1.5ms\n");
    grid_free(&grid);
}

Test(keys, names_go_both_ways)
{
    static const char *const names[] = {"a", "<lt>", "<Space>", "<F6>", "<C-l>", "<Enter>", "<Esc>", "<PgUp>", "\\",
                                        "{"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct text text = {0};
        uint32_t code = key_find(span_of(names[i]));
        cr_expect_neq(code, KEYCODE_NONE, "%s", names[i]);
        key_add_name(code, &text);
        cr_expect_str_eq(text.bytes, names[i]);
        text_free(&text);
    }
    cr_expect_eq(key_find(span_of("<F13>")), KEYCODE_NONE);
    cr_expect_eq(key_find(span_of("<Foo>")), KEYCODE_NONE);
    cr_expect_eq(key_find(span_of("ab")), KEYCODE_NONE);
    cr_expect_eq(key_find(span_of("")), KEYCODE_NONE);
}

Test(keys, sequences)
{
    struct span rest = span_of("S}<Down 3><Click 12,5><Resize 100x30>\u00E9");
    struct key key;
    struct error error;
    int times;
    cr_assert(key_next(&rest, &key, &times, &error));
    cr_expect_eq(key.code, 'S');
    cr_assert(key_next(&rest, &key, &times, &error));
    cr_expect_eq(key.code, '}');
    cr_assert(key_next(&rest, &key, &times, &error));
    cr_expect(key.code == KEYCODE_DOWN && times == 3);
    cr_assert(key_next(&rest, &key, &times, &error));
    cr_expect(key.code == KEYCODE_CLICK && key.column == 11 && key.row == 4);
    cr_assert(key_next(&rest, &key, &times, &error));
    cr_expect(key.code == KEYCODE_RESIZE && key.column == 100 && key.row == 30);
    cr_assert(key_next(&rest, &key, &times, &error));
    cr_expect_eq(key.code, 0xE9);
    cr_expect_not(key_next(&rest, &key, &times, &error));
    cr_expect_eq(error.code, ERROR_NONE);
    static const char *const wrong[] = {"<", "<Down x>", "<Click>", "<Click 1>", "<Down 3", "<Nothing>",
                                        "<Click 1,2,3>"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rest = span_of(wrong[i]);
        cr_expect_not(key_next(&rest, &key, &times, &error), "%s", wrong[i]);
        cr_expect_eq(error.code, ERROR_USAGE, "%s", wrong[i]);
    }
}

Test(actions, each_has_what_the_pages_need)
{
    struct bindings bindings;
    bindings_init(&bindings);
    for (unsigned i = 0; i < action_count; i++) {
        const struct action *action = &actions[i];
        cr_expect(action->name[0] != 0 && action->help[0] != 0 && action->run != NULL, "%s", action->name);
        cr_expect_eq(action->help[strlen(action->help) - 1], '.', "%s: help is a sentence", action->name);
        cr_expect_neq(action->contexts, 0, "%s", action->name);
        cr_expect_lt(action->group, ACTION_GROUPS, "%s", action->name);
        for (unsigned j = 0; j < i; j++)
            cr_expect_str_neq(action->name, actions[j].name);
        struct bindings own = {0};
        struct span wrong = {0};
        cr_expect(bindings_set(&own, action, span_of(action->keys), &wrong), "%s: %.*s", action->name,
                  (int)wrong.length, wrong.bytes);
        bindings_free(&own);
    }
    bindings_free(&bindings);
}

Test(actions, no_key_means_two_things_in_a_view)
{
    struct bindings bindings;
    bindings_init(&bindings);
    for (size_t i = 0; i < bindings.count; i++)
        for (size_t j = 0; j < i; j++)
            cr_expect_not(bindings.items[i].code == bindings.items[j].code &&
                              (bindings.items[i].action->contexts & bindings.items[j].action->contexts) != 0,
                          "%s and %s share a key", bindings.items[i].action->name, bindings.items[j].action->name);
    /* XON, XOFF and the prefixes of screen and tmux. */
    for (size_t i = 0; i < bindings.count; i++)
        cr_expect(bindings.items[i].code != 19 && bindings.items[i].code != 17 && bindings.items[i].code != 1);
    bindings_free(&bindings);
}

Test(actions, keys_can_be_given_to_others)
{
    struct bindings bindings;
    struct span wrong;
    bindings_init(&bindings);
    const struct action *shapes = action_find(span_of("shapes"));
    cr_assert(bindings_set(&bindings, shapes, span_of("x j <F12>"), &wrong));
    cr_expect_eq(bindings_find(&bindings, 'x', CONTEXT_TABLE), shapes);
    cr_expect_eq(bindings_find(&bindings, 'j', CONTEXT_TABLE), shapes);
    cr_expect_null(bindings_find(&bindings, 'S', CONTEXT_TABLE));
    cr_expect_not(bindings_set(&bindings, shapes, span_of("x <Nope>"), &wrong));
    cr_expect(span_is(wrong, "<Nope>"));
    bindings_free(&bindings);
}

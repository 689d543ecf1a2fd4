/* The functions of the action table. */
#ifndef KEYAVG_UI_ACTS_H
#define KEYAVG_UI_ACTS_H

#include "rooms.h"

#define ACT(name) void act_##name(struct app *app, struct span argument)

ACT(down);
ACT(up);
ACT(page_down);
ACT(page_up);
ACT(half_down);
ACT(half_up);
ACT(first);
ACT(last);
ACT(wheel_down);
ACT(wheel_up);
ACT(click);
ACT(command);
ACT(set);
ACT(cli);
ACT(help);
ACT(mouse);
ACT(redraw);
ACT(suspend);
ACT(back);
ACT(close);
ACT(escape);
ACT(quit);

/* Of the table view. */
ACT(column_left);
ACT(column_right);
ACT(sort);
ACT(sort_ascending);
ACT(sort_descending);
ACT(sort_by_number);
ACT(sort_left);
ACT(sort_right);
ACT(sort_reverse);
ACT(sort_menu);
ACT(unsort);
ACT(group);
ACT(group_menu);
ACT(shapes);
ACT(overloads);
ACT(stack);
ACT(stack_more);
ACT(stack_less);
ACT(stack_switch);
ACT(scope);
ACT(python);
ACT(top_level);
ACT(search);
ACT(search_next);
ACT(search_previous);
ACT(filter);
ACT(hide_below);
ACT(percent_base);
ACT(unit);
ACT(bars);
ACT(columns);
ACT(detail);
ACT(open);
ACT(mark);
ACT(mark_matches);
ACT(unmark);
ACT(copy_row);
ACT(copy_view);
ACT(export);
ACT(reload);
ACT(theme);
ACT(save);
ACT(options);
ACT(detail_down);
ACT(detail_up);

#undef ACT
#endif

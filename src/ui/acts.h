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
ACT(facets);
ACT(per_step);
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

/* Of the views that drill. */
ACT(calls);
ACT(tree);
ACT(kernels);
ACT(pairs);
ACT(modules);
ACT(event);
ACT(quality);
ACT(explain);
ACT(worst);
ACT(ops);
ACT(pair_end);
ACT(unfold);
ACT(fold);
ACT(unfold_all);
ACT(hot_path);
ACT(zoom);
ACT(zoom_out);
ACT(fold_python);
ACT(bottom_up);
ACT(fold_chains);
ACT(by_class);
ACT(choose_columns);
ACT(python_line);
ACT(pane);
ACT(other_side);


/* Of the table and of drills. */
ACT(any_column_left);
ACT(any_column_right);
ACT(any_sort);
ACT(any_sort_ascending);
ACT(any_sort_descending);
ACT(any_sort_by_number);
ACT(any_sort_left);
ACT(any_sort_right);
ACT(any_sort_reverse);
ACT(any_unsort);
ACT(any_search);
ACT(any_search_next);
ACT(any_search_previous);
ACT(any_filter);
ACT(any_mark);
ACT(any_unmark);

/* Of many ranks. */
ACT(previous_rank);
ACT(next_rank);
ACT(ranks);
ACT(open_rank);
ACT(ranks_measure);
ACT(ranks_sort_left);
ACT(ranks_sort_right);
ACT(ranks_reverse);
ACT(ranks_search);
ACT(ranks_search_next);
ACT(ranks_search_previous);

#undef ACT
#endif

#include "keyavg/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "keyavg/units.h"

/* Seconds before the line is shown, and between two of them. */
static const double patience = 0.5, pace = 0.1;

enum { BAR = 20 };

volatile sig_atomic_t progress_on_screen;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void progress_start(struct progress *progress)
{
    *progress = (struct progress){.wanted = isatty(STDERR_FILENO) != 0};
    progress->start = progress->last = now();
}

void progress_add_line(struct text *out, uint64_t done, uint64_t total, uint64_t text, double seconds)
{
    text_add_string(out, "reading ");
    if (total > 0) {
        double part = done < total ? (double)done / (double)total : 1;
        size_t filled = (size_t)(part * BAR);
        text_add_char(out, '[');
        text_add_repeat(out, '#', filled);
        text_add_repeat(out, ' ', BAR - filled);
        text_addf(out, "] %3.0f%%  ", 100.0 * part);
    }
    units_add_bytes(out, (int64_t)done);
    if (total > 0) {
        text_add_string(out, " of ");
        units_add_bytes(out, (int64_t)total);
    }
    if (seconds > 0)
        text_addf(out, "  %.0f MB/s", (double)text / seconds * 1e-6);
    if (total > done && done > 0)
        text_addf(out, "  %.0f s left", seconds * (double)(total - done) / (double)done);
}

/* Standard error may be a slow line: one write for the whole line. */
static void show(struct progress *progress, const struct text *line)
{
    struct text all = {0};
    size_t blanks = progress->shown > line->length ? progress->shown - line->length : 0;
    text_add_char(&all, '\r');
    text_add_span(&all, text_span(line));
    text_add_repeat(&all, ' ', blanks);
    text_add_char(&all, '\r');
    fwrite(all.bytes, 1, all.length, stderr);
    fflush(stderr);
    progress->shown = line->length;
    progress_on_screen = line->length > 0;
    text_free(&all);
}

bool progress_tell(void *context, uint64_t done, uint64_t total, uint64_t text)
{
    struct progress *progress = context;
    double time = progress->wanted ? now() : 0;
    if (progress->wanted && time - progress->start >= patience && time - progress->last >= pace) {
        struct text line = {0};
        progress_add_line(&line, done, total, text, time - progress->start);
        show(progress, &line);
        progress->last = time;
        text_free(&line);
    }
    return true;
}

void progress_end(struct progress *progress)
{
    struct text nothing = {0};
    if (progress->shown > 0)
        show(progress, &nothing);
}

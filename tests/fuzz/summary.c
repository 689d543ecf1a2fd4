/* A summary's file: whatever is taken can be merged and written, and what was written is read as the same. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "keyavg/summary.h"
#include "summary/checksum.h"
#include "summary/file.h"

static void add_fixed(char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (char)(value >> 8 * i & 0xFF);
}

static uint64_t fixed(const char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)(unsigned char)at[i] << 8 * i;
    return value;
}

/* The outside that fits what is inside: no mutation would find a checksum. */
static void fit_outside(char *file, size_t length)
{
    size_t left = length - FILE_OUTSIDE_BYTES;
    const char *from = file + FILE_OUTSIDE_BYTES;
    memcpy(file, file_magic, FILE_MAGIC_BYTES);
    add_fixed(file + FILE_MAGIC_BYTES, SUMMARY_VERSION, FILE_VERSION_BYTES);
    for (int i = 0; i < FILE_SECTIONS; i++) {
        char *at = file + FILE_MAGIC_BYTES + FILE_VERSION_BYTES + i * FILE_SECTION_BYTES;
        uint64_t wanted = fixed(at, 8);
        size_t section = wanted < left && i + 1 < FILE_SECTIONS ? (size_t)wanted : left;
        add_fixed(at, section, 8);
        add_fixed(at + 8, checksum(from, section), 4);
        from += section;
        left -= section;
    }
    add_fixed(file + FILE_OUTSIDE_BYTES - 4, checksum(file, FILE_OUTSIDE_BYTES - 4), 4);
}

static struct summary *read_copy(const char *bytes, size_t length, unsigned wanted, bool histograms)
{
    struct error error = {0};
    struct summary *summary =
        summary_read(memory_copy_text(bytes, length), length, "x.kavg", wanted, histograms, &error);
    if (summary == NULL && (error.code != ERROR_NOT_TRACE || error.text[0] == '\0'))
        fuzz_fail("refused without a word");
    return summary;
}

/* Merged into nothing, as all that is read is. */
static struct text written(const struct summary *read)
{
    struct summary *whole = summary_new();
    struct text file = {0};
    struct error error = {0};
    if (!summary_merge(whole, read, &error))
        fuzz_fail("does not merge with nothing: %s", error.text);
    summary_add_file(whole, &file);
    summary_free(whole);
    return file;
}

static void check(const char *bytes, size_t length)
{
    for (unsigned t = 0; t < SUMMARY_TABLES; t++)
        summary_free(read_copy(bytes, length, 1u << t, false));
    struct summary *read = read_copy(bytes, length, ~0u, true);
    if (read == NULL)
        return;
    struct text first = written(read);
    struct summary *again = read_copy(first.bytes, first.length, ~0u, true);
    if (again == NULL)
        fuzz_fail("what was written cannot be read");
    struct text second = written(again);
    if (first.length != second.length || memcmp(first.bytes, second.bytes, first.length) != 0)
        fuzz_fail("what was written is not read as the same");
    text_free(&first);
    text_free(&second);
    summary_free(again);
    summary_free(read);
}

int fuzz_summary(const uint8_t *bytes, size_t length)
{
    check((const char *)bytes, length);
    if (length < FILE_OUTSIDE_BYTES)
        return 0;
    char *copy = memory_copy_text((const char *)bytes, length);
    fit_outside(copy, length);
    check(copy, length);
    free(copy);
    return 0;
}

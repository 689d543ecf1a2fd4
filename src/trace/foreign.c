#include "foreign.h"

struct form {
    struct span magic;
    size_t offset;
    const char *words;
};

#define MAGIC(bytes) {bytes, sizeof(bytes) - 1}
#define OTHER_TEXT(name)                                                                                                    \
    "text in " name ", and keyavg reads UTF-8; turn it: iconv -f " name " -t UTF-8 FILE | keyavg -"

/* The longer ones before those that they begin with. */
static const struct form forms[] = {
    {MAGIC("PK\3\4"), 0, "a zip archive; unpack it: unzip -p FILE | keyavg -"},
    {MAGIC("PK\5\6"), 0, "an empty zip archive"},
    {MAGIC("ustar"), 257, "a tar archive; unpack it: tar -xOf FILE | keyavg -"},
    {MAGIC("\x1F\x8B"), 0, "packed with gzip a second time; unpack it: gzip -dc FILE | keyavg -"},
    {MAGIC("\x28\xB5\x2F\xFD"), 0, "packed with zstd a second time; unpack it: zstd -dc FILE | keyavg -"},
    {MAGIC("\xFD" "7zXZ\0"), 0, "packed with xz; unpack it: xz -dc FILE | keyavg -"},
    {MAGIC("BZh"), 0, "packed with bzip2; unpack it: bzip2 -dc FILE | keyavg -"},
    {MAGIC("\x04\x22\x4D\x18"), 0, "packed with lz4; unpack it: lz4 -dc FILE | keyavg -"},
    {MAGIC("7z\xBC\xAF\x27\x1C"), 0, "a 7z archive; unpack it: 7z x -so FILE | keyavg -"},
    {MAGIC("\xFF\xFE\0\0"), 0, OTHER_TEXT("UTF-32LE")},
    {MAGIC("\0\0\xFE\xFF"), 0, OTHER_TEXT("UTF-32BE")},
    {MAGIC("\xFF\xFE"), 0, OTHER_TEXT("UTF-16LE")},
    {MAGIC("\xFE\xFF"), 0, OTHER_TEXT("UTF-16BE")},
    {MAGIC("{\0"), 0, OTHER_TEXT("UTF-16LE")},
    {MAGIC("[\0"), 0, OTHER_TEXT("UTF-16LE")},
    {MAGIC("\0{"), 0, OTHER_TEXT("UTF-16BE")},
    {MAGIC("\0["), 0, OTHER_TEXT("UTF-16BE")},
    {MAGIC("SQLite format 3\0"), 0,
     "an SQLite database, as nsys and rocprof write them, not what torch.profiler writes"},
    {MAGIC("\x80\2"), 0, "a Python pickle, not what prof.export_chrome_trace writes"},
    {MAGIC("\x80\3"), 0, "a Python pickle, not what prof.export_chrome_trace writes"},
    {MAGIC("\x80\4"), 0, "a Python pickle, not what prof.export_chrome_trace writes"},
    {MAGIC("\x80\5"), 0, "a Python pickle, not what prof.export_chrome_trace writes"},
    {MAGIC("version https://git-lfs"), 0, "a pointer of Git LFS; fetch the file itself: git lfs pull"},
    {MAGIC("<"), 0, "a page in HTML or XML, maybe in place of the file when it was fetched"},
};

const char *foreign_describe(struct span start)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct form *form = &forms[i];
        if (start.length >= form->offset + form->magic.length &&
            memcmp(start.bytes + form->offset, form->magic.bytes, form->magic.length) == 0)
            return form->words;
    }
    return NULL;
}

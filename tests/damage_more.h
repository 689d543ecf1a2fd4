/*
 * Damage and oddities beyond the cases, as damage_kin.h has them.
 */
#ifndef TESTS_DAMAGE_MORE_H
#define TESTS_DAMAGE_MORE_H

#include "damage_kin.h"

#define RECORD(bytes, ts)                                                                                              \
    "{\"ph\":\"i\",\"name\":\"[memory]\",\"pid\":1,\"tid\":1,\"ts\":" #ts                 \
    ",\"args\":{\"Device Type\":0,\"Bytes\":" #bytes "}}"

static const struct kin more[] = {
    {"ids that two ops have: the first one's", JSON,
     TEXT(DOCUMENT(OP("first", 0, 10, ID(5)) NEXT OP("second", 20, 10, ID(5)) NEXT KERNEL("k", 40, 5, ID(5)))), "",
     "first cpu 1 10.000 10.000 5.000 5.000\nsecond cpu 1 10.000 10.000\nk device 1 0.000 0.000 5.000 5.000\n", "",
     NULL},
    {"an event that stands twice", JSON, TEXT(DOCUMENT(OP("a", 0, 10, ID(5)) NEXT OP("b", 2, 4, "") NEXT OP("b", 2, 4,
        ""))),
     "", "a cpu 1 10.000 6.000\nb cpu 1 4.000 4.000\n", "", NULL},
    {"processes of one thread number do not nest", JSON,
     TEXT(DOCUMENT(OP_OF(1, "a", 0, 100) NEXT OP_OF(2, "b", 10, 20) NEXT OP_OF(-3, "c", 10, 20))), "",
     "a cpu 1 100.000 100.000\nb cpu 1 20.000 20.000\nc cpu 1 20.000 20.000\n", "", NULL},
    {"times at both ends of 64 bits", BROKEN,
     TEXT(DOCUMENT(OP("last", 9223372036854775.807, 0, "") NEXT OP("first", -9223372036854775.808, 0.001, "")
                       NEXT OP("lost", 9223372036854775.808, 0, ""))),
     "", "first cpu 1 0.001 0.001\nlast cpu 1 0.000 0.000\n", "1 event without a usable time skipped",
     "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"lost\""},
    {"an end that is the last time there is", BROKEN,
     TEXT(DOCUMENT(OP("whole", 9223372036854775.806, 0.001, "") NEXT OP("open", 9223372036854775.806, 0.002, ""))), "",
     "whole cpu 1 0.001 0.000\nopen cpu 1 0.001 0.001\n", "1 op without an end closed at the end of the recording",
     "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"open\""},
    {"ids at the end of 64 bits", BROKEN,
     TEXT(DOCUMENT(OP("a", 0, 10, ID(9223372036854775807)) NEXT OP("b", 20, 10, ID(9223372036854775808))
                       NEXT KERNEL("k", 40, 5, ID(9223372036854775807)) NEXT KERNEL("n", 50, 5,
                           ID(9223372036854775808)))),
     "", "a cpu 1 10.000 10.000 5.000 5.000\nb cpu 1 10.000 10.000\nk device 1 0.000 0.000 5.000 5.000\n"
     "n device 1 0.000 0.000 5.000 5.000\n", "", NULL},
    {"ids with exponents and fractions", JSON,
     TEXT(DOCUMENT(OP("a", 0, 10, ID(1e3)) NEXT KERNEL("k", 40, 5, ID(1000.0)))), "",
     "a cpu 1 10.000 10.000 5.000 5.000\nk device 1 0.000 0.000 5.000 5.000\n", "", NULL},
    {"ids below zero link nothing", JSON, TEXT(DOCUMENT(OP("a", 0, 10, ID(-4)) NEXT KERNEL("k", 40, 5, ID(-4)))), "",
     "a cpu 1 10.000 10.000\nk device 1 0.000 0.000 5.000 5.000\n", "", NULL},
    {"times that are rounded: half to even", JSON,
     TEXT(DOCUMENT(OP("a", 0.0005, 1.0005, "") NEXT OP("b", 10.0015, 67.90799999999999, ""))), "",
     "a cpu 1 1.000 1.000\nb cpu 1 67.908 67.908\n", "", NULL},
    {"a byte order mark and lines that end in CR LF", BROKEN,
     TEXT("\xEF\xBB\xBF{\r\n\"traceEvents\": [\r\n" OP("a", 0, 10, "") ",\r\n" OP("b", 2, 4, "") "\r\n]\r\n}\r\n"), "",
     "a cpu 1 10.000 6.000\nb cpu 1 4.000 4.000\n", "", NULL},
    {"commas too many", BROKEN,
     TEXT("{\"a\":1,,\"traceEvents\":[,"
          "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":10,\"args\":{"
          "\"x\":1,},},,"
          OP("b", 2, 4, "") ",],}"),
     "", "a cpu 1 10.000 6.000\nb cpu 1 4.000 4.000\n", "", NULL},
    {"comments", BROKEN,
     TEXT("// of one line {\n{/* of\nmany */\"traceEvents\"/**/:[ // [\n" OP("a", 0, 10, "") "/*,*/,\n" OP("b", 2, 4,
         "")
          "]/* end */}// and no more\n"),
     "", "a cpu 1 10.000 6.000\nb cpu 1 4.000 4.000\n", "", NULL},
    {"two documents, the second a bare array", BROKEN, TEXT(DOCUMENT(OP("a", 0, 10, "")) "[" OP("b", 2, 4, "") "]\n"),
        "",
     "a cpu 1 10.000 6.000\nb cpu 1 4.000 4.000\n", "text behind the end of the document",
     "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"b"},
    {"other text behind the document", BROKEN, TEXT(DOCUMENT(OP("a", 0, 10, "")) "Done in 3 s.\n"), "",
     "a cpu 1 10.000 10.000\n", "text behind the end of the document", "Done"},
    {"values in the list that are no events", BROKEN,
     TEXT(DOCUMENT("1" NEXT "\"text\"" NEXT OP("a", 0, 10, "") NEXT "[" OP("no", 0, 1, "") "]" NEXT "null" NEXT
         OP("b", 2, 4, ""))),
     "", "a cpu 1 10.000 6.000\nb cpu 1 4.000 4.000\n", "2 damaged regions skipped", "1,\n\"text\""},
    {"the list's key, but no list behind it", BROKEN,
     TEXT("{\"schemaVersion\":1,\"traceEvents\": oops [\n" OP("a", 0, 10, "") "]}"), "", NULL,
     "no traceEvents in this file (a trace is what prof.export_chrome_trace writes)", NULL},
    {"a broken header before the events", BROKEN,
     TEXT("{\"schemaVersion\":1 \"deviceProperties\":[{\"name\":\"GPU\"\n],\"traceEvents\":[\n" OP("a", 0, 10, "")
         "]}"), "",
     "a cpu 1 10.000 10.000\n", "1 damaged region skipped", "\"deviceProperties\""},
    {"a broken header behind the events", BROKEN,
     TEXT(HEAD OP("a", 0, 10, "") "],\"displayTimeUnit\":ms,\"traceName\":\"x\"}"), "", "a cpu 1 10.000 10.000\n",
     "1 damaged region skipped", "\"displayTimeUnit\""},
    {"keys and letters written with escapes", JSON,
     TEXT(DOCUMENT("{\"\\u0070h\":\"\\u0058\",\"cat\":\"cpu\\u005fop\",\"n\\u0061me\":\"a\",\"pid\":1,\"tid"
     "\":1,\"ts\":0,\"dur\":10,"
                   "\"\\u0061rgs\":{\"External\\u0020id\":4}}" NEXT KERNEL("k", 40, 5, ID(4)))),
     "", "a cpu 1 10.000 10.000 5.000 5.000\nk device 1 0.000 0.000 5.000 5.000\n", "", NULL},
    {"members that stand twice: the last one counts", JSON,
     TEXT(DOCUMENT("{\"ph\":\"X\",\"cat\":\"Trace\",\"cat\":\"cpu_op\",\"name\":\"x\",\"name\":\"a\",\"pid\":1,"
     "\"tid\":1,\"ts\":9,\"ts\":0,"
                   "\"dur\":1,\"dur\":10,\"args\":{}}")),
     "", "a cpu 1 10.000 10.000\n", "", NULL},
    {"arguments of every kind", JSON,
     TEXT(DOCUMENT(EVENT("cpu_op", "a", THREAD(1, 1), "0", "10", "") NEXT
                   "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":2,\"dur\":4,"
                   "\"args\":null}" NEXT
                   OP("c", 3, 1, ID(6)) NEXT KERNEL("k", 40, 5, ID(6)))),
     "", "a cpu 1 10.000 6.000 5.000 0.000\nb cpu 1 4.000 3.000 5.000 0.000\nc cpu 1 1.000 1.000 5.000 5.000\n"
     "k device 1 0.000 0.000 5.000 5.000\n", "", NULL},
    {"memory that does not fit 64 bits in all", BROKEN,
     TEXT(DOCUMENT(OP("a", 0, 10, "") NEXT RECORD(9223372036854775807, 1) NEXT RECORD(9223372036854775807, 2)
                       NEXT RECORD(-9223372036854775808, 3))), "", "a cpu 1 10.000 10.000\n",
     "durations or bytes that do not fit 64 bits in all: sums of them are wrong", NULL},
    {"durations that do not fit 64 bits in all", BROKEN,
     TEXT(DOCUMENT(OP_OF(1, "a", 0, 4611686018427387) NEXT OP_OF(2, "a", 0, 4611686018427387)
                       NEXT OP_OF(3, "a", 0, 4611686018427387))), "",
                           "a cpu 3 -4611686018427390.616 -4611686018427390.616\n",
     "durations or bytes that do not fit 64 bits in all: sums of them are wrong", NULL},
};

enum { MORE = sizeof more / sizeof *more };

#endif

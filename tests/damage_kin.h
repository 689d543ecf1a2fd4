/*
 * Two more of the kind of each case in shared/cases: small files and what they must give, derived by
 * hand from the rules. Those marked JSON were compared with torch's own code too.
 */
#ifndef TESTS_DAMAGE_KIN_H
#define TESTS_DAMAGE_KIN_H

#include <stdbool.h>
#include <stddef.h>

#define EVENT(cat, name, thread, ts, dur, args)                                                                        \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\"," thread                                                  \
    ",\"ts\":" ts ",\"dur\":" dur ",\"args\":{" args "}}"
#define THREAD(pid, tid) "\"pid\":" #pid ",\"tid\":" #tid
#define THREAD_TEXT(tid) "\"pid\":1,\"tid\":\"" tid "\""
#define OP(name, ts, dur, args) EVENT("cpu_op", name, THREAD(1, 1), #ts, #dur, args)
#define OP_OF(pid, name, ts, dur) EVENT("cpu_op", name, THREAD(pid, 1), #ts, #dur, "")
#define MARK(name, ts, dur, args) EVENT("user_annotation", name, THREAD(1, 1), #ts, #dur, args)
#define FRAME(name, ts, dur) EVENT("python_function", name, THREAD(1, 1), #ts, #dur, "")
#define CALL(name, ts, dur, args) EVENT("cuda_runtime", name, THREAD(1, 1), #ts, #dur, args)
#define ON_DEVICE(cat, name, ts, dur, args) EVENT(cat, name, THREAD(0, 7), #ts, #dur, args)
#define KERNEL(name, ts, dur, args) ON_DEVICE("kernel", name, ts, dur, args)
#define ID(number) "\"External id\":" #number
#define CORRELATION(number) "\"correlation\":" #number
#define STACK(frames) "\"Call stack\":\"" frames "\""
#define AND ","
#define NEXT ",\n"
#define HEAD "{\"schemaVersion\":1,\"traceEvents\":[\n"
#define DOCUMENT(events) HEAD events "\n]}\n"
#define TEXT(text) text, sizeof text - 1

enum kin_form { JSON, BROKEN };

/* A row: label, kind (cpu, mark, device, device-mark), calls, CPU total, self; device total and self where one is not
    0.
 * The label is the name, other bytes than printable ASCII as <hh>, `@N` for a node id, ` [shapes]` and ` <- frames`
     where
 * they are in the key. */
struct kin {
    const char *of; /* the case's number, and what this one has */
    enum kin_form form;
    const char *text;
    size_t length;
    const char *words; /* of the command line */
    const char *rows;  /* NULL: no trace, and `notes` is the message */
    const char *notes; /* what is told of damage, places left out; byte numbers as N */
    const char *where; /* the first note's place: where this stands in the text; NULL: not looked at */
};

static const struct kin kin[] = {
    {"01: \\u too short at a string's end", BROKEN,
     TEXT(DOCUMENT(OP("aten::add", 0, 10, "") NEXT OP("C:\\users\\u12", 20, 5, ""))), "",
     "aten::add cpu 1 10.000 10.000\nC:\\users\\u12 cpu 1 5.000 5.000\n",
     "1 string with illegal escapes read as it stands", "C:\\users"},
    {"01: a path that ends in a backslash hides its quote", BROKEN,
     TEXT(DOCUMENT(OP("aten::add", 0, 10, "") NEXT OP("D:\\dir\\", 20, 5, "") NEXT OP("aten::mul", 30, 7, ""))), "",
     "aten::add cpu 1 10.000 10.000\naten::mul cpu 1 7.000 7.000\n", "1 damaged region skipped",
     "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"D:"},
    {"02: NUL bytes and DEL in names", BROKEN,
     TEXT(DOCUMENT(OP("a\0b", 0, 10, "") NEXT OP("a\0c", 20, 5, "") NEXT OP("a\x7F", 30, 2, ""))), "",
     "a<00>b cpu 1 10.000 10.000\na<00>c cpu 1 5.000 5.000\na<7f> cpu 1 2.000 2.000\n",
     "2 strings with raw control bytes", NULL},
    {"02: a legal C1 control, and a raw tab where nobody looks", JSON,
     TEXT(DOCUMENT(OP("\\u009b31m", 0, 10, "\"note\":\"a\tb\""))), "", "<c2><9b>31m cpu 1 10.000 10.000\n",
     "1 string with raw control bytes", "a\tb"},
    {"04: cut and overlong sequences", BROKEN, TEXT(DOCUMENT(OP("caf\xC3", 0, 10, "") NEXT OP("\xC0\xAF", 20, 5,
        ""))), "",
     "caf<c3> cpu 1 10.000 10.000\n<c0><af> cpu 1 5.000 5.000\n", "2 strings with invalid UTF-8", "caf\xC3"},
    {"04: threads that differ in an invalid byte do not nest", BROKEN,
     TEXT(DOCUMENT(EVENT("cpu_op", "a", THREAD_TEXT("w\xFF"), "0", "100", "")
                       NEXT EVENT("cpu_op", "b", THREAD_TEXT("w\xFE"), "10", "20", ""))),
     "", "a cpu 1 100.000 100.000\nb cpu 1 20.000 20.000\n", "2 strings with invalid UTF-8", "w\xFF"},
    {"05: words and numbers beyond a double as times", BROKEN,
     TEXT(DOCUMENT(OP("lost", nan, 10, "") NEXT OP("lost", 10, Infinity, "") NEXT OP("open", 40, 1e999, "")
                       NEXT OP("all", 0, 100, ""))),
     "", "all cpu 1 100.000 40.000\nopen cpu 1 60.000 60.000\n",
     "2 events without a usable time skipped; 2 values that are not JSON read as unknown; "
     "1 op without an end closed at the end of the recording",
     "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"lost\""},
    {"05: words inside of lists and as numbers of links", BROKEN,
     TEXT(DOCUMENT(OP("mm", 0, 50, ID(1) AND "\"Input Dims\":[[2,NaN],[inf]]")
                       NEXT KERNEL("k", 60, 10, ID(1) AND "\"stream\":N/A,\"correlation\":-nan"))),
     "", "mm cpu 1 50.000 50.000 10.000 10.000\nk device 1 0.000 0.000 10.000 10.000\n",
     "4 values that are not JSON read as unknown", "NaN"},
    {"07: an array without its end, numbers in quotes", BROKEN,
     TEXT("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":\"5\",\"dur\":\"10\",\"tid\":1,\"pid\":\"CPU functions\",\"args"
     "\":{}},\n"
          "{\"name\":\"b\",\"ph\":\"X\",\"ts\":\"7\",\"dur\":\"2\",\"tid\":1,\"pid\":\"CPU functions\",\"args\":{}}"),
     "", "a cpu 1 10.000 8.000\nb cpu 1 2.000 2.000\n", "", NULL},
    {"07: node ids below zero and beside others", JSON,
     TEXT("[{\"name\":\"r\",\"ph\":\"X\",\"ts\":5,\"dur\":10,\"tid\":\"2 node_id:-2\",\"pid\":\"CPU functions"
     "\",\"args\":{}},"
          "{\"name\":\"r\",\"ph\":\"X\",\"ts\":5,\"dur\":9,\"tid\":\"2 node_id:7\",\"pid\":\"CPU functions\","
          "\"args\":{}}]"),
     "", "r@-2 cpu 1 10.000 10.000\nr@7 cpu 1 9.000 9.000\n", "", NULL},
    {"08: cut behind a comma", BROKEN, TEXT(HEAD OP("a", 0, 10, "") NEXT), "", "a cpu 1 10.000 10.000\n",
     "the file ends early at byte N", NULL},
    {"08: cut in the header behind the events", BROKEN, TEXT(HEAD OP("a", 0, 10, "") "\n],\"traceName\": \"/tm"), "",
     "a cpu 1 10.000 10.000\n", "the file ends early at byte N", NULL},
    {"09: a whole second document in an event's arguments", BROKEN,
     TEXT(HEAD OP("a", 0, 10, "") NEXT
          "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"cut\",\"pid\":1,\"tid\":1,\"ts\":20,\"dur\":5,\"args\":{"
          "\"External id\":"
          HEAD OP_OF(2, "b", 30, 6) NEXT OP_OF(3, "c", 40, 7) "\n]}"),
     "", "a cpu 1 10.000 10.000\nb cpu 1 6.000 6.000\nc cpu 1 7.000 7.000\n",
     "1 damaged region skipped; events of 3 processes and no rank: probably written by several processes",
     "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"cut\""},
    {"09: a second writer in the middle of a name", BROKEN,
     TEXT(HEAD OP("a", 0, 10, "") NEXT "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::" OP_OF(2, "b", 30, 6)
              NEXT OP_OF(2, "c", 40, 7) "\n]}"),
     "", "a cpu 1 10.000 10.000\nb cpu 1 6.000 6.000\nc cpu 1 7.000 7.000\n",
     "1 damaged region skipped; events of 2 processes and no rank: probably written by several processes",
     "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::"},
    {"10: nothing but a byte order mark", BROKEN, TEXT("\xEF\xBB\xBF\r\n"), "", NULL, "empty file", NULL},
    {"10: a list of events that is no list", BROKEN, TEXT("{\"traceEvents\":null,\"other\":[]}"), "", NULL,
     "no traceEvents in this file (a trace is what prof.export_chrome_trace writes)", NULL},
    {"10: an empty array", JSON, TEXT("[]"), "", "", "", NULL},
    {"12: categories and keys in any case", BROKEN,
     TEXT(DOCUMENT(EVENT("CPU_Op", "mm", THREAD(1, 7), "0", "40", "\"EXTERNAL ID\":5")
                       NEXT EVENT("CUDA_Runtime", "launch", THREAD_TEXT("7"), "5", "5", "\"external Id\":5")
                           NEXT ON_DEVICE("KERNEL", "k", 60, 20, "\"External ID\":\"5\""))),
     "", "mm cpu 1 40.000 35.000 20.000 20.000\nlaunch cpu 1 5.000 5.000\nk device 1 0.000 0.000 20.000 20.000\n", "",
     NULL},
    {"12: old Operator and Memcpy, ids in quotes", JSON,
     TEXT(DOCUMENT(EVENT("Operator", "aten::copy_", THREAD(1, 1), "0", "10", "\"external id\":\"3\"")
                       NEXT ON_DEVICE("Memcpy", "Memcpy HtoD", 20, 4, "\"external id\":\"3\""))),
     "", "aten::copy_ cpu 1 10.000 10.000 4.000 4.000\nMemcpy HtoD device 1 0.000 0.000 4.000 4.000\n", "", NULL},
    {"13: phases that are not X, and X without a length", JSON,
     TEXT(DOCUMENT("{\"ph\":\"B\",\"name\":\"b\",\"ts\":1,\"pid\":1,\"tid\":1}" NEXT
                   "{\"ph\":\"E\",\"ts\":9,\"pid\":1,\"tid\":1}" NEXT "{\"ph\":\"C\",\"name\":\"c\",\"ts\":1}" NEXT
                   "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1}" NEXT
                   "{\"ph\":\"XX\",\"name\":\"x\",\"ts\":1}" NEXT
                   "{\"name\":\"no phase\",\"ts\":1}" NEXT OP("a", 0, 20, "") NEXT
                   "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"point\",\"pid\":1,\"tid\":1,\"ts\":5}")),
     "", "a cpu 1 20.000 20.000\npoint cpu 1 0.000 0.000\n", "", NULL},
    {"13: the key of the list inside of other values", JSON,
     TEXT("{\"a\":{\"traceEvents\":[" OP("no", 0, 1, "") "]},\"b\":\"\\\"traceEvents\\\":[\",\"traceEvents\":["
          OP("a", 0, 20, "") "],\"c\":[[[{\"traceEvents\":[" OP("no", 0, 1, "") "]}]]]}"),
     "", "a cpu 1 20.000 20.000\n", "", NULL},
    {"15: durations at the border of 2^62 ns", BROKEN,
     TEXT(DOCUMENT(OP("a", 0, 100, "") NEXT OP("below", 10, 4611686018427387.903, "")
                       NEXT OP("at", 20, 4611686018427387.904, ""))),
     "", "a cpu 1 100.000 100.000\nbelow cpu 1 4611686018427387.903 10.000\n"
     "at cpu 1 4611686018427377.903 4611686018427377.903\n",
     "1 op without an end closed at the end of the recording; "
     "durations or bytes that do not fit 64 bits in all: sums of them are wrong",
     "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"at\""},
    {"15: no op has an end", BROKEN, TEXT(DOCUMENT(OP("a", 5, 9223372036854775.807, ""))), "", "a cpu 1 0.000 0.000\n",
     "1 op without an end closed at the end of the recording", "{\"ph\":\"X\""},
    {"16: an op at 0 is an op like others, a kernel there has no time", JSON,
     TEXT(DOCUMENT(OP("z", 0, 10, ID(1)) NEXT KERNEL("k", 0, 5, ID(1)))), "",
     "z cpu 1 10.000 10.000 5.000 5.000\nk device 1 0.000 0.000 5.000 5.000\n", "1 device event without a time stamp",
     "{\"ph\":\"X\",\"cat\":\"kernel\""},
    {"16: a kernel before 0 has one", JSON, TEXT(DOCUMENT(OP("z", 5, 10, ID(1)) NEXT KERNEL("k", -3, 5, ID(1)))), "",
     "k device 1 0.000 0.000 5.000 5.000\nz cpu 1 10.000 10.000 5.000 5.000\n", "", NULL},
    {"18: three of one name fold into one", JSON,
     TEXT(DOCUMENT(OP("a", 0, 10, "") NEXT OP("a", 0, 10, "") NEXT OP("a", 0, 10, ""))), "",
         "a cpu 1 10.000 10.000\n", "",
     NULL},
    {"18: two points at one time do not nest", JSON, TEXT(DOCUMENT(OP("a", 5, 0, "") NEXT OP("a", 5, 0, ""))), "",
     "a cpu 2 0.000 0.000\n", "", NULL},
    {"19: the innermost first, its kernel before it", JSON,
     TEXT(DOCUMENT(KERNEL("k", 50, 5, ID(3)) NEXT OP("c", 2, 1, ID(3)) NEXT OP("b", 1, 5, "") NEXT OP("a", 0, 10,
         ""))), "",
     "a cpu 1 10.000 5.000 5.000 0.000\nb cpu 1 5.000 4.000 5.000 0.000\nc cpu 1 1.000 1.000 5.000 5.000\n"
     "k device 1 0.000 0.000 5.000 5.000\n", "", NULL},
    {"19: of one start the longer encloses", JSON, TEXT(DOCUMENT(OP("short", 0, 5, "") NEXT OP("long", 0, 10, ""))), "",
     "long cpu 1 10.000 5.000\nshort cpu 1 5.000 5.000\n", "", NULL},
    {"21: a chain of crossings", JSON,
     TEXT(DOCUMENT(OP("a", 0, 10, "") NEXT OP("b", 5, 10, "") NEXT OP("c", 12, 8, ""))), "",
     "a cpu 1 10.000 10.000\nb cpu 1 10.000 10.000\nc cpu 1 8.000 8.000\n", "", NULL},
    {"21: borders that touch", JSON,
     TEXT(DOCUMENT(OP("a", 0, 10, "") NEXT OP("behind", 10, 2, "") NEXT OP("inside", 8, 2, ""))), "",
     "a cpu 1 10.000 8.000\ninside cpu 1 2.000 2.000\nbehind cpu 1 2.000 2.000\n", "", NULL},
    {"22: a frame without a return ends with its caller in stacks", JSON,
     TEXT(DOCUMENT(FRAME("main", 0, 100) NEXT FRAME("f", 10, 990) NEXT OP("a", 20, 10, "") NEXT OP("b", 150, 10, ""))),
     "--group-by-stack-n 5", "a <- f, main cpu 1 10.000 10.000\nb cpu 1 10.000 10.000\n", "", NULL},
    {"22: two frames without a return", JSON,
     TEXT(DOCUMENT(FRAME("main", 0, 100) NEXT FRAME("f", 10, 990) NEXT FRAME("g", 20, 980) NEXT OP("a", 30, 10, "")
                       NEXT OP("b", 120, 10, ""))),
     "--include-python-functions",
     "main cpu 1 100.000 100.000\nf cpu 1 990.000 10.000\ng cpu 1 980.000 960.000\na cpu 1 10.000 10.000\n"
     "b cpu 1 10.000 10.000\n", "", NULL},
    {"25: two names that call each other", JSON,
     TEXT(DOCUMENT(OP("a", 0, 100, "") NEXT OP("b", 10, 80, "") NEXT OP("a", 20, 60, "") NEXT OP("b", 30, 40, ""))), "",
     "a cpu 2 160.000 40.000\nb cpu 2 120.000 60.000\n", "", NULL},
    {"25: a name whose only child is itself", JSON,
     TEXT(DOCUMENT(OP("a", 0, 100, "") NEXT OP("a", 10, 80, "") NEXT OP("a", 20, 10, ""))), "",
         "a cpu 1 100.000 100.000\n",
     "", NULL},
    {"26: a launch without an id whose correlation is an op's", JSON,
     TEXT(DOCUMENT(OP("randn", 0, 20, ID(30)) NEXT CALL("launch", 5, 5, CORRELATION(23)) NEXT OP("mm", 30, 40, ID(23))
                       NEXT KERNEL("k", 60, 8, ID(30) AND CORRELATION(23)))),
     "", "randn cpu 1 20.000 15.000 8.000 8.000\nlaunch cpu 1 5.000 5.000\nmm cpu 1 40.000 40.000\n"
     "k device 1 0.000 0.000 8.000 8.000\n", "", NULL},
    {"26: ids that are only correlations: the op around the call", JSON,
     TEXT(DOCUMENT(OP("other", 0, 10, ID(7)) NEXT OP("mm", 20, 20, ID(8)) NEXT CALL("launch", 25, 5, ID(7) AND
         CORRELATION(7))
                       NEXT KERNEL("k", 50, 9, ID(7) AND CORRELATION(7)))),
     "", "other cpu 1 10.000 10.000\nmm cpu 1 20.000 15.000 9.000 9.000\nlaunch cpu 1 5.000 5.000\n"
     "k device 1 0.000 0.000 9.000 9.000\n", "", NULL},
    {"28: without a base time the figures stand", JSON,
     TEXT(DOCUMENT(MARK("fwd", 0, 60, ID(1)) NEXT OP("mm", 10, 20, ID(2)) NEXT KERNEL("k", 100, 50, ID(2))
                       NEXT ON_DEVICE("gpu_user_annotation", "fwd", 99.999, 50.002, ID(1)))),
     "", "fwd mark 1 60.000 40.000 50.000 0.000\nmm cpu 1 20.000 20.000 50.000 50.000\n"
     "fwd device-mark 1 0.000 0.000 50.002 50.002\nk device 1 0.000 0.000 50.000 50.000\n", "", NULL},
    {"28: one too short to be made narrower", JSON,
     TEXT("{\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":["
          ON_DEVICE("gpu_user_annotation", "fwd", 99.999, 0.001, ID(1)) NEXT KERNEL("k", 100, 50, ID(2)) "]}"),
     "", "k device 1 0.000 0.000 50.000 50.000\nfwd device-mark 1 0.000 0.000\n", "", NULL},
    {"29: ids of ops that are not there", JSON,
     TEXT(DOCUMENT(KERNEL("k", 5, 10, ID(99)) NEXT ON_DEVICE("gpu_memset", "Memset (Device)", 20, 2, ID(98)))), "",
     "k device 1 0.000 0.000 10.000 10.000\nMemset (Device) device 1 0.000 0.000 2.000 2.000\n", "", NULL},
    {"29: an async op owns nothing", JSON,
     TEXT(DOCUMENT(MARK("nccl:all_reduce", 0, 100, ID(4)) NEXT KERNEL("k", 10, 20, ID(4)))), "",
     "nccl:all_reduce mark 1 100.000 0.000\nk device 1 0.000 0.000 20.000 20.000\n", "", NULL},
    {"31: a device clock a second behind", JSON,
     TEXT(DOCUMENT(OP("mm", 0, 10, ID(1)) NEXT CALL("launch", 2, 3, ID(1) AND CORRELATION(5))
                       NEXT KERNEL("k", -1000000, 7, ID(1) AND CORRELATION(5)))),
     "", "k device 1 0.000 0.000 7.000 7.000\nmm cpu 1 10.000 7.000 7.000 7.000\nlaunch cpu 1 3.000 3.000\n", "", NULL},
    {"31: the host's clock jumps a year", JSON,
     TEXT(DOCUMENT(OP("a", 0, 10, "") NEXT OP("b", 31536000000000, 5, "") NEXT OP("c", 31536000000001.001, 0.5, ""))),
         "",
     "a cpu 1 10.000 10.000\nb cpu 1 5.000 4.500\nc cpu 1 0.500 0.500\n", "", NULL},
    {"32: equal kernels at one time are added", JSON,
     TEXT(DOCUMENT(KERNEL("k", 10, 10, "\"stream\":7") NEXT KERNEL("k", 10, 10, "\"stream\":7"))), "",
     "k device 2 0.000 0.000 20.000 20.000\n", "", NULL},
    {"32: kernels in each other are no tree", JSON,
     TEXT(DOCUMENT(KERNEL("long", 10, 100, "") NEXT KERNEL("short", 20, 10, "") NEXT KERNEL("short", 20, 10, ""))), "",
     "long device 1 0.000 0.000 100.000 100.000\nshort device 2 0.000 0.000 20.000 20.000\n", "", NULL},
    {"34: a kernel whose launch is not there", JSON,
     TEXT(DOCUMENT(OP("mm", 0, 10, ID(1)) NEXT KERNEL("k", 20, 3, ID(1) AND CORRELATION(4)))), "",
     "mm cpu 1 10.000 10.000 3.000 3.000\nk device 1 0.000 0.000 3.000 3.000\n", "", NULL},
    {"34: one launch, two kernels", JSON,
     TEXT(DOCUMENT(OP("graph", 0, 20, ID(1)) NEXT CALL("cudaGraphLaunch", 5, 5, ID(1) AND CORRELATION(9))
                       NEXT KERNEL("k1", 30, 4, ID(1) AND CORRELATION(9)) NEXT KERNEL("k2", 40, 6, ID(1) AND
                           CORRELATION(9)))),
     "", "graph cpu 1 20.000 15.000 10.000 10.000\ncudaGraphLaunch cpu 1 5.000 5.000\n"
     "k1 device 1 0.000 0.000 4.000 4.000\nk2 device 1 0.000 0.000 6.000 6.000\n", "", NULL},
    {"35: two back ends in one file", JSON,
     TEXT(DOCUMENT(OP("mm", 0, 10, ID(1)) NEXT KERNEL("k", 20, 5, ID(1)) NEXT ON_DEVICE("mtia_counters", "c", 30, 1,
         ""))), "",
     "mm cpu 1 10.000 10.000\nk device 1 0.000 0.000 5.000 5.000\nc device 1 0.000 0.000 1.000 1.000\n", "", NULL},
    {"35: a driver of PrivateUse1, and a category nobody knows", JSON,
     TEXT(DOCUMENT(OP("mm", 0, 10, ID(1)) NEXT EVENT("privateuse1_driver", "launch", THREAD(1, 1), "2", "3", ID(1))
                       NEXT KERNEL("k", 20, 5, ID(1)) NEXT ON_DEVICE("tpu_op", "t", 30, 1, ID(1)))),
     "", "mm cpu 1 10.000 7.000 5.000 5.000\nlaunch cpu 1 3.000 3.000\nk device 1 0.000 0.000 5.000 5.000\n", "", NULL},
    {"37: empty pieces of a stack are dropped", JSON,
     TEXT(DOCUMENT(OP("op", 0, 10, STACK(";;a.py(1): f;;b.py(2): g;")) NEXT OP("op", 20, 5, STACK("a.py(1): f")))),
     "--group-by-stack-n 5", "op <- a.py(1): f, b.py(2): g cpu 1 10.000 10.000\nop <- a.py(1): f cpu 1 5.000 5.000\n",
     "", NULL},
    {"37: frames that torch leaves out", JSON,
     TEXT(DOCUMENT(OP("op", 0, 10, STACK("torch/autograd/__init__.py(1): _make_grads;x.py(1): f"))
                       NEXT OP("op", 20, 5, STACK("torch/tensor.py(9): backward")))),
     "--group-by-stack-n 5", "op <- x.py(1): f cpu 1 10.000 10.000\nop cpu 1 5.000 5.000\n", "", NULL},
    {"37: a stack that is there but empty stays empty", BROKEN,
     TEXT(DOCUMENT(FRAME("main", 0, 100) NEXT OP("own", 10, 10, STACK("")) NEXT OP("none", 30, 10, ""))),
     "--group-by-stack-n 5", "own cpu 1 10.000 10.000\nnone <- main cpu 1 10.000 10.000\n", "", NULL},
    {"38: nothing but python frames", JSON, TEXT(DOCUMENT(FRAME("main", 0, 100) NEXT FRAME("f", 10, 40))), "", "", "",
        NULL},
    {"38: a frame between ops, left out", BROKEN,
     TEXT(DOCUMENT(OP("outer", 0, 100, "") NEXT FRAME("f", 10, 80) NEXT OP("inner", 20, 10, ""))), "--no-python",
     "outer cpu 1 100.000 90.000\ninner cpu 1 10.000 10.000\n", "", NULL},
    {"40: a backward op has its forward op's stack", JSON,
     TEXT(DOCUMENT(OP("f", 0, 10, STACK("a.py(1): f") AND "\"Sequence number\":7")
                       NEXT EVENT("cpu_op", "b", THREAD(1, 2), "20", "5",
                           "\"Sequence number\":7,\"Fwd thread id\":1"))),
     "--group-by-stack-n 5", "f <- a.py(1): f cpu 1 10.000 10.000\nb <- a.py(1): f cpu 1 5.000 5.000\n", "", NULL},
    {"40: a backward op without its forward op has none, whatever it says", JSON,
     TEXT(DOCUMENT(OP("f", 0, 10, STACK("a.py(1): f") AND "\"Sequence number\":7")
                       NEXT EVENT("cpu_op", "b", THREAD(1, 2), "20", "5",
                                  STACK("x.py(1): g") AND "\"Sequence number\":9,\"Fwd thread id\":1"))),
     "--group-by-stack-n 5", "f <- a.py(1): f cpu 1 10.000 10.000\nb cpu 1 5.000 5.000\n", "", NULL},
    {"42: names that differ in their last letter", JSON,
     TEXT(DOCUMENT(OP("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
     "std::array<char*, 1ul>>a",
                      0, 10, "")
                       NEXT OP("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
                               "std::array<char*, 1ul>>b", 20, 5, ""))),
     "", "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, "
     "1ul>>a cpu 1 "
     "10.000 10.000\nvoid at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
     "std::array<char*, 1ul>>b "
     "cpu 1 5.000 5.000\n", "", NULL},
    {"42: a blank at the end and capitals make other names", JSON,
     TEXT(DOCUMENT(OP("gemm", 0, 10, "") NEXT OP("gemm ", 20, 5, "") NEXT OP("GEMM", 30, 2, ""))), "",
     "gemm cpu 1 10.000 10.000\ngemm  cpu 1 5.000 5.000\nGEMM cpu 1 2.000 2.000\n", "", NULL},
    {"44: joined emoji, right to left", JSON,
     TEXT(DOCUMENT(OP("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", 0, 10, "") NEXT OP("\xD7\xA9", 20, 5, ""))), "",
     "<f0><9f><91><a9><e2><80><8d><f0><9f><92><bb> cpu 1 10.000 10.000\n<d7><a9> cpu 1 5.000 5.000\n", "", NULL},
    {"44: lone and swapped surrogates; a name written in two ways", BROKEN,
     TEXT(DOCUMENT(OP("\\ud83d", 0, 10, "") NEXT OP("\\ude80\\ud83d", 20, 5, "") NEXT OP("caf\\u00e9", 30, 2, "")
                       NEXT OP("caf\xC3\xA9", 40, 1, ""))),
     "", "<ef><bf><bd> cpu 1 10.000 10.000\n<ef><bf><bd><ef><bf><bd> cpu 1 5.000 5.000\ncaf<c3><a9> cpu 2 3.000 "
     "3.000\n", "",
     NULL},
};

enum { KIN = sizeof kin / sizeof *kin };

#endif

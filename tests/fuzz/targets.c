#include "fuzz.h"

const struct fuzz_target fuzz_targets[] = {
    {"trace", fuzz_trace},   {"blocks", fuzz_blocks}, {"json", fuzz_json}, {"inflate", fuzz_inflate},
    {"filter", fuzz_filter}, {"config", fuzz_config}, {"keys", fuzz_keys}, {"play", fuzz_play},
    {"summary", fuzz_summary},
};

const unsigned fuzz_target_count = sizeof fuzz_targets / sizeof *fuzz_targets;

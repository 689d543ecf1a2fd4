/* CRC-32 as zlib, PNG and Python's zlib.crc32 have it. */
#ifndef KEYAVG_SUMMARY_CHECKSUM_H
#define KEYAVG_SUMMARY_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint32_t checksum(const void *bytes, size_t length);

#endif

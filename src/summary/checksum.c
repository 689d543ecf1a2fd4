#include "checksum.h"

#include <pthread.h>
#include <string.h>

enum { WIDE = 8 }; /* bytes at a time */

static uint32_t tables[WIDE][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_tables(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = (value & 1) != 0 ? value >> 1 ^ 0xEDB88320u : value >> 1;
        tables[0][i] = value;
    }
    for (uint32_t i = 0; i < 256; i++)
        for (int t = 1; t < WIDE; t++)
            tables[t][i] = tables[t - 1][i] >> 8 ^ tables[0][tables[t - 1][i] & 0xFF];
}

uint32_t checksum(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint32_t value = 0xFFFFFFFFu;
    pthread_once(&made, make_tables);
    for (; length >= WIDE; at += WIDE, length -= WIDE) {
        uint32_t low = value ^ ((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
        value = tables[7][low & 0xFF] ^ tables[6][low >> 8 & 0xFF] ^ tables[5][low >> 16 & 0xFF] ^ tables[4][low >> 24] ^
                tables[3][at[4]] ^ tables[2][at[5]] ^ tables[1][at[6]] ^ tables[0][at[7]];
    }
    for (; length > 0; at++, length--)
        value = value >> 8 ^ tables[0][(value ^ *at) & 0xFF];
    return ~value;
}

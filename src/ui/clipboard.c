/* The clipboard of the terminal: OSC 52, which reaches the user's own machine over SSH. */
#include "rooms.h"

static void add_base64(struct text *out, struct span bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.length; i += 3) {
        size_t left = bytes.length - i;
        unsigned a = (unsigned char)bytes.bytes[i];
        unsigned b = left > 1 ? (unsigned char)bytes.bytes[i + 1] : 0;
        unsigned c = left > 2 ? (unsigned char)bytes.bytes[i + 2] : 0;
        text_add_char(out, digits[a >> 2]);
        text_add_char(out, digits[(a & 3) << 4 | b >> 4]);
        text_add_char(out, left > 1 ? digits[(b & 15) << 2 | c >> 6] : '=');
        text_add_char(out, left > 2 ? digits[c & 63] : '=');
    }
}

void clipboard_add_sequence(struct text *out, struct span text, bool tmux)
{
    /* tmux takes OSC 52 itself (set-clipboard on); wrapped, it also passes on where allow-passthrough is on. */
    text_add_string(out, "\033]52;c;");
    add_base64(out, text);
    text_add_char(out, '\a');
    if (!tmux)
        return;
    text_add_string(out, "\033Ptmux;\033\033]52;c;");
    add_base64(out, text);
    text_add_string(out, "\a\033\\");
}

// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/json_writer.h"

namespace lockscope {

namespace {

/// The length of the well-formed UTF-8 sequence that `text` begins with; 0 if it is none.
std::size_t sequenceAt(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
    };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        if (!follows(1) || !follows(2)) return 0;
        const bool overlong = lead == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
        return overlong || surrogate ? 0 : 3;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        if (!follows(1) || !follows(2) || !follows(3)) return 0;
        const bool overlong = lead == 0xF0 && byte(1) < 0x90;
        const bool beyond = lead == 0xF4 && byte(1) >= 0x90;
        return overlong || beyond ? 0 : 4;
    }
    return 0;
}

} // namespace

void JsonWriter::quote(std::string_view text) {
    constexpr char kHex[] = "0123456789abcdef";
    m_out += '"';
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            m_out += '\\';
            m_out += c;
            ++i;
        } else if (byte >= 0x20 && byte < 0x80) {
            m_out += c;
            ++i;
        } else if (c == '\n') {
            m_out += "\\n";
            ++i;
        } else if (byte < 0x20) {
            m_out += "\\u00";
            m_out += kHex[byte >> 4];
            m_out += kHex[byte & 15];
            ++i;
        } else if (const std::size_t length = sequenceAt(text.substr(i)); length > 0) {
            m_out += text.substr(i, length);
            i += length;
        } else {
            m_out += "\xEF\xBF\xBD"; // the replacement character
            ++i;
        }
    }
    m_out += '"';
}

} // namespace lockscope

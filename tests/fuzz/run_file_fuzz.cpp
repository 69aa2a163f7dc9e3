// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Run files from a fuzzer: whatever the bytes are, reading them ends in a value or in one line, and a value
// survives being written.
#include <cstdlib>
#include <string_view>

#include "core/lesson/run_file.h"

using namespace lockscope;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Result<RunFile> file = parseRunFile(text, "x.lockrun");
    if (!file) {
        if (file.error().text().find('\n') != std::string::npos) std::abort();
        return 0;
    }
    const Result<RunFile> again = parseRunFile(formatRunFile(*file), "x.lockrun");
    if (!again || !(*again == *file)) std::abort();
    return 0;
}

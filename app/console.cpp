// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/whole_file.h"

namespace lockscope::app {

namespace fs = std::filesystem;

namespace {

int cannotWrite(const std::string& path, std::string_view reason) {
    return complain(fmt::format("cannot write '{}': {}", path, reason), kFailed);
}

int writeDirectly(const std::string& path, std::string_view text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return cannotWrite(path, std::strerror(errno));
    const bool written = writeAll(file, text);
    const int reason = errno;
    ::close(file);
    return written ? kDone : cannotWrite(path, std::strerror(reason));
}

} // namespace

int complain(std::string_view message, int code) {
    std::string line(message);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    if (!line.starts_with("lockscope")) line = "lockscope: " + line;
    fmt::print(stderr, "{}\n", line);
    return code;
}

int print(std::string_view text) {
    std::fflush(stdout);
    return writeAll(STDOUT_FILENO, text)
               ? kDone
               : complain(fmt::format("cannot write to standard output: {}", std::strerror(errno)), kFailed);
}

int writeFile(const std::string& path, std::string_view text) {
    std::error_code trouble;
    const fs::file_status status = fs::status(path, trouble);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
        return writeDirectly(path, text);
    const Result<void> written = writeWholeFile(path, text);
    return written ? kDone : cannotWrite(path, written.error().message);
}

} // namespace lockscope::app

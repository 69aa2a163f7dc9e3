// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace lockscope::app {

namespace fs = std::filesystem;

namespace {

bool writeAll(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

int cannotWrite(const std::string& path, int reason) {
    return complain(fmt::format("cannot write '{}': {}", path, std::strerror(reason)), kFailed);
}

int writeDirectly(const std::string& path, std::string_view text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return cannotWrite(path, errno);
    const bool written = writeAll(file, text);
    const int reason = errno;
    ::close(file);
    return written ? kDone : cannotWrite(path, reason);
}

/// What a file gets that is newly made, or what the one that is replaced has.
mode_t modeFor(const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) == 0) return found.st_mode & 07777;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
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
    if (fs::is_directory(status)) return cannotWrite(path, EISDIR);
    if (fs::exists(status) && !fs::is_regular_file(status)) return writeDirectly(path, text);

    // A link is followed, so that it is its target which is replaced and not the link.
    const fs::path followed = fs::exists(status) ? fs::canonical(path, trouble) : fs::path(path);
    const std::string target = trouble ? path : followed.string();
    std::string draft = target + ".XXXXXX";
    const int file = ::mkostemp(draft.data(), O_CLOEXEC);
    if (file < 0) return cannotWrite(path, errno);
    const bool written = writeAll(file, text) && ::fchmod(file, modeFor(target)) == 0 && ::fsync(file) == 0;
    int reason = errno;
    const bool closed = ::close(file) == 0;
    if (written && !closed) reason = errno;
    if (written && closed) {
        if (::rename(draft.c_str(), target.c_str()) == 0) return kDone;
        reason = errno;
    }
    ::unlink(draft.c_str());
    return cannotWrite(path, reason);
}

} // namespace lockscope::app

// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/whole_file.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace lockscope {

namespace fs = std::filesystem;

namespace {

/// Where the links end, whether something is there or not.
Result<fs::path> followed(const std::string& path) {
    constexpr int kMostLinks = 40; // as the system's own limit
    fs::path target(path);
    std::error_code trouble;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target, trouble)); ++links) {
        if (links == kMostLinks) return Error{std::strerror(ELOOP), path};
        const fs::path next = fs::read_symlink(target, trouble);
        if (trouble) return Error{trouble.message(), path};
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    return target;
}

/// A new file beside `target`; its name goes to `name`. While it becomes a file that was there before nobody
/// else may read it; one that is new gets what the system gives new files.
int openDraft(const std::string& target, bool replaces, std::string& name) {
    static std::atomic<unsigned> drafts = 0;
    while (true) {
        name = fmt::format("{}.{}-{}~", target, ::getpid(), ++drafts);
        const int file =
            ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
        if (file >= 0 || errno != EEXIST) return file;
    }
}

/// A renamed file survives a power cut only once its folder is on the disk. Not every file system can do
/// that, and the content is safe already, so it is tried and not insisted on.
void flushFolderOf(const fs::path& target) {
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) return;
    ::fsync(handle);
    ::close(handle);
}

} // namespace

bool writeAll(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

Result<std::string> readWholeFile(const std::string& path, std::size_t mostBytes, std::string_view kind) {
    std::error_code trouble;
    const fs::file_status status = fs::status(path, trouble);
    if (!fs::exists(status)) return Error{"there is no such file", path};
    if (!fs::is_regular_file(status)) return Error{"this is not a file that can be read", path};
    std::ifstream in(path, std::ios::binary);
    if (!in) return Error{"this file cannot be opened for reading", path};
    std::string text(mostBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad()) return Error{"reading this file failed", path};
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > mostBytes)
        return Error{fmt::format("{} may have {} bytes at most, this one has more", kind, mostBytes), path};
    return text;
}

Result<void> writeWholeFile(const std::string& path, std::string_view text) {
    const auto failed = [&](int reason) { return Error{std::strerror(reason), path}; };
    const Result<fs::path> end = followed(path);
    if (!end) return end.error();
    const std::string target = end->string();
    struct stat found {};
    const bool replaces = ::stat(target.c_str(), &found) == 0;
    if (replaces && S_ISDIR(found.st_mode)) return failed(EISDIR);
    std::string draft;
    const int file = openDraft(target, replaces, draft);
    if (file < 0) return failed(errno);
    const bool written = writeAll(file, text) && (!replaces || ::fchmod(file, found.st_mode & 07777) == 0) &&
                         ::fsync(file) == 0;
    int reason = errno;
    const bool closed = ::close(file) == 0;
    if (written && !closed) reason = errno;
    if (written && closed) {
        if (::rename(draft.c_str(), target.c_str()) == 0) {
            flushFolderOf(target);
            return {};
        }
        reason = errno;
    }
    ::unlink(draft.c_str());
    return failed(reason);
}

} // namespace lockscope

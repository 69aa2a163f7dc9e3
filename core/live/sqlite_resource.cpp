// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/sqlite_resource.h"

#include <QUtf8StringView>

#include <sqlite3.h>

#include "core/world/resource.h"

namespace lockscope::live {

namespace {

constexpr const char* kSchema =
    "CREATE TABLE resource (name TEXT PRIMARY KEY, value BLOB NOT NULL, version INTEGER NOT NULL,"
    " fence INTEGER NOT NULL) WITHOUT ROWID";
constexpr const char* kInsert = "INSERT OR IGNORE INTO resource VALUES (?1, x'', 0, -1)";
constexpr std::string_view kFencedUpdate =
    "UPDATE resource SET value = ?2, version = version + 1, fence = max(fence, ?3)"
    " WHERE name = ?1 AND ?3 >= (SELECT max(fence) FROM resource)";
constexpr std::string_view kOpenUpdate =
    "UPDATE resource SET value = ?2, version = version + 1, fence = max(fence, ?3) WHERE name = ?1";
constexpr const char* kHighest = "SELECT coalesce(max(fence), -1) FROM resource";
constexpr const char* kSelect = "SELECT version, value FROM resource WHERE name = ?1 AND version > 0";

} // namespace

struct SqliteResource::Statement {
    ~Statement() { sqlite3_finalize(handle); }
    void bind(int position, std::string_view text) {
        sqlite3_bind_text64(handle, position, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    }
    /// What reads as text is text, in the statement too.
    void bindValue(int position, std::string_view value) {
        const bool text = value.find('\0') == std::string_view::npos &&
                          QUtf8StringView(value.data(), static_cast<qsizetype>(value.size())).isValidUtf8();
        if (text) return bind(position, value);
        sqlite3_bind_blob64(handle, position, value.data(), value.size(), SQLITE_TRANSIENT);
    }
    void bind(int position, std::int64_t number) { sqlite3_bind_int64(handle, position, number); }
    std::string expanded() const {
        const std::unique_ptr<char, void (*)(void*)> text(sqlite3_expanded_sql(handle), sqlite3_free);
        return text ? text.get() : "";
    }
    int step() { return sqlite3_step(handle); }
    void reset() { sqlite3_reset(handle); }

    sqlite3_stmt* handle = nullptr;
};

Result<std::unique_ptr<SqliteResource>> SqliteResource::create(const std::string& file,
                                                               const ResourceSpec& spec) {
    auto resource = std::unique_ptr<SqliteResource>(new SqliteResource);
    resource->m_spec = spec;
    if (const Result<void> opened = resource->open(file); !opened) return opened.error();
    return resource;
}

SqliteResource::~SqliteResource() {
    m_insert.reset();
    m_update.reset();
    m_highest.reset();
    m_select.reset();
    sqlite3_close(m_database);
}

Result<void> SqliteResource::open(const std::string& file) {
    const auto failed = [&] {
        return Error{"the protected resource could not be made: " +
                     std::string(m_database ? sqlite3_errmsg(m_database) : "no memory")};
    };
    // It has to outlast the actors, not the machine: nothing waits for the disk.
    const bool open = sqlite3_open_v2(file.c_str(), &m_database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                      nullptr) == SQLITE_OK &&
                      sqlite3_exec(m_database, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY",
                                   nullptr, nullptr, nullptr) == SQLITE_OK &&
                      sqlite3_exec(m_database, kSchema, nullptr, nullptr, nullptr) == SQLITE_OK;
    if (!open) return failed();
    const auto prepare = [this](std::unique_ptr<Statement>& into, std::string_view text) {
        into = std::make_unique<Statement>();
        return sqlite3_prepare_v2(m_database, text.data(), static_cast<int>(text.size()), &into->handle,
                                  nullptr) == SQLITE_OK;
    };
    if (!prepare(m_insert, kInsert) ||
        !prepare(m_update, m_spec.enforceFence ? kFencedUpdate : kOpenUpdate) ||
        !prepare(m_highest, kHighest) || !prepare(m_select, kSelect))
        return failed();
    return {};
}

WriteAnswer SqliteResource::refused(std::int64_t highest, std::string why) {
    m_why = std::move(why);
    return {false, 0, highest, m_why};
}

WriteAnswer SqliteResource::write(std::string_view name, std::string_view value, std::int64_t fence) {
    m_insert->bind(1, name);
    m_insert->step();
    m_insert->reset();
    m_update->bind(1, name);
    m_update->bindValue(2, value);
    m_update->bind(3, fence);
    m_statement = m_update->expanded();
    const int done = m_update->step();
    const bool changed = done == SQLITE_DONE && sqlite3_changes(m_database) == 1;
    m_update->reset();
    const std::int64_t highest = highestFence();
    if (done != SQLITE_DONE) return refused(highest, sqlite3_errmsg(m_database));
    if (!changed) return refused(highest, Resource::refusalOf(fence, highest));
    return {true, read(name).version, highest, {}};
}

std::int64_t SqliteResource::highestFence() {
    const std::int64_t highest =
        m_highest->step() == SQLITE_ROW ? sqlite3_column_int64(m_highest->handle, 0) : -1;
    m_highest->reset();
    return highest;
}

StoredValue SqliteResource::read(std::string_view name) {
    m_select->bind(1, name);
    StoredValue found;
    if (m_select->step() == SQLITE_ROW) {
        const void* bytes = sqlite3_column_blob(m_select->handle, 1);
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_select->handle, 1));
        m_value.assign(static_cast<const char*>(bytes), bytes ? size : 0);
        found = {true, m_value, sqlite3_column_int64(m_select->handle, 0)};
    }
    m_select->reset();
    return found;
}

} // namespace lockscope::live

// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/world/scenario.h"
#include "core/world/task_host.h"

struct sqlite3;
struct sqlite3_stmt;

namespace lockscope::live {

/// The protected resource of a live run: a table in an SQLite file. A write is one conditional UPDATE with
/// the fence in its WHERE clause, so whoever comes too late changes no row, whatever he believes. By the same
/// rules as the simulator's Resource.
class SqliteResource {
public:
    /// In a new file of that name, which must not exist.
    static Result<std::unique_ptr<SqliteResource>> create(const std::string& file, const ResourceSpec& spec);
    ~SqliteResource();
    SqliteResource(const SqliteResource&) = delete;
    SqliteResource& operator=(const SqliteResource&) = delete;

    /// An error of the database is a refusal that says so.
    WriteAnswer write(std::string_view name, std::string_view value, std::int64_t fence);
    StoredValue read(std::string_view name);

    /// The UPDATE of the latest write as it was really executed, with its values in it.
    const std::string& lastStatement() const { return m_statement; }

private:
    struct Statement;
    SqliteResource() = default;
    Result<void> open(const std::string& file);
    std::int64_t highestFence();
    WriteAnswer refused(std::int64_t highest, std::string why);

    ResourceSpec m_spec;
    sqlite3* m_database = nullptr;
    std::unique_ptr<Statement> m_insert, m_update, m_highest, m_select;
    std::string m_why;
    std::string m_value;
    std::string m_statement;
};

} // namespace lockscope::live

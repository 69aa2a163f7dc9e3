// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace lockscope {

class JsonWriter;
struct Trace;

/// The members of one intervention: what was done, and what came of it (an administrator's answer, what a
/// load wrote and drove out).
void writeIntervention(JsonWriter& json, const Trace& trace, std::size_t which);

} // namespace lockscope

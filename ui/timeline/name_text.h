// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <functional>

namespace lockscope::ui {

/// As much of a name as there is room for, so that it can still be told from the others: the names of
/// machines mostly begin and end alike. "…worker-07.eu…". `widthOf` measures a text in the units of `room`.
QString nameApart(const QString& name, const QStringList& others,
                  const std::function<double(const QString&)>& widthOf, double room);

} // namespace lockscope::ui

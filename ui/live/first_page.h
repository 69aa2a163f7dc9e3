// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

class Look;

/// What to do in a window, in the place of its views while they have nothing to show. Commands in it can be
/// copied.
class FirstPage : public WrapLabel {
    Q_OBJECT
public:
    FirstPage(const QString& name, const Look& look, QWidget* parent);

private:
    void applyLook();

    const Look& m_look;
};

} // namespace lockscope::ui

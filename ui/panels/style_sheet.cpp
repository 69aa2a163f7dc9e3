// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/style_sheet.h"

#include "ui/look.h"

namespace lockscope::ui {

QString widgetStyle(const Look& look) {
    // @name stands for a colour, #n for n design pixels.
    QString sheet = QStringLiteral(R"(
QMainWindow::separator { width: 1px; height: 1px; background: @line; }
QMenuBar { background: @window; border-bottom: 1px solid @line; }
QMenuBar::item { padding: [2] [8]; background: transparent; }
QMenuBar::item:selected { background: @lane; }
QMenu { background: @window; border: 1px solid @line; padding: [4] 0; }
QMenu::item { padding: [4] [24] [4] [24]; }
QMenu::item:selected { background: @focus; color: @window; }
QMenu::item:disabled { color: @dim; }
QMenu::separator { height: 1px; background: @line; margin: [4] 0; }
QToolBar { background: @window; border: none; border-bottom: 1px solid @line; padding: [3] [8]; spacing: [8]; }
QToolTip { background: @lane; color: @text; border: 1px solid @line; padding: [4]; }

QPushButton, QToolButton { background: @lane; color: @text; border: 1px solid @line; border-radius: [4];
    padding: [3] [9]; min-height: [20]; }
QToolButton { padding: [3] [5]; }
QPushButton:hover, QToolButton:hover { border-color: @dim; }
QPushButton:pressed, QToolButton:pressed, QPushButton:checked, QToolButton:checked { background: @line; border-color: @dim; }
QPushButton:disabled, QToolButton:disabled { color: @dim; background: @window; border-color: @line; }
QPushButton[primary="true"] { background: @focus; color: @window; border-color: @focus; }
QPushButton[primary="true"]:hover { border-color: @text; }
QPushButton[primary="true"]:disabled { background: @window; color: @dim; border-color: @line; }
QToolButton[flat="true"] { background: transparent; border-color: transparent; }
QToolButton[flat="true"]:hover { background: @lane; border-color: @line; }
QToolButton[segment="true"] { background: transparent; border: none; border-bottom: [2] solid transparent;
    border-radius: 0; color: @dim; min-height: 0; padding: [2] [6]; }
QToolButton[segment="true"]:hover { color: @text; }
QToolButton[segment="true"]:checked { color: @text; border-bottom-color: @text; }
QToolButton::menu-indicator { image: none; width: 0; }

QLineEdit, QSpinBox, QDoubleSpinBox { background: @window; color: @text; border: 1px solid @line; border-radius: [4];
    padding: [2] [5]; min-height: [20]; selection-background-color: @focus; selection-color: @window; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus { border-color: @focus; }
QLineEdit[inline="true"] { padding: 0; min-height: 0; border-radius: [2]; }
QLineEdit[wrong="true"] { border-color: @violation; }

QCheckBox { color: @text; spacing: [6]; }
QCheckBox::indicator { width: [12]; height: [12]; border: 1px solid @dim; border-radius: [2]; background: @window; }
QCheckBox::indicator:checked { background: @focus; border-color: @focus; }
QCheckBox::indicator:hover { border-color: @text; }

QRadioButton { color: @text; spacing: [6]; }
QRadioButton::indicator { width: [12]; height: [12]; border: 1px solid @dim; border-radius: [7]; background: @window; }
QRadioButton::indicator:checked { width: [6]; height: [6]; border: [4] solid @focus; }
QRadioButton::indicator:hover { border-color: @text; }

QTabBar { background: @window; }
QTabBar::tab { background: transparent; color: @dim; padding: [6] [10]; border: none; border-bottom: [2] solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom-color: @text; }
QTabBar::tab:hover { color: @text; }

QSlider::groove:horizontal { height: [4]; background: @line; border-radius: [2]; }
QSlider::sub-page:horizontal { height: [4]; background: @dim; border-radius: [2]; }
QSlider::handle:horizontal { width: [14]; height: [14]; margin: -[5] 0; background: @text; border-radius: [7]; }

QScrollBar:vertical { background: transparent; width: [10]; margin: 0; }
QScrollBar:horizontal { background: transparent; height: [10]; margin: 0; }
QScrollBar::handle { background: @line; border-radius: [4]; margin: [1]; min-height: [24]; min-width: [24]; }
QScrollBar::handle:hover { background: @dim; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QSplitter::handle { background: @line; }
QHeaderView::section { background: @window; color: @text; border: none; border-bottom: 1px solid @line; padding: [2] [4]; }
QTableView { gridline-color: @line; }
QTableView QTableCornerButton::section { background: @window; border: none; border-bottom: 1px solid @line; }
QTableView, QPlainTextEdit { background: @window; color: @text; border: none; }
QScrollArea { background: transparent; border: none; }
QFrame[card="true"] { background: @lane; border: 1px solid @line; border-radius: [4]; }
QFrame[topline="true"] { border: none; border-top: 1px solid @line; }
QFrame[alert="true"] { background: @lane; border: none; border-left: [4] solid @violation; }
QLabel[dim="true"] { color: @dim; }
QLabel[alarm="true"] { color: @violation; }
QLabel[pill="true"] { border: 1px solid @line; border-radius: [4]; padding: [2] [8]; background: @lane; }
)");
    const auto put = [&](const char* name, Role role) {
        sheet.replace(QLatin1String(name), look.color(role).name());
    };
    put("@window", Role::Window);
    put("@text", Role::Text);
    put("@dim", Role::DimText);
    put("@lane", Role::Lane);
    put("@line", Role::Hairline);
    put("@focus", Role::Focus);
    put("@violation", Role::Violation);
    for (const int length : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 20, 24})
        sheet.replace(QStringLiteral("[%1]").arg(length), QStringLiteral("%1px").arg(look.px(length)));
    return sheet;
}

} // namespace lockscope::ui

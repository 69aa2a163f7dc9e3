// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

#include "core/world/scenario.h"

namespace lockscope::ui {

class Look;

/// Every picture on a button. They are paths, drawn at whatever size and in the text colour of the moment.
enum class Glyph {
    ToStart,
    StepBack,
    Play,
    Pause,
    StepForward,
    ToEnd,
    Reset,
    Undo,
    Redo,
    Moon,
    Sun,
    Close,
    Previous,
    Next,
    Warning,
    Fold,
    Unfold,
    RingEmpty,  ///< not begun
    RingHalf,   ///< begun
    RingFull,   ///< done; as predicted
    RingBarred, ///< otherwise than predicted
    Dash,       ///< the veil lifted without an answer
};

/// Icons keep a reference to the look and follow its changes; they must not outlive it.
QIcon glyphIcon(const Look& look, Glyph glyph);
/// The same in the colour that can be read on a primary button.
QIcon glyphIconOnFocus(const Look& look, Glyph glyph);
/// The sign of a kind of fault, as it stands on lanes.
QIcon faultIcon(const Look& look, InterventionKind kind);
/// An actor's letter in its shape.
QIcon badgeIcon(const Look& look, int actor, bool outside = false);
/// The program's own picture: two bars of work over one lock.
QIcon appIcon();

} // namespace lockscope::ui

// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

namespace lockscope::ui {

class Look;
class TimelineView;

/// What a picture of the timeline says around it, so that it can stand alone.
struct PictureCaption {
    QString title;    ///< the lesson
    QString subtitle; ///< the step, the instant
    QString footer;   ///< the command line that gives this run
};

/// The stretch of the run that is in sight, with all its lanes, also those that scrolling hides. What the
/// veil covers on the screen it covers here. `ratio` is how many pixels a unit of length gets.
QImage pictureOf(TimelineView& view, const Look& look, const PictureCaption& caption, double ratio);

/// The same as a file: SVG or PNG, as its name ends; another ending is refused. Empty, or one line that says
/// what went wrong; then whatever the file was before is still there.
QString writePicture(TimelineView& view, const Look& look, const PictureCaption& caption, const QString& file,
                     double ratio);

} // namespace lockscope::ui

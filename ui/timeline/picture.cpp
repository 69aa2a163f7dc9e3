// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/picture.h"

#include <QBuffer>
#include <QFileInfo>
#include <QSvgGenerator>
#include <qcustomplot.h>

#include "core/base/whole_file.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/lane_headers.h"
#include "ui/timeline/note_row.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

namespace {

/// Exactly as high as all lanes need, for as long as it lives: painting follows the size a widget has.
class Unrolled {
public:
    explicit Unrolled(TimelineView& view)
        : m_view(view), m_size(view.size()), m_scroll(view.canvas().scroll()) {
        TimelineCanvas& canvas = view.canvas();
        canvas.setScroll(0);
        const int frame = view.height() - canvas.height() + canvas.rulerHeight() + canvas.style().px(20);
        view.resize(view.width(), frame + static_cast<int>(std::ceil(canvas.lanes().height())));
        // In another height the lanes may have another.
        if (canvas.mostScroll() > 0)
            view.resize(view.width(), view.height() + static_cast<int>(std::ceil(canvas.mostScroll())));
    }
    ~Unrolled() {
        if (m_view.size() != m_size) m_view.resize(m_size);
        m_view.canvas().setScroll(m_scroll);
    }
    Unrolled(const Unrolled&) = delete;
    Unrolled& operator=(const Unrolled&) = delete;

private:
    TimelineView& m_view;
    QSize m_size;
    double m_scroll;
};

/// A command line over several lines, each of which begins with the command or with an option.
QString brokenAtOptions(const QString& command, const QFontMetrics& font, int room) {
    QString lines, line;
    qsizetype from = 0;
    while (from < command.size()) {
        qsizetype next = command.indexOf(QLatin1String(" --"), from + 1);
        if (next < 0) next = command.size();
        const QString piece = command.mid(from, next - from);
        if (!line.isEmpty() && font.horizontalAdvance(line + piece) > room) {
            lines += line + QLatin1Char('\n');
            line = piece.trimmed();
        } else {
            line += piece;
        }
        from = next;
    }
    return lines + line;
}

class Picture {
public:
    Picture(TimelineView& view, const Look& look, const PictureCaption& caption)
        : m_view(view), m_look(look), m_caption(caption), m_unrolled(view), m_pad(look.px(12)),
          m_titleFont(look.font(TextRole::Question)), m_smallFont(look.font(TextRole::Caption)) {
        m_footerFont = look.font(TextRole::Code);
        m_footerFont.setPixelSize(m_smallFont.pixelSize());
        const QFontMetrics title(m_titleFont), small(m_smallFont);
        const bool notes = view.noteRow() != nullptr && view.noteRow()->wantedHeight() > 0;
        // What stands above the notes are controls.
        m_top = m_pad + title.height() + small.height() + m_pad -
                (notes ? view.noteRow()->y() : view.canvas().y());
        const QRect room(0, 0, view.width() - 2 * m_pad, 1 << 16);
        const QFontMetrics code(m_footerFont);
        m_caption.footer = brokenAtOptions(caption.footer, code, room.width());
        m_footer = code.boundingRect(room, kFooterFlags, m_caption.footer).height();
    }

    QSize size() const { return {m_view.width(), below() + m_footer + m_pad}; }

    void paint(QCPPainter& painter, double ratio) {
        const int width = m_view.width();
        painter.fillRect(QRect(QPoint(), size()), m_look.color(Role::Window));
        painter.setFont(m_titleFont);
        painter.setPen(m_look.color(Role::Text));
        const QFontMetrics title(m_titleFont), small(m_smallFont);
        const int room = width - 2 * m_pad;
        painter.drawText(m_pad, m_pad + title.ascent(),
                         title.elidedText(m_caption.title, Qt::ElideRight, room));
        painter.setFont(m_smallFont);
        painter.setPen(m_look.color(Role::DimText));
        painter.drawText(m_pad, m_pad + title.height() + small.ascent(),
                         small.elidedText(m_caption.subtitle, Qt::ElideRight, room));
        painter.setFont(m_footerFont);
        painter.drawText(QRect(m_pad, below(), room, m_footer), kFooterFlags, m_caption.footer);

        paintPart(painter, m_view.headers());
        if (m_view.noteRow() != nullptr && m_view.noteRow()->wantedHeight() > 0)
            paintPart(painter, *m_view.noteRow());
        painter.save();
        painter.translate(m_view.canvas().pos() + QPoint(0, m_top));
        m_view.canvas().paintTo(painter, ratio);
        painter.restore();
    }

private:
    static constexpr int kFooterFlags = Qt::TextWrapAnywhere | Qt::AlignLeft | Qt::AlignTop;

    int below() const { return m_top + m_view.height() + m_pad; }

    void paintPart(QPainter& painter, QWidget& part) {
        painter.save();
        part.render(&painter, part.pos() + QPoint(0, m_top), {}, QWidget::DrawChildren);
        painter.restore();
    }

    TimelineView& m_view;
    const Look& m_look;
    PictureCaption m_caption;
    Unrolled m_unrolled;
    int m_pad;
    QFont m_titleFont;
    QFont m_smallFont;
    QFont m_footerFont;
    int m_top = 0;
    int m_footer = 0;
};

QByteArray svgOf(TimelineView& view, const Look& look, const PictureCaption& caption) {
    Picture picture(view, look, caption);
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96); // lengths are screen pixels
    generator.setSize(picture.size());
    generator.setViewBox(QRect(QPoint(), picture.size()));
    generator.setTitle(caption.title);
    generator.setDescription(caption.footer);
    QCPPainter painter(&generator);
    picture.paint(painter, 2); // patterns are pixels, so they get some to spare
    painter.end();
    return buffer.data();
}

} // namespace

QImage pictureOf(TimelineView& view, const Look& look, const PictureCaption& caption, double ratio) {
    Picture picture(view, look, caption);
    QImage image((QSizeF(picture.size()) * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    QCPPainter painter(&image);
    picture.paint(painter, ratio);
    painter.end();
    return image;
}

QString writePicture(TimelineView& view, const Look& look, const PictureCaption& caption, const QString& file,
                     double ratio) {
    QByteArray content;
    const QString kind = QFileInfo(file).suffix().toLower();
    if (kind == QLatin1String("svg")) {
        content = svgOf(view, look, caption);
    } else if (kind == QLatin1String("png")) {
        QBuffer buffer(&content);
        pictureOf(view, look, caption, ratio).save(&buffer, "PNG");
    } else {
        return QCoreApplication::translate("lockscope",
                                           "%1: a picture is saved as PNG or SVG, by a name that ends in "
                                           ".png or .svg")
            .arg(QFileInfo(file).fileName());
    }
    const Result<void> done = writeWholeFile(
        file.toStdString(), std::string_view(content.constData(), static_cast<std::size_t>(content.size())));
    if (done) return {};
    return QCoreApplication::translate("lockscope", "%1 could not be written: %2")
        .arg(QFileInfo(file).fileName(), qstr(done.error().message));
}

} // namespace lockscope::ui

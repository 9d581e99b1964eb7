//! The part of a terminal that a smaller or larger window can show: its cells alone, without its modes.

use avt::Color;
use avt::Pen;
use avt::Terminal;
use vyre_proto::term::TermSize;

/// Draws over what stands in the window. The part has the cursor in it; what the window has beyond the terminal is empty.
pub(super) fn clip(terminal: &Terminal, window: TermSize) -> Vec<u8> {
    let (columns, rows) = (usize::from(window.cols()), usize::from(window.rows()));
    let cursor = terminal.cursor();
    let top = (cursor.row + 1).saturating_sub(rows);
    let left = (cursor.col + 1).saturating_sub(columns);
    let mut out = String::from("\x1b[?25l");
    let mut lines = terminal.screen().visible_lines().skip(top);
    for row in 0..rows {
        out.push_str(&format!("\x1b[{};1H\x1b[m", row + 1));
        let Some(line) = lines.next() else {
            out.push_str("\x1b[K");
            continue;
        };
        let (mut pen, mut column) = (Pen::default(), 0);
        for cell in line.cells() {
            let (begin, width) = (column, usize::from(cell.width()));
            column += width;
            // The second half of a wide character has no width, and one that the edge cuts is left out.
            if width == 0 || begin < left || column > left + columns {
                continue;
            }
            if *cell.pen() != pen {
                pen = *cell.pen();
                out.push_str(&sgr(&pen));
            }
            out.push(cell.char());
        }
        if column.saturating_sub(left) < columns {
            out.push_str("\x1b[m\x1b[K");
        }
    }
    out.push_str(&format!("\x1b[m\x1b[{};{}H", cursor.row - top + 1, cursor.col - left + 1));
    if cursor.visible {
        out.push_str("\x1b[?25h");
    }
    out.into_bytes()
}

fn sgr(pen: &Pen) -> String {
    let set = [
        (pen.is_bold(), 1),
        (pen.is_faint(), 2),
        (pen.is_italic(), 3),
        (pen.is_underline(), 4),
        (pen.is_blink(), 5),
        (pen.is_inverse(), 7),
        (pen.is_strikethrough(), 9),
    ];
    let mut sgr = String::from("\x1b[0");
    for (_, n) in set.iter().filter(|(is, _)| *is) {
        sgr.push_str(&format!(";{n}"));
    }
    for (colour, base) in [(pen.foreground(), 30), (pen.background(), 40)] {
        match colour {
            None => {}
            Some(Color::Indexed(n @ 0..8)) => sgr.push_str(&format!(";{}", base + u16::from(n))),
            Some(Color::Indexed(n)) => sgr.push_str(&format!(";{};5;{n}", base + 8)),
            Some(Color::RGB(c)) => sgr.push_str(&format!(";{};2;{};{};{}", base + 8, c.r, c.g, c.b)),
        }
    }
    sgr.push('m');
    sgr
}

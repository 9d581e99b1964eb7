//! A bar that grows on a terminal, drawn by hand, and nothing where there is no terminal.

use std::io::IsTerminal;
use std::io::Write;
use std::time::Duration;
use std::time::Instant;

/// Characters of the bar.
const WIDTH: usize = 30;

/// Between two drawings: faster is not seen.
const EVERY: Duration = Duration::from_millis(80);

/// See the module.
pub struct Bar {
    size: Option<u64>,
    shown: bool,
    began: Instant,
    drawn: Option<Instant>,
}

impl Bar {
    /// Of `size` bytes; `None` where that is not known.
    pub fn new(size: Option<u64>) -> Self {
        Self { size, shown: std::io::stderr().is_terminal(), began: Instant::now(), drawn: None }
    }

    /// Draws, if it is time: `bytes` of the input are settled, in `events` events.
    pub fn draw(&mut self, bytes: f64, events: u64) {
        if !self.shown || self.drawn.is_some_and(|at| at.elapsed() < EVERY) {
            return;
        }
        self.drawn = Some(Instant::now());
        let text = line(self.size, bytes, events, self.began.elapsed());
        // A terminal that went away takes nothing, and that is no failure of the publishing.
        let _ = write!(std::io::stderr(), "\r\x1b[K{text}");
    }

    /// Takes the bar away.
    pub fn end(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(size: Option<u64>, bytes: f64, events: u64, since: Duration) -> String {
    let rate = events as f64 / since.as_secs_f64().max(0.001);
    let counts = format!("{} events  {}/s", grouped(events), grouped(rate as u64));
    match size {
        Some(size) if size > 0 => {
            let share = (bytes / size as f64).clamp(0.0, 1.0);
            let eighths = (share * (WIDTH * 8) as f64) as usize;
            let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(eighths % 8).copied().unwrap_or("");
            let full = "█".repeat(eighths / 8);
            let used = eighths / 8 + usize::from(!part.is_empty());
            format!("{full}{part}{} {:>3.0} %  {counts}", " ".repeat(WIDTH.saturating_sub(used)), share * 100.0)
        }
        _ => counts,
    }
}

/// A number with a thin mark at each thousand.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_keeps_its_width_from_none_to_all() {
        for percent in 0..=100 {
            let text = line(Some(100), f64::from(percent), 5, Duration::from_secs(1));
            let bar: String = text.chars().take(WIDTH).collect();
            assert_eq!(text.chars().nth(WIDTH), Some(' '), "{text}");
            assert_eq!(bar.chars().filter(|c| *c == '█').count(), (percent as usize * WIDTH) / 100, "{text}");
        }
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn an_input_of_unknown_length_has_counts_alone() {
        assert_eq!(line(None, 10.0, 1500, Duration::from_secs(1)), "1,500 events  1,500/s");
    }
}

//! Colours that a program gives an emulator: the palette, the foreground, the background, the cursor.

use std::collections::BTreeMap;

/// Longest name of a colour in bytes. The longest that X has is `rgb:` and twelve digits, or a name of thirty letters.
const NAME_MAX: usize = 64;

/// By what they colour: an entry of the palette as `(4, entry)`, the rest as `(10, 0)` to `(19, 0)`. So it is bounded.
#[derive(Debug, Clone, Default)]
pub(super) struct Colours(BTreeMap<(u16, u16), String>);

impl Colours {
    /// Reads the body of an OSC, if it is of colours.
    pub(super) fn read(&mut self, body: &str) {
        let mut words = body.split(';');
        let Some(Ok(what)) = words.next().map(str::parse::<u16>) else { return };
        match what {
            4 => {
                while let (Some(entry), Some(name)) = (words.next(), words.next()) {
                    if let Ok(entry @ ..256) = entry.parse() {
                        self.set((4, entry), name);
                    }
                }
            }
            // One that names several means the ones that follow.
            10..=19 => {
                for (to, name) in (what..20).zip(words) {
                    self.set((to, 0), name);
                }
            }
            104 => {
                let entries: Vec<u16> = words.filter_map(|w| w.parse().ok()).collect();
                self.0.retain(|(to, entry), _| *to != 4 || !(entries.is_empty() || entries.contains(entry)));
            }
            110..=119 => {
                self.0.remove(&(what - 100, 0));
            }
            _ => {}
        }
    }

    fn set(&mut self, to: (u16, u16), name: &str) {
        // A question mark asks for the colour.
        if name.len() <= NAME_MAX && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"#:/.,- ".contains(&b)) {
            self.0.insert(to, name.to_owned());
        }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for ((to, entry), name) in &self.0 {
            let entry = if *to == 4 { format!("{entry};") } else { String::new() };
            out.extend_from_slice(format!("\x1b]{to};{entry}{name}\x1b\\").as_bytes());
        }
    }
}

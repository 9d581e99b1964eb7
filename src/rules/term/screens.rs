//! The screens on one terminal: whose size is in force, and who answers what the program asks of the terminal.
//!
//! **The screen that typed last decides.** Its size is the terminal's, also when it changes. A screen that only looks on
//! shows what there is, at the size that there is. So a phone that is unlocked, or comes back after a cut, changes
//! nothing on the desk until somebody types on it. Until anybody has typed, and where whoever decided is gone and one
//! screen alone is left, it is the first screen that says a size.
//!
//! A program asks its terminal questions, and each emulator that sees one answers. One answer is right: that of the
//! screen that decides. The others' would be typed into the shell.

use std::collections::BTreeMap;

use vyre_proto::term::TermSize;

/// One attached screen, by its number in the order of coming.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScreenId(pub u64);

/// See the module.
#[derive(Debug, Default)]
pub struct Screens {
    /// What each has said of its size.
    sizes: BTreeMap<ScreenId, Option<TermSize>>,
    decides: Option<ScreenId>,
}

impl Screens {
    /// A screen comes.
    pub fn join(&mut self, screen: ScreenId) {
        self.sizes.insert(screen, None);
    }

    /// A screen goes. The size stays as it is.
    pub fn leave(&mut self, screen: ScreenId) {
        self.sizes.remove(&screen);
        if self.decides == Some(screen) {
            self.decides = None;
        }
    }

    /// A screen says its size. Gives the size that is in force by that, where it is this one's.
    pub fn resize(&mut self, screen: ScreenId, size: TermSize) -> Option<TermSize> {
        *self.sizes.get_mut(&screen)? = Some(size);
        if self.decides.is_none() && self.sizes.len() == 1 {
            self.decides = Some(screen);
        }
        (self.decides == Some(screen)).then_some(size)
    }

    /// Somebody types on a screen. Gives the size that is in force by that, if the screen has said one.
    pub fn typed(&mut self, screen: ScreenId) -> Option<TermSize> {
        let size = *self.sizes.get(&screen)?;
        self.decides = Some(screen);
        size
    }

    /// Whether this screen's size is in force.
    pub fn decides(&self, screen: ScreenId) -> bool {
        self.decides == Some(screen)
    }

    /// Whether what this screen's emulator answers is for the program. Where nobody decides, the first answers.
    pub fn answers(&self, screen: ScreenId) -> bool {
        self.decides.or_else(|| self.sizes.keys().next().copied()) == Some(screen)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DESK: ScreenId = ScreenId(1);
    const PHONE: ScreenId = ScreenId(2);

    fn wide() -> TermSize {
        TermSize::clamped(120, 40)
    }

    fn narrow() -> TermSize {
        TermSize::clamped(45, 80)
    }

    fn desk_with_phone() -> Screens {
        let mut screens = Screens::default();
        screens.join(DESK);
        assert_eq!(screens.resize(DESK, wide()), Some(wide()));
        screens.join(PHONE);
        screens
    }

    #[test]
    fn a_phone_that_looks_on_changes_nothing_however_often_it_is_unlocked() {
        let mut screens = desk_with_phone();
        for n in 0..10 {
            let again = ScreenId(10 + n);
            screens.leave(PHONE);
            screens.join(again);
            assert_eq!(screens.resize(again, narrow()), None);
            screens.leave(again);
        }
        assert!(screens.decides(DESK));
    }

    #[test]
    fn who_types_has_the_size_and_gives_it_back_to_who_types_next() {
        let mut screens = desk_with_phone();
        assert_eq!(screens.resize(PHONE, narrow()), None);

        assert_eq!(screens.typed(PHONE), Some(narrow()));
        assert_eq!(screens.resize(DESK, wide()), None);
        assert_eq!(screens.typed(DESK), Some(wide()));
    }

    #[test]
    fn a_screen_that_comes_back_alone_has_its_size_at_once() {
        let mut screens = desk_with_phone();
        screens.leave(DESK);
        assert_eq!(screens.resize(PHONE, narrow()), Some(narrow()));
        screens.leave(PHONE);
        screens.join(ScreenId(3));
        assert_eq!(screens.resize(ScreenId(3), wide()), Some(wide()));
    }

    #[test]
    fn the_desk_that_was_cut_off_finds_its_size_where_it_left_it() {
        let mut screens = desk_with_phone();
        screens.resize(PHONE, narrow());
        screens.leave(DESK);
        let back = ScreenId(3);
        screens.join(back);

        assert_eq!(screens.resize(back, wide()), None); // As it still is.
        assert_eq!(screens.typed(back), Some(wide()));
    }

    proptest! {
        #[test]
        fn there_is_one_that_answers_where_there_is_a_screen(steps in prop::collection::vec((0u8..4, 0u64..5), 0..60)) {
            let mut screens = Screens::default();
            for (what, n) in steps {
                let screen = ScreenId(n);
                match what {
                    0 => screens.join(screen),
                    1 => screens.leave(screen),
                    2 => drop(screens.resize(screen, wide())),
                    _ => drop(screens.typed(screen)),
                }
                let answer = (0..5).filter(|n| screens.answers(ScreenId(*n))).count();
                let decide = (0..5).filter(|n| screens.decides(ScreenId(*n))).count();
                prop_assert_eq!(answer, usize::from(!screens.is_empty()));
                prop_assert!(decide <= 1);
            }
        }
    }
}

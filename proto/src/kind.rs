//! The kinds of frames: name, and the class that says what may be done with one.

use crate::pb::stream::frame::Data;

/// What may be done with a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Stands in the log under a cursor.
    Logged,
    /// Stands for a logged frame that this viewer may not see; has its cursor.
    Hidden,
    /// Part of the stream's own working; cursor 0.
    Control,
    /// Delivered as it comes, never logged or replayed; cursor 0.
    Ephemeral,
}

macro_rules! kinds {
    ($($kind:ident $name:literal $class:ident;)*) => {
        /// Every kind of frame.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Kind {
            $(#[doc = concat!("`session.", $name, "`")] $kind,)*
        }

        impl Kind {
            /// All of them, in the order of the schema.
            pub const ALL: &[Kind] = &[$(Kind::$kind),*];

            /// Name in kebab-case, without `session.`.
            pub const fn name(self) -> &'static str {
                match self { $(Kind::$kind => $name,)* }
            }

            /// Name on every text surface: `session.<kind>`.
            pub const fn full_name(self) -> &'static str {
                match self { $(Kind::$kind => concat!("session.", $name),)* }
            }

            /// Its class.
            pub const fn class(self) -> Class {
                match self { $(Kind::$kind => Class::$class,)* }
            }

            /// The kind of this content.
            pub const fn of(data: &Data) -> Kind {
                match data { $(Data::$kind(_) => Kind::$kind,)* }
            }
        }
    };
}

kinds! {
    TextDelta "text-delta" Logged;
    TextDone "text-done" Logged;
    TextCut "text-cut" Logged;
    ToolStarted "tool-started" Logged;
    ToolProgress "tool-progress" Logged;
    ToolFinished "tool-finished" Logged;
    TermChunk "term-chunk" Logged;
    TermCommand "term-command" Logged;
    FileChanged "file-changed" Logged;
    Ask "ask" Logged;
    AskAnswered "ask-answered" Logged;
    UserMessage "user-message" Logged;
    Status "status" Logged;
    ParticipantJoined "participant-joined" Logged;
    ParticipantLeft "participant-left" Logged;
    Reaction "reaction" Logged;
    Pin "pin" Logged;
    Mention "mention" Logged;
    Fanout "fanout" Logged;
    FanoutKeep "fanout-keep" Logged;
    Lost "lost" Logged;
    Rewound "rewound" Logged;
    Branched "branched" Logged;
    Hidden "hidden" Hidden;
    Hello "hello" Control;
    Reset "reset" Control;
    Heartbeat "heartbeat" Control;
    Bye "bye" Control;
    Presence "presence" Ephemeral;
    ReadMarker "read-marker" Ephemeral;
    SessionHead "session-head" Ephemeral;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_kebab_case() {
        let mut names: Vec<_> = Kind::ALL.iter().map(|k| k.name()).collect();
        assert!(names.iter().all(|n| n.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Kind::ALL.len());
    }
}

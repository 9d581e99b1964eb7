//! The names of all tools of the contract, and which of them this box serves.

macro_rules! tools {
    ($($tool:ident $name:literal)*) => {
        /// A tool of the contract.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Tool {
            $(#[doc = concat!("`", $name, "`")] $tool,)*
        }

        impl Tool {
            /// All of them.
            pub const ALL: &[Tool] = &[$(Tool::$tool),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $(Tool::$tool => $name,)* }
            }

            /// The tool of this name.
            pub fn parse(name: &str) -> Option<Tool> {
                match name { $($name => Some(Tool::$tool),)* _ => None }
            }
        }
    };
}

tools! {
    StreamOpen "stream.open"
    StreamSend "stream.send"
    StreamUnqueue "stream.unqueue"
    StreamStop "stream.stop"
    StreamReact "stream.react"
    StreamPin "stream.pin"
    StreamPresence "stream.presence"
    StreamRead "stream.read"
    StreamHistory "stream.history"
    StreamBlob "stream.blob"
    StreamFanoutKeep "stream.fanout-keep"
    AskAnswer "ask.answer"
    ThreadsEditRetry "threads.edit-retry"
    ThreadsRetry "threads.retry"
    ThreadsBranch "threads.branch"
    SessionsList "sessions.list"
    SessionsCreate "sessions.create"
    SessionsJoin "sessions.join"
    SessionsLeave "sessions.leave"
    SessionsRemove "sessions.remove"
    SessionsAssign "sessions.assign"
    EventsPublish "events.publish"
    TermOpen "term.open"
    TermAttach "term.attach"
    TermClose "term.close"
    TermList "term.list"
    PairOffer "pair.offer"
    PairClaim "pair.claim"
    DevicesList "devices.list"
    DevicesRevoke "devices.revoke"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::surface;

    #[test]
    fn every_tool_has_a_row_in_the_table_of_callers_and_every_row_a_tool() {
        let rows: Vec<_> = surface::SURFACE.iter().map(|row| row.tool).collect();
        for tool in Tool::ALL {
            assert_eq!(rows.iter().filter(|row| **row == tool.name()).count(), 1, "{}", tool.name());
        }
        assert_eq!(rows.len(), Tool::ALL.len());
    }

    #[test]
    fn every_name_finds_its_tool() {
        for tool in Tool::ALL {
            assert_eq!(Tool::parse(tool.name()), Some(*tool));
        }
        assert_eq!(Tool::parse("stream.Open"), None);
    }
}

//! Which kind of caller may call which tool: one table, closed by default.
//!
//! It is asked first at every door, before a body is read or a session looked for. Whatever has no row, and every cell
//! that does not say yes, is refused. A yes here says only that such callers may ask; what a call is about is decided by
//! [`crate::rules::authority::decide`].

use crate::rules::authority::Act;
use crate::rules::authority::Refusal;
use crate::rules::caller::CallerKind;

/// What a call needs besides its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Row {
    /// The tool's name.
    pub tool: &'static str,
    /// What it does.
    pub act: Act,
    /// One cell for each of [`CallerKind::ALL`].
    may: [bool; 5],
}

const YES: bool = true;
const NO: bool = false;

const fn row(tool: &'static str, act: Act, may: [bool; 5]) -> Row {
    Row { tool, act, may }
}

/// All tools. An assistant reads as the person for whom it acts; what it says goes through its reply handle and never
/// through a tool. A device alone pairs. A producer publishes. Who proves nothing may nothing.
#[rustfmt::skip]
pub const SURFACE: &[Row] = &[
    //                                          person assistant device producer nobody
    row("ask.answer",         Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("devices.list",       Act::Own,        [YES,   NO,       NO,    NO,      NO]),
    row("devices.revoke",     Act::Own,        [YES,   NO,       NO,    NO,      NO]),
    row("events.publish",     Act::Publish,    [NO,    NO,       NO,    YES,     NO]),
    row("pair.claim",         Act::Pair,       [NO,    NO,       YES,   NO,      NO]),
    row("pair.offer",         Act::Own,        [YES,   NO,       NO,    NO,      NO]),
    row("sessions.assign",    Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("sessions.create",    Act::Own,        [YES,   NO,       NO,    NO,      NO]),
    row("sessions.join",      Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("sessions.leave",     Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("sessions.list",      Act::Own,        [YES,   YES,      NO,    NO,      NO]),
    row("sessions.remove",    Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("stream.blob",        Act::Read,       [YES,   YES,      NO,    NO,      NO]),
    row("stream.fanout-keep", Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("stream.history",     Act::Read,       [YES,   YES,      NO,    NO,      NO]),
    row("stream.open",        Act::Read,       [YES,   YES,      NO,    NO,      NO]),
    row("stream.pin",         Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("stream.presence",    Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("stream.react",       Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("stream.read",        Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("stream.send",        Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("stream.stop",        Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("stream.unqueue",     Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("term.attach",        Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("term.close",         Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("term.list",          Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("term.open",          Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("threads.branch",     Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("threads.edit-retry", Act::Send,       [YES,   NO,       NO,    NO,      NO]),
    row("threads.retry",      Act::Send,       [YES,   NO,       NO,    NO,      NO]),
];

impl Row {
    /// What this row says of a kind.
    pub fn may(&self, kind: CallerKind) -> bool {
        CallerKind::ALL.iter().zip(self.may).any(|(k, may)| *k == kind && may)
    }
}

/// The row of a tool.
pub fn row_of(tool: &str) -> Option<&'static Row> {
    SURFACE.iter().find(|row| row.tool == tool)
}

/// Whether callers of this kind may call this tool at all. A tool without a row is refused to everybody.
pub fn admit(kind: CallerKind, tool: &str) -> Result<(), Refusal> {
    match row_of(tool) {
        Some(row) if row.may(kind) => Ok(()),
        row => Err(refusal(kind, row.map(|r| r.act))),
    }
}

/// Why this kind may not, and what to do instead. `act` is `None` for what has no row.
pub(crate) fn refusal(kind: CallerKind, act: Option<Act>) -> Refusal {
    let reason = match (kind, act) {
        (CallerKind::Nobody, _) => return Refusal::Nobody,
        (_, None) => "nobody may call this",
        (CallerKind::Person, Some(Act::Publish)) => {
            "a person's token does not publish; make one with `vyre token --producer NAME`"
        }
        (CallerKind::Person, Some(_)) => "this is not for a person's token",
        (CallerKind::Assistant, Some(_)) => {
            "an assistant's token reads what its person reads and does nothing else; make one with `vyre token --person NAME`"
        }
        (CallerKind::Device, Some(_)) => "this device belongs to nobody yet; pair it first",
        (CallerKind::Producer, Some(_)) => {
            "a producer's token only publishes; make one with `vyre token --person NAME`"
        }
    };
    Refusal::Denied { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table again, as a reader would say it: each tool with the kinds that may call it. All others may not.
    const SAID: &[(&str, &[CallerKind])] = &[
        ("ask.answer", &[CallerKind::Person]),
        ("devices.list", &[CallerKind::Person]),
        ("devices.revoke", &[CallerKind::Person]),
        ("events.publish", &[CallerKind::Producer]),
        ("pair.claim", &[CallerKind::Device]),
        ("pair.offer", &[CallerKind::Person]),
        ("sessions.assign", &[CallerKind::Person]),
        ("sessions.create", &[CallerKind::Person]),
        ("sessions.join", &[CallerKind::Person]),
        ("sessions.leave", &[CallerKind::Person]),
        ("sessions.list", &[CallerKind::Person, CallerKind::Assistant]),
        ("sessions.remove", &[CallerKind::Person]),
        ("stream.blob", &[CallerKind::Person, CallerKind::Assistant]),
        ("stream.fanout-keep", &[CallerKind::Person]),
        ("stream.history", &[CallerKind::Person, CallerKind::Assistant]),
        ("stream.open", &[CallerKind::Person, CallerKind::Assistant]),
        ("stream.pin", &[CallerKind::Person]),
        ("stream.presence", &[CallerKind::Person]),
        ("stream.react", &[CallerKind::Person]),
        ("stream.read", &[CallerKind::Person]),
        ("stream.send", &[CallerKind::Person]),
        ("stream.stop", &[CallerKind::Person]),
        ("stream.unqueue", &[CallerKind::Person]),
        ("term.attach", &[CallerKind::Person]),
        ("term.close", &[CallerKind::Person]),
        ("term.list", &[CallerKind::Person]),
        ("term.open", &[CallerKind::Person]),
        ("threads.branch", &[CallerKind::Person]),
        ("threads.edit-retry", &[CallerKind::Person]),
        ("threads.retry", &[CallerKind::Person]),
    ];

    #[test]
    fn every_cell_says_what_it_should() {
        assert_eq!(SURFACE.len(), SAID.len());
        for (tool, kinds) in SAID {
            for kind in CallerKind::ALL {
                assert_eq!(admit(kind, tool).is_ok(), kinds.contains(&kind), "{tool} {kind:?}");
            }
        }
    }

    #[test]
    fn what_has_no_row_is_refused_to_everybody() {
        for kind in CallerKind::ALL {
            for tool in ["", "stream.Open", "stream.open ", "sessions.delete", "admin.read"] {
                assert!(admit(kind, tool).is_err(), "{tool:?} {kind:?}");
            }
        }
    }

    #[test]
    fn who_proves_nothing_is_asked_for_proof_whatever_they_call() {
        for tool in SURFACE.iter().map(|r| r.tool).chain(["no.tool"]) {
            assert_eq!(admit(CallerKind::Nobody, tool), Err(Refusal::Nobody));
        }
    }
}

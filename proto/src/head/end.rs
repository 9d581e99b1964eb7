//! How a stream or a connection ends, in the words of every carrier: one table.
//!
//! A QUIC stream is reset or stopped with a code, a QUIC connection closed with one, a WebSocket closed with another,
//! an HTTP call answered with a status. [`TABLE`] holds all of them in a row each, and every mapping here is a look
//! into it. Several ends share a WebSocket code where a browser acts alike; the close reason then tells them apart,
//! because it starts with the end's name ([`End::ws_reason`], [`End::from_ws`]).
//!
//! A code that is not in the table is no error: from QUIC to QUIC a relay carries the bare number.

use std::fmt;

/// Why something ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// All was said. On QUIC a FIN says the same.
    Done,
    /// The one who asked does not want it any more.
    Cancelled,
    /// What came is not this protocol.
    Invalid,
    /// Text came where binary belongs.
    NotBinary,
    /// A record, a message or a head over its limit.
    TooLarge,
    /// Nobody who is known called.
    Unauthenticated,
    /// Who called may not do this.
    Denied,
    /// There is nothing of that name, or the caller may not know of it.
    NotFound,
    /// The reader took nothing for too long.
    Slow,
    /// A newer one took the place of this one. Whoever is told so does not come back by itself.
    Replaced,
    /// Too much at once.
    Overload,
    /// The box is not connected to this relay now.
    Away,
    /// The server restarts.
    Restart,
    /// The path below broke: the other side is gone without a word.
    Lost,
    /// A fault inside.
    Internal,
}

/// One row of [`TABLE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndRow {
    /// The end.
    pub end: End,
    /// Application error code on QUIC: of RESET_STREAM, STOP_SENDING and CONNECTION_CLOSE.
    pub code: u64,
    /// Close code on a WebSocket.
    pub ws: u16,
    /// HTTP status, where the answer has not begun yet.
    pub status: u16,
    /// Name in logs, metrics, error bodies and close reasons.
    pub name: &'static str,
    /// What a person may be told.
    pub sentence: &'static str,
}

/// All ends. Codes are never given out twice; the first row of a WebSocket code is what that code means alone.
#[rustfmt::skip]
pub const TABLE: &[EndRow] = &[
    EndRow { end: End::Done,            code: 0,  ws: 1000, status: 200, name: "done",            sentence: "all was said" },
    EndRow { end: End::Cancelled,       code: 1,  ws: 1001, status: 499, name: "cancelled",       sentence: "the one who asked went away" },
    EndRow { end: End::Invalid,         code: 2,  ws: 1008, status: 400, name: "invalid",         sentence: "what came is not this protocol" },
    EndRow { end: End::NotBinary,       code: 3,  ws: 1003, status: 400, name: "not_binary",      sentence: "text came where binary belongs" },
    EndRow { end: End::TooLarge,        code: 4,  ws: 1009, status: 413, name: "too_large",       sentence: "a record or a message is over its limit" },
    EndRow { end: End::Unauthenticated, code: 5,  ws: 4401, status: 401, name: "unauthenticated", sentence: "sign in again" },
    EndRow { end: End::Denied,          code: 6,  ws: 4403, status: 403, name: "denied",          sentence: "the caller may not do this" },
    EndRow { end: End::NotFound,        code: 7,  ws: 4404, status: 404, name: "not_found",       sentence: "there is nothing of that name" },
    EndRow { end: End::Slow,            code: 8,  ws: 4408, status: 408, name: "slow",            sentence: "nothing was taken for too long; come back with your cursor" },
    EndRow { end: End::Replaced,        code: 9,  ws: 4409, status: 409, name: "replaced",        sentence: "a newer one took this one's place" },
    EndRow { end: End::Overload,        code: 10, ws: 4429, status: 429, name: "overload",        sentence: "too much at once; come back a little later" },
    EndRow { end: End::Away,            code: 11, ws: 4503, status: 503, name: "away",            sentence: "the box is not connected now" },
    EndRow { end: End::Restart,         code: 12, ws: 4503, status: 503, name: "restart",         sentence: "the server restarts; come back at once" },
    EndRow { end: End::Lost,            code: 13, ws: 1011, status: 502, name: "lost",            sentence: "the path to the other side broke" },
    EndRow { end: End::Internal,        code: 14, ws: 1011, status: 500, name: "internal",        sentence: "a fault inside" },
];

impl End {
    /// The row of this end.
    pub fn row(self) -> &'static EndRow {
        // Rows stand in the order of the variants; a test holds that.
        TABLE.get(self as usize).unwrap_or(&TABLE[0])
    }

    /// Application error code on QUIC.
    pub fn code(self) -> u64 {
        self.row().code
    }

    /// The end of a QUIC code; `None` for a number that this version does not know.
    pub fn from_code(code: u64) -> Option<Self> {
        TABLE.iter().find(|r| r.code == code).map(|r| r.end)
    }

    /// Close code on a WebSocket.
    pub fn ws(self) -> u16 {
        self.row().ws
    }

    /// Close reason on a WebSocket: the name, then the sentence. At most 123 bytes, as RFC 6455 has it.
    pub fn ws_reason(self) -> String {
        let row = self.row();
        format!("{}: {}", row.name, row.sentence)
    }

    /// What a WebSocket's close says. Codes that are not in the table are [`End::Lost`] where RFC 6455 calls them
    /// abnormal, [`End::Invalid`] where it blames the protocol, and [`End::Cancelled`] otherwise.
    pub fn from_ws(code: u16, reason: &str) -> Self {
        let said = reason.split(':').next().unwrap_or_default();
        if let Some(row) = TABLE.iter().find(|r| r.ws == code && r.name == said) {
            return row.end;
        }
        if let Some(row) = TABLE.iter().find(|r| r.ws == code) {
            return row.end;
        }
        match code {
            1005 => Self::Done,
            1006 | 1015 => Self::Lost,
            1002 | 1007 | 1010 => Self::Invalid,
            1012 => Self::Restart,
            1013 => Self::Overload,
            _ => Self::Cancelled,
        }
    }

    /// HTTP status, where the answer has not begun yet.
    pub fn status(self) -> u16 {
        self.row().status
    }

    /// Name in logs, metrics, error bodies and close reasons.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The end of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        TABLE.iter().find(|r| r.name == name).map(|r| r.end)
    }

    /// What a person may be told.
    pub fn sentence(self) -> &'static str {
        self.row().sentence
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_end_has_its_own_row_code_and_name() {
        let mut codes = HashSet::new();
        let mut names = HashSet::new();
        for (i, row) in TABLE.iter().enumerate() {
            assert_eq!(row.end as usize, i, "{}", row.name);
            assert_eq!(row.end.row(), row);
            assert!(codes.insert(row.code), "{}", row.name);
            assert!(names.insert(row.name), "{}", row.name);
        }
        assert_eq!(TABLE.last().unwrap().end, End::Internal);
    }

    #[test]
    fn every_end_comes_back_from_every_carrier() {
        for row in TABLE {
            assert_eq!(End::from_code(row.code), Some(row.end));
            assert_eq!(End::from_name(row.name), Some(row.end));
            assert_eq!(End::from_ws(row.ws, &row.end.ws_reason()), row.end);
            assert!(row.end.ws_reason().len() <= 123, "{}", row.name);
            assert!((1000..5000).contains(&row.ws));
        }
    }

    #[test]
    fn a_bare_close_code_has_one_meaning() {
        assert_eq!(End::from_ws(1000, ""), End::Done);
        assert_eq!(End::from_ws(1005, ""), End::Done);
        assert_eq!(End::from_ws(4503, ""), End::Away);
        assert_eq!(End::from_ws(1006, ""), End::Lost);
        assert_eq!(End::from_ws(4999, "denied: forged"), End::Cancelled);
    }

    proptest! {
        #[test]
        fn any_close_is_some_end(code: u16, reason in ".{0,40}") {
            let end = End::from_ws(code, &reason);
            prop_assert_eq!(End::from_ws(end.ws(), &end.ws_reason()), end);
        }
    }
}

//! Counters, and the text that shows them.
//!
//! Every drop and every refusal counts under its reason. Nothing here names a box, an address or a path.

use std::fmt::Write;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use tokio::task::JoinError;
use vyre_proto::head::ENDS;
use vyre_proto::head::End;

/// A number that only grows, or a gauge that goes both ways.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// One more.
    pub fn add_one(&self) {
        self.add(1);
    }

    /// This many more.
    pub fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    /// A gauge whose number is kept elsewhere.
    pub(crate) fn set(&self, n: u64) {
        self.0.store(n, Ordering::Relaxed);
    }

    /// What it stands at.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// One fewer.
    pub(crate) fn drop_one(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// One more until the guard is dropped.
    pub fn hold(&self) -> Held<'_> {
        self.add(1);
        Held(self)
    }
}

/// Takes one away again when it is dropped.
#[derive(Debug)]
#[must_use = "it counts only while it lives"]
pub struct Held<'a>(&'a Count);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.drop_one();
    }
}

/// A counter for each [`End`].
#[derive(Debug, Default)]
pub struct ByEnd([Count; ENDS.len()]);

impl ByEnd {
    /// One more of this.
    pub fn add_one(&self, end: End) {
        if let Some(count) = self.0.get(end as usize) {
            count.add_one();
        }
    }

    /// What this one stands at.
    pub fn get(&self, end: End) -> u64 {
        self.0.get(end as usize).map_or(0, Count::get)
    }
}

macro_rules! metrics {
    ($($(#[$doc:meta])* $name:ident: $kind:ident = $help:literal;)*) => {
        /// Everything that is counted.
        #[derive(Debug, Default)]
        pub struct Metrics {
            $($(#[$doc])* #[doc = $help] pub $name: Count,)*
            /// Streams that were refused, by reason.
            pub refused: ByEnd,
            /// Bridged streams that ended, by how.
            pub ended: ByEnd,
            /// Registrations that were refused, by reason.
            pub register_refused: ByEnd,
        }

        impl Metrics {
            /// The text that scrapers read.
            pub fn text(&self) -> String {
                let mut out = String::new();
                $(
                    let _ = writeln!(out, concat!("# HELP vyre_relay_", stringify!($name), " ", $help));
                    let _ = writeln!(out, concat!("# TYPE vyre_relay_", stringify!($name), " ", stringify!($kind)));
                    let _ = writeln!(out, concat!("vyre_relay_", stringify!($name), " {}"), self.$name.get());
                )*
                for (name, help, table) in [
                    ("streams_refused", "Streams refused, by reason.", &self.refused),
                    ("streams_ended", "Bridged streams that ended, by how.", &self.ended),
                    ("registrations_refused", "Registrations refused, by reason.", &self.register_refused),
                ] {
                    let _ = writeln!(out, "# HELP vyre_relay_{name} {help}\n# TYPE vyre_relay_{name} counter");
                    for row in ENDS {
                        let _ = writeln!(out, "vyre_relay_{name}{{reason=\"{}\"}} {}", row.name, table.get(row.end));
                    }
                }
                out
            }
        }
    };
}

impl Metrics {
    /// What a task gave, or `None` and a line in the log for one that a fault ended.
    pub(crate) fn task_over<T>(&self, over: Result<T, JoinError>) -> Option<T> {
        match over {
            Ok(given) => Some(given),
            Err(e) => {
                if e.is_panic() {
                    self.tasks_failed.add_one();
                    tracing::error!("a task failed: {e}");
                }
                None
            }
        }
    }
}

metrics! {
    boxes: gauge = "Connections of boxes that stand.";
    streams: gauge = "Bridged streams that are open.";
    streams_behind: gauge = "Directions of streams whose reader is behind.";
    quic_connections: gauge = "QUIC connections, handshakes included.";
    quic_handshakes: gauge = "QUIC handshakes in flight.";
    web_connections: gauge = "TCP connections.";
    web_half_made: gauge = "TCP connections without a whole request yet.";
    bytes_to_box: counter = "Bytes copied from phones to boxes.";
    bytes_from_box: counter = "Bytes copied from boxes to phones.";
    registered: counter = "Registrations that held.";
    takeovers: counter = "Registrations that took the place of another connection.";
    dials_refused: counter = "Connections refused because their address dialled too often.";
    dials_retried: counter = "QUIC dials that were asked to prove their address first.";
    dials_overload: counter = "Connections refused because too many were being made.";
    handshakes_failed: counter = "QUIC or TLS handshakes that failed.";
    handshakes_late: counter = "QUIC or TLS handshakes that took too long.";
    handshakes_evicted: counter = "Half-made connections that took long and made room for others.";
    heads_late: counter = "Streams and requests whose first bytes did not come in time.";
    heads_invalid: counter = "Streams whose first record was not one.";
    requests: counter = "HTTP requests, WebSocket upgrades included.";
    accept_errors: counter = "Failures of accept on TCP.";
    stalls: counter = "Streams cut because a reader took nothing for too long.";
    streams_shed: counter = "Streams cut because their reader was behind and memory was used up.";
    streams_no_memory: counter = "Streams refused because slow readers had used up memory.";
    tasks_failed: counter = "Tasks that a fault of the relay's own ended.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_a_line_of_its_own() {
        let m = Metrics::default();
        m.refused.add_one(End::Away);
        m.refused.add_one(End::Away);
        m.bytes_to_box.add(7);
        {
            let _held = m.streams.hold();
            assert_eq!(m.streams.get(), 1);
        }
        let text = m.text();
        assert!(text.contains("vyre_relay_streams_refused{reason=\"away\"} 2\n"));
        assert!(text.contains("vyre_relay_streams_refused{reason=\"overload\"} 0\n"));
        assert!(text.contains("vyre_relay_bytes_to_box 7\n"));
        assert!(text.contains("vyre_relay_streams 0\n"));
        assert_eq!(m.refused.get(End::Away), 2);
    }
}

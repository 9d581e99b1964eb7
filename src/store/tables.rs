//! Every table, its key, its value and its version, in one place.
//!
//! A session has a number, given once and never again, and rows in three tables under it. A row holds a **chunk**: the
//! records that one commit brought, up to [`CHUNK_BYTES`], under the last cursor (or event number) in it. So a commit of
//! a thousand frames writes one row and not a thousand, and a replay reads runs of bytes that can be sent as they are.

use prost::Message;
use redb::TableDefinition;
use vyre_proto::cursor::Cursor;
use vyre_proto::ids::LogId;

use crate::rules::log::LogMark;

/// Version of this layout. A store of another version is refused and never touched.
pub const VERSION: u64 = 2;

/// Facts of the whole store, by name: `version` (u64 little-endian), `key` (16 bytes, of the event-id hash), `next`
/// (u64 little-endian: the next session number), `age` (u64 little-endian: a place of the clock by which things grow old),
/// `keys` (16 bytes: the file of keys; missing in a backup, in which nothing is sealed).
pub const META: TableDefinition<&str, &[u8]> = TableDefinition::new("meta");

/// Session id to [`SessionRow`]. Lives as long as the session.
pub const SESSIONS: TableDefinition<&str, &[u8]> = TableDefinition::new("sessions");

/// (session number, last cursor in the chunk) to a chunk of frames. Goes when the floor passes it.
pub const FRAMES: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("frames");

/// (session number, number of the chunk's last event, from 1) to a chunk of events. Lives as long as the session.
pub const EVENTS: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("events");

/// Same key as [`EVENTS`] to the keyed hashes of the chunk's event ids, 16 bytes each.
pub const EVENT_IDS: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("event_ids");

/// SHA-256 of a bearer token to `person:<id>`, `owner:person:<id>`, `producer:<name>`, or `assistant:<id>`, a line feed and
/// the person for whom it acts.
pub const TOKENS: TableDefinition<&[u8; 32], &str> = TableDefinition::new("tokens");

/// (hash of who called, hash of their idempotency key) to what is kept of the call, as [`crate::rules::once`] writes it.
/// The latest 1,024 of each caller.
pub const ONCE: TableDefinition<(u128, u128), &[u8]> = TableDefinition::new("once");

/// Session number to how far its events and its frames were looked at for what is old, as `store::fade` writes
/// it.
pub const FADED: TableDefinition<u64, &[u8]> = TableDefinition::new("faded");

/// Most bytes of records in one chunk: with its head it fills a 64 KiB page of the file and one message of a carrier. A
/// larger record has a chunk of its own.
pub const CHUNK_BYTES: usize = 60 * 1024;

/// Bytes in front of a chunk's records: when the box logged them (u64), how many there are (u32), CRC-32 of what follows
/// (u32), the number of the key under which they are sealed or 0 (u64), when they were logged on the clock by which things
/// grow old (u64), all little-endian.
pub const CHUNK_HEAD: usize = 32;

/// What stands on disk of one session besides its chunks.
#[derive(Clone, PartialEq, Message)]
pub struct SessionRow {
    /// The session's number.
    #[prost(uint64, tag = "1")]
    pub number: u64,
    /// Log identity, 16 bytes. Empty: the session has events and no log.
    #[prost(bytes = "vec", tag = "2")]
    pub log: Vec<u8>,
    /// Oldest frame held.
    #[prost(uint64, tag = "3")]
    pub floor: u64,
    /// Newest frame written.
    #[prost(uint64, tag = "4")]
    pub head: u64,
    /// No cursor above this was given out.
    #[prost(uint64, tag = "5")]
    pub leased: u64,
    /// Events stored.
    #[prost(uint64, tag = "6")]
    pub events: u64,
    /// Events whose frames are in the log.
    #[prost(uint64, tag = "7")]
    pub projected: u64,
    /// Bytes of the frames' chunks.
    #[prost(uint64, tag = "8")]
    pub bytes: u64,
    /// When the box logged the newest frame: microseconds since the epoch.
    #[prost(uint64, tag = "9")]
    pub changed: u64,
    /// Title.
    #[prost(string, tag = "10")]
    pub title: String,
    /// Folder.
    #[prost(string, tag = "11")]
    pub folder: String,
    /// The assistant of `thread.started`.
    #[prost(string, tag = "12")]
    pub assistant: String,
    /// Everyone who takes part.
    #[prost(string, repeated, tag = "13")]
    pub participants: Vec<String>,
    /// The adapter's state after the newest frame.
    #[prost(bytes = "vec", tag = "14")]
    pub adapter: Vec<u8>,
    /// Whether more than one person has taken part, or it was made as a group.
    #[prost(bool, tag = "15")]
    pub group: bool,
    /// Frames in the frames' chunks. A `lost` frame is one, however many cursors it stands for: what a crash took away
    /// is not to push out what it left.
    #[prost(uint64, tag = "16")]
    pub frames: u64,
    /// What the session is, as [`crate::rules::room`] encodes it.
    #[prost(bytes = "vec", tag = "17")]
    pub room: Vec<u8>,
    /// The run of the box that wrote this row: whatever another run left open may have lost its writer.
    #[prost(uint64, tag = "18")]
    pub run: u64,
    /// The newest messages with their places, as [`crate::rules::readmarks`] encodes them.
    #[prost(bytes = "vec", tag = "19")]
    pub landmarks: Vec<u8>,
    /// The newest groups of answers, as [`crate::rules::fanout`] encodes them.
    #[prost(bytes = "vec", tag = "20")]
    pub fanouts: Vec<u8>,
    /// First and last cursor of each run that a crash took away from this log, in order.
    #[prost(uint64, repeated, tag = "21")]
    pub lost: Vec<u64>,
    /// The first cursor at which something is not for everybody in the room. 0: nowhere.
    #[prost(uint64, tag = "22")]
    pub guarded: u64,
    /// On disk, in place of `adapter` where that holds words: the number of a key, u64 little-endian, and the state sealed
    /// under it.
    #[prost(bytes = "vec", tag = "23")]
    pub sealed: Vec<u8>,
    /// Whether `adapter` is not to be written in the clear. Never on disk.
    #[prost(bool, tag = "24")]
    pub adapter_fades: bool,
}

impl SessionRow {
    /// The log's marks; `None` where the session has no log.
    pub fn mark(&self) -> Option<LogMark> {
        Some(LogMark {
            id: LogId(self.log.as_slice().try_into().ok()?),
            floor: Cursor::new(self.floor)?,
            head: Cursor::new(self.head)?,
            leased: Cursor::new(self.leased)?,
        })
    }

    /// Takes the log's marks over.
    pub fn set_mark(&mut self, mark: LogMark) {
        self.log = mark.id.0.to_vec();
        self.floor = mark.floor.get();
        self.head = mark.head.get();
        self.leased = mark.leased.get();
    }
}

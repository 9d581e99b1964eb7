//! (stand-in)
use vyre_proto::pb::stream as pb;
use vyre_proto::tick::Wall;
/// stand-in
#[derive(Debug, Default)]
pub struct Adapter;
impl Adapter {
    /// stand-in
    pub fn decode(_: &[u8]) -> Option<Self> {
        Some(Self)
    }
    /// stand-in
    pub fn encode(&self) -> Vec<u8> {
        Vec::new()
    }
    /// stand-in
    pub fn project(&mut self, _e: &pb::Event, _at: Wall, _out: &mut Vec<pb::Frame>) {}
}

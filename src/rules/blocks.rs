//! (stub)
use vyre_proto::pb::stream as pb;
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asked {
    pub subject: String,
    block: Vec<u8>,
}
impl Asked {
    pub fn kept(&self) -> usize {
        self.block.len()
    }
    pub fn block(&self) -> &[u8] {
        &self.block
    }
    pub fn forget_block(&mut self) {
        self.block = Vec::new();
    }
    pub fn stored(subject: &str, block: &[u8]) -> Option<Asked> {
        Some(Asked { subject: subject.into(), block: block.into() })
    }
}
pub fn asked(_tool: &str, _input: &[u8]) -> (Option<pb::Block>, Asked) {
    Default::default()
}
pub fn answered(_tool: &str, _asked: &Asked, _ok: bool, _result: &[u8], _event: &str) -> Option<pb::Block> {
    None
}

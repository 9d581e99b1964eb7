//! (stand-in)
use std::collections::HashMap;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;
use vyre_proto::pb::stream::frame::Data as F;
use vyre_proto::tick::Wall;
/// stand-in
#[derive(Debug, Default)]
pub struct Adapter(HashMap<String, u64>);
impl Adapter {
    /// stand-in
    pub fn decode(b: &[u8]) -> Option<Self> {
        let s = String::from_utf8(b.to_vec()).ok()?;
        Some(Self(s.lines().filter_map(|l| l.split_once(' ')).map(|(a, b)| (b.into(), a.parse().unwrap())).collect()))
    }
    /// stand-in
    pub fn encode(&self) -> Vec<u8> {
        self.0.iter().map(|(a, b)| format!("{b} {a}\n")).collect::<String>().into_bytes()
    }
    /// stand-in
    pub fn project(&mut self, e: &pb::Event, _at: Wall, out: &mut Vec<pb::Frame>) {
        let mut f = pb::Frame {
            v: 1,
            id: e.id.clone(),
            session: e.session.clone(),
            time: e.time,
            author: e.actor.clone(),
            ..Default::default()
        };
        match &e.data {
            Some(Data::ThreadDelta(d)) => {
                let at = self.0.entry(d.message.clone()).or_default();
                f.message = d.message.clone();
                f.data = Some(F::TextDelta(pb::TextDelta { at: *at, text: d.text.clone(), ..Default::default() }));
                *at += d.text.len() as u64;
            }
            _ => f.data = Some(F::Status(pb::Status { state: "x".into(), ..Default::default() })),
        }
        out.push(f);
    }
}

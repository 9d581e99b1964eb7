//! The bodies of the fuzz targets on a small corpus: golden vectors, mutations of them, and noise. Always the same bytes.

#[path = "../../fuzz/src/lib.rs"]
mod bodies;

use std::fs;
use std::path::Path;

use serde_json::Value;

/// A small generator (splitmix64), so that every run sees the same bytes.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).unwrap()
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next().to_le_bytes()[0]).collect()
    }
}

/// Records and server-sent events of all golden vectors.
fn vectors() -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("proto/vectors");
    let (mut records, mut events) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let vector: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for frame in vector["ways"].as_array().unwrap().iter().flat_map(|way| way.as_array().unwrap()) {
            let hex = frame["record"].as_str().unwrap().as_bytes();
            records.push(data_encoding::HEXLOWER.decode(hex).unwrap());
            events.push(frame["sse"].as_str().unwrap().as_bytes().to_vec());
        }
    }
    assert!(records.len() > 50, "the vectors were not found");
    (records, events)
}

/// Each seed as it is, then broken in a few ways.
fn broken(seeds: &[Vec<u8>], mut each: impl FnMut(&[u8])) {
    let mut chance = Chance(1);
    for seed in seeds {
        each(seed);
        for _ in 0..8 {
            let mut bytes = seed.clone();
            match chance.below(4) {
                0 => bytes.truncate(chance.below(bytes.len() + 1)),
                1 => {
                    let at = chance.below(bytes.len() + 1);
                    let more = chance.below(9);
                    bytes.splice(at..at, chance.bytes(more));
                }
                2 => {
                    let other = &seeds[chance.below(seeds.len())];
                    let (a, b) = (chance.below(bytes.len() + 1), chance.below(other.len() + 1));
                    bytes.truncate(a);
                    bytes.extend_from_slice(&other[b..]);
                }
                _ => {
                    for _ in 0..=chance.below(3) {
                        let at = chance.below(bytes.len());
                        if let Some(byte) = bytes.get_mut(at) {
                            *byte ^= 1 << chance.below(8);
                        }
                    }
                }
            }
            each(&bytes);
        }
    }
}

fn noise(rounds: usize, longest: usize, mut each: impl FnMut(&[u8])) {
    let mut chance = Chance(2);
    for _ in 0..rounds {
        let len = chance.below(longest);
        each(&chance.bytes(len));
    }
}

#[test]
fn hostile_records_and_frames_do_no_harm() {
    let (records, _) = vectors();
    broken(&records, bodies::record);
    let bare: Vec<_> = records
        .iter()
        .map(|r| vyre_proto::record::split(r).map(|(rec, prefix)| rec[prefix..].to_vec()).unwrap())
        .collect();
    broken(&bare, bodies::frame);
    noise(2000, 200, bodies::record);
    noise(2000, 100, bodies::frame);
}

#[test]
fn hostile_events_do_no_harm() {
    let lines: Vec<Vec<u8>> = [
        r#"{"id":"e1","name":"thread.started","session":"s","time":1,"actor":"person:a","data":{"title":"T"}}"#,
        r#"{"id":"e2","name":"thread.user","session":"s","data":{"message":"m","enc":{"alg":"x","kid":"k","ct":"AAEC"}}}"#,
        r#"{"id":"e3","name":"thread.delta","session":"s","data":{"message":"m","text":"\u00fc\n\"\ud83d\ude00"}}"#,
        r#"{"id":"e4","name":"thread.tool-finished","session":"s","data":{"call":"c","tool":"Bash","ok":true,"result":[1,{"a":null}]}}"#,
        r#"{"id":"e5","name":"room.fanout","session":"s","data":{"group":"g","message":"m","members":[{"who":"model:x","message":"n"}]}}"#,
    ]
    .iter()
    .map(|line| line.as_bytes().to_vec())
    .collect();
    broken(&lines, bodies::event_line);
    let records: Vec<Vec<u8>> = lines
        .iter()
        .map(|l| prost::Message::encode_to_vec(vyre_proto::event::Event::from_json(l).unwrap().get()))
        .collect();
    broken(&records, bodies::event_record);
    noise(2000, 100, bodies::event_record);
}

#[test]
fn hostile_heads_do_no_harm() {
    use vyre_proto::head::Bridged;
    use vyre_proto::head::Carried;
    use vyre_proto::head::Control;
    use vyre_proto::head::RelayHead;
    use vyre_proto::head::Request;
    let id = vyre_proto::ids::BoxId([3; 32]);
    let request = Request::new("GET", "/v1/health", Vec::new()).unwrap();
    let bridged = Bridged { carried: Carried::Http(request), peer: "[::1]:9".parse().ok(), early: false };
    let seeds =
        [RelayHead::Reach(id).to_record(), bridged.to_record(), Control::Registered { max_streams: 9 }.to_record()];
    let bare: Vec<_> = seeds
        .iter()
        .map(|r| vyre_proto::record::split(r).map(|(rec, prefix)| rec[prefix..].to_vec()).unwrap())
        .collect();
    broken(&bare, bodies::head);
    broken(&[format!("https://relay.example.org:1/?quic=2&key={id}").into_bytes()], bodies::head);
    noise(2000, 100, bodies::head);
}

#[test]
fn hostile_server_sent_events_do_no_harm() {
    let (_, events) = vectors();
    broken(&events, bodies::sse);
    broken(&[b"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a:7".to_vec()], bodies::sse);
    noise(2000, 100, bodies::sse);
}

#[test]
fn a_reader_delivers_in_order_and_once_whatever_happens_to_it() {
    noise(1500, 600, bodies::resume_steps);
}

#[test]
fn a_log_gives_no_cursor_out_twice_whatever_stops_it() {
    noise(1500, 300, bodies::log_steps);
}

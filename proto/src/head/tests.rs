use proptest::prelude::*;

use super::*;
use crate::record::Decoder;

fn unwrap_record(record: &Bytes) -> Bytes {
    let mut d = Decoder::new();
    d.push(record);
    d.next().unwrap().unwrap()
}

fn request() -> impl Strategy<Value = Request> {
    ("[A-Z]{1,16}", "/[!-~]{0,60}", prop::collection::vec(("[a-z-]{1,20}", "[ -~äß€]{0,30}"), 0..5)).prop_map(
        |(method, target, headers)| {
            let headers = headers.iter().map(|(n, v)| Header::new(n, v).unwrap()).collect();
            Request::new(&method, &target, headers).unwrap()
        },
    )
}

fn carried() -> impl Strategy<Value = Carried> {
    prop_oneof![Just(Carried::Quic), request().prop_map(Carried::WebSocket), request().prop_map(Carried::Http)]
}

#[test]
fn secrets_of_a_head_are_not_printed() {
    let request = Request::new(
        "GET",
        "/v1/streams/stream/session?ticket=hush&from=3",
        vec![Header::new("Authorization", "Bearer hush").unwrap()],
    )
    .unwrap();
    let bridged = Bridged { carried: Carried::WebSocket(request), peer: None, early: false };
    let register = Register {
        box_id: BoxId([1; 32]),
        instance: Instance([2; 16]),
        leg: Leg(0),
        started: Started(7),
        proof: Proof([0x68; 64]),
    };

    let printed = format!("{bridged:?} {register:?}");

    assert!(!printed.contains("hush"), "{printed}");
    assert!(!printed.contains("104"), "{printed}");
    assert!(printed.contains("/v1/streams/stream/session"));
}

#[test]
fn a_head_of_another_version_is_refused_by_number() {
    let mut head = pb::RelayHead { v: 2, want: Some(pb::relay_head::Want::Reach(pb::Reach::default())) };
    assert_eq!(RelayHead::decode(&head.encode_to_vec()), Err(HeadError::Version { got: 2 }));
    head.v = 0;
    assert_eq!(RelayHead::decode(&head.encode_to_vec()), Err(HeadError::Version { got: 0 }));
}

#[test]
fn a_head_that_asks_for_nothing_is_refused() {
    let head = pb::RelayHead { v: 1, want: None };
    assert!(matches!(RelayHead::decode(&head.encode_to_vec()), Err(HeadError::Field { field: "want", .. })));
    let reach = pb::RelayHead { v: 1, want: Some(pb::relay_head::Want::Reach(pb::Reach { r#box: "x".into() })) };
    assert!(matches!(RelayHead::decode(&reach.encode_to_vec()), Err(HeadError::Field { field: "box", .. })));
    let bridged = pb::Bridged { v: 1, ..pb::Bridged::default() };
    assert!(matches!(Bridged::decode(&bridged.encode_to_vec()), Err(HeadError::Field { field: "carrier", .. })));
}

#[test]
fn headers_cannot_smuggle_lines() {
    assert!(Header::new("x", "a\r\nset-cookie: b").is_err());
    assert!(Header::new("x y", "a").is_err());
    assert!(Header::new("", "a").is_err());
    assert!(Request::new("GET", "/v1/a b", Vec::new()).is_err());
    assert!(Request::new("GET", "/v1/a\r\n", Vec::new()).is_err());
    assert!(Request::new("GET", "v1", Vec::new()).is_err());
    assert!(Request::new("get", "/v1", Vec::new()).is_err());
    assert!(BridgedReply::new(100, Vec::new()).is_err());
    assert!(BridgedReply::new(600, Vec::new()).is_err());
}

#[test]
fn a_longest_request_fits_the_limit_of_its_record() {
    let headers = vec![Header::new("authorization", &"b".repeat(TARGET_MAX)).unwrap()];
    let request = Request::new("GET", &format!("/{}", "a".repeat(TARGET_MAX - 1)), headers).unwrap();
    let record = Bridged { carried: Carried::Http(request), peer: None, early: true }.to_record();
    assert!(record.len() < BRIDGED_MAX);
}

#[test]
fn an_unknown_bye_is_read_as_a_restart_and_a_turned_range_is_mended() {
    let bye = pb::RelayBye { min_delay_ms: 500, max_delay_ms: 100, reason: "moon".into() };
    let down = pb::ControlDown { control: Some(pb::control_down::Control::Bye(bye)) };
    let delay = DelayRange { min: Duration::from_millis(500), max: Duration::from_millis(500) };
    assert_eq!(Control::decode(&down.encode_to_vec()), Ok(Some(Control::Bye { end: End::Restart, delay })));
    assert_eq!(Control::decode(&[]), Ok(None));
}

proptest! {
    #[test]
    fn relay_heads_survive_the_wire(key: [u8; 32], instance: [u8; 16], leg: u32, started: u64, fill: u8, reach: bool) {
        let box_id = BoxId(key);
        let head = if reach { RelayHead::Reach(box_id) } else {
            RelayHead::Register(Register {
                box_id, instance: Instance(instance), leg: Leg(leg), started: Started(started), proof: Proof([fill; 64]),
            })
        };
        let record = head.to_record();
        prop_assert!(record.len() <= RELAY_HEAD_MAX);
        prop_assert_eq!(RelayHead::decode(&unwrap_record(&record)).unwrap(), head);
    }

    #[test]
    fn bridged_survives_the_wire(carried in carried(), v4: [u8; 4], port: u16, early: bool) {
        let bridged = Bridged { carried, peer: Some((v4, port).into()), early };
        prop_assert_eq!(Bridged::decode(&unwrap_record(&bridged.to_record())).unwrap(), bridged);
    }

    #[test]
    fn replies_survive_the_wire(status in 200u16..600, headers in prop::collection::vec(("[a-z-]{1,20}", "[ -~]{0,30}"), 0..5)) {
        let headers = headers.iter().map(|(n, v)| Header::new(n, v).unwrap()).collect();
        let reply = BridgedReply::new(status, headers).unwrap();
        prop_assert_eq!(BridgedReply::decode(&unwrap_record(&reply.to_record())).unwrap(), reply);
    }

    #[test]
    fn no_bytes_make_a_head_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = RelayHead::decode(&bytes);
        let _ = Bridged::decode(&bytes);
        let _ = BridgedReply::decode(&bytes);
        let _ = Control::decode(&bytes);
    }

    #[test]
    fn controls_survive_the_wire(max_streams: u32, min in 0u64..100_000, more in 0u64..100_000, which in 0..3) {
        let delay = DelayRange { min: Duration::from_millis(min), max: Duration::from_millis(min + more) };
        let control = match which {
            0 => Control::Registered { max_streams },
            1 => Control::Refused { end: End::Denied, message: "no".into(), retry_after: delay.min },
            _ => Control::Bye { end: if more % 2 == 0 { End::Restart } else { End::Replaced }, delay },
        };
        prop_assert_eq!(Control::decode(&unwrap_record(&control.to_record())).unwrap(), Some(control));
    }
}

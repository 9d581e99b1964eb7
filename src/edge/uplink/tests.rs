use std::time::Instant;

use vyre_proto::relay_url::Pin;

use super::*;

struct Nobody;

impl BridgedHandler for Nobody {
    async fn handle(&self, _head: Bridged, _send: SendStream, _recv: RecvStream) {}
}

async fn first_failure(url: RelayUrl) -> UplinkState {
    let identity = Arc::new(BoxIdentity::generate().unwrap());
    let uplink = Uplink::start(url, identity, &Clock::system(), Arc::new(Nobody)).unwrap();
    let mut state = uplink.state();
    let failed = state.wait_for(|s| matches!(s, UplinkState::Down { .. }));
    timeout(Duration::from_secs(15), failed).await.unwrap().unwrap().clone()
}

#[tokio::test]
async fn an_address_that_takes_everything_and_answers_nothing_is_given_up() {
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let url = RelayUrl::new(false, "127.0.0.1", 1, port, vec![Pin([5; 32])]).unwrap();
    let began = Instant::now();

    let state = first_failure(url).await;
    assert!(matches!(state, UplinkState::Down { why: Down::NoAnswer { .. } }), "{state}");
    assert!(began.elapsed() < STEP_LIMIT + Duration::from_secs(2), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_name_that_leads_nowhere_is_named() {
    let url = RelayUrl::new(false, "relay.invalid", 1, 2, vec![Pin([5; 32])]).unwrap();
    let state = first_failure(url).await;
    assert_eq!(state.to_string(), "down: the name relay.invalid could not be resolved");
}

#[test]
fn who_is_not_wanted_waits_long_and_who_is_told_to_come_back_obeys() {
    let mut backoff = Backoff::new(1);
    let minute = |end| wait_after(&Ended::from(Down::Closed { end }), &mut Backoff::new(3)) >= UNWANTED_WAIT;
    assert!(minute(End::Replaced) && minute(End::Denied));
    let range = DelayRange { min: Duration::from_secs(2), max: Duration::from_secs(3) };
    let asked = Ended { why: Down::Closed { end: End::Restart }, delay: Some(range) };
    for _ in 0..20 {
        let wait = wait_after(&asked, &mut backoff);
        assert!(wait >= range.min && wait <= range.max, "{wait:?}");
    }
    // A break of one's own: the first attempt at once.
    let broke = Ended::from(Down::Broke { why: String::new() });
    assert_eq!(wait_after(&broke, &mut Backoff::new(5)), Duration::ZERO);
}

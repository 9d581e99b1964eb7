//! Screens that are gone without a word: the box notices, whether or not it has anything to say to them.

use std::time::Duration;

use socket2::SockFilter;
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio::time::timeout;

use crate::common::Screen;
use crate::common::TestBox;
use crate::common::delta;
use crate::common::words;

/// From now on this machine hears nothing of the other side, and so acknowledges nothing: to the other side it is gone.
fn vanish(tcp: &TcpStream) {
    const RETURN: u16 = 0x06;
    SockRef::from(tcp).attach_filter(&[SockFilter::new(RETURN, 0, 0, 0)]).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn screens_that_vanish_are_noticed_within_forty_seconds_whether_or_not_words_come() {
    let b = TestBox::start().await;
    let token = b.person("robin");
    for session in ["quiet", "busy"] {
        b.publish(&words(session, 3)).await;
    }
    let mut quiet = Screen::open(b.http(), &b.ticket(&token, "quiet").await, "").await;
    let mut busy = Screen::open(b.http(), &b.ticket(&token, "busy").await, "").await;
    quiet.until(4).await;
    busy.until(4).await;
    assert_eq!(b.daemon().doors().count(), 2);

    vanish(quiet.socket.get_ref());
    vanish(busy.socket.get_ref());
    let began = Instant::now();
    b.publish(&[delta("busy", 9, "on ")]).await;

    // The heartbeat of a minute is not what finds out.
    timeout(Duration::from_secs(40), b.daemon().doors().empty()).await.expect("the box still feeds them");
    assert!(began.elapsed() > Duration::from_secs(10), "they were told: {:?}", began.elapsed());
    drop((quiet, busy));
}

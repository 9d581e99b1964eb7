//! A neighbour of the same trade, where it is installed: mosquitto, with its least overhead (QoS 1, no delay, no limit in
//! flight). The codec speaks as much of MQTT 3.1.1 as the question needs.

use std::io::BufRead;
use std::io::Read;
use std::io::Write;
use std::net::TcpListener;
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;

use crate::roles::say;
use crate::stamp;

/// Where Debian puts it, and others.
const PLACES: &[&str] = &["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/usr/bin/mosquitto"];

/// A broker that runs. It ends with its owner.
#[derive(Debug)]
pub struct Broker {
    child: Child,
    _dir: tempfile::TempDir,
    /// Where it listens.
    pub addr: String,
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts one. `None`: it is not installed.
pub fn start() -> Option<Broker> {
    let program = PLACES.iter().find(|p| Path::new(p).exists())?;
    let dir = tempfile::tempdir().unwrap();
    let addr = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = dir.path().join("mosquitto.conf");
    let text = format!(
        "listener {} 127.0.0.1\nallow_anonymous true\npersistence true\npersistence_location {}/\n\
         max_queued_messages 0\nmax_inflight_messages 0\nset_tcp_nodelay true\nuser root\nlog_type error\n",
        addr.port(),
        dir.path().display()
    );
    std::fs::write(&config, text).unwrap();
    let child = Command::new(program).arg("-c").arg(&config).stderr(Stdio::null()).spawn().ok()?;
    let broker = Broker { child, _dir: dir, addr: addr.to_string() };
    let until = Instant::now() + Duration::from_secs(5);
    while Instant::now() < until {
        if TcpStream::connect(addr).is_ok() {
            return Some(broker);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    None
}

fn length(mut n: usize, out: &mut Vec<u8>) {
    while n > 127 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn text(s: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(&(s.len() as u16).to_be_bytes());
    out.extend_from_slice(s.as_bytes());
}

fn packet(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut out = vec![kind];
    length(body.len(), &mut out);
    out.extend_from_slice(body);
    out
}

fn connect(client: &str) -> Vec<u8> {
    let mut body = b"\0\x04MQTT\x04\x02\0\x3c".to_vec();
    text(client, &mut body);
    packet(0x10, &body)
}

/// The first whole packet: its kind, where its body begins, and where it ends.
fn whole(buf: &[u8]) -> Option<(u8, usize, usize)> {
    let (mut n, mut shift, mut at) = (0usize, 0, 1);
    loop {
        let b = *buf.get(at)?;
        n |= usize::from(b & 0x7f) << shift;
        (at, shift) = (at + 1, shift + 7);
        if b & 0x80 == 0 {
            break;
        }
    }
    (buf.len() >= at + n).then(|| (buf[0], at, at + n))
}

/// The producing process.
pub fn producer(addr: &str, topic: &str) {
    let mut tcp = TcpStream::connect(addr).unwrap();
    tcp.set_nodelay(true).unwrap();
    tcp.write_all(&connect("producer")).unwrap();
    let mut from = tcp.try_clone().unwrap();
    let acked = Arc::new(AtomicU64::new(0));
    let told = acked.clone();
    let (tell_up, up) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let (mut buf, mut piece) = (Vec::new(), [0; 4096]);
        while let Ok(n @ 1..) = from.read(&mut piece) {
            buf.extend_from_slice(&piece[..n]);
            while let Some((kind, _, end)) = whole(&buf) {
                match kind >> 4 {
                    2 => tell_up.send(()).unwrap(),
                    4 => drop(told.fetch_add(1, Ordering::SeqCst)),
                    _ => {}
                }
                buf.drain(..end);
            }
        }
    });
    up.recv_timeout(Duration::from_secs(5)).unwrap();
    say(&json!({"ready": true}));
    for order in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = order.split(' ').collect();
        let ["send", rate, n, _] = words[..] else { panic!("no such order") };
        let (rate, n): (f64, u64) = (rate.parse().unwrap(), n.parse().unwrap());
        acked.store(0, Ordering::SeqCst);
        // Written out once, and only what differs anew: as our own producer does.
        let mut body = Vec::new();
        text(topic, &mut body);
        body.extend_from_slice(&[0; 2]);
        body.extend_from_slice(stamp::text(0).as_bytes());
        let mut message = packet(0x32, &body);
        let at = message.len() - stamp::TEXT;
        let began = Instant::now();
        for seq in 1..=n {
            let due = began + Duration::from_secs_f64((seq - 1) as f64 / rate);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            message[at - 2..at].copy_from_slice(&((seq % 65_535 + 1) as u16).to_be_bytes());
            stamp::restamp(&mut message[at..], seq);
            tcp.write_all(&message).unwrap();
        }
        let until = Instant::now() + Duration::from_secs(10);
        while acked.load(Ordering::SeqCst) < n && Instant::now() < until {
            std::thread::sleep(Duration::from_micros(200));
        }
        say(&json!({"acked": acked.load(Ordering::SeqCst)}));
    }
}

/// The side that reads.
#[derive(Debug)]
pub struct Reader {
    tcp: tokio::net::TcpStream,
    buf: Vec<u8>,
}

impl Reader {
    /// Subscribes.
    pub async fn open(addr: &str, topic: &str) -> Self {
        let mut tcp = tokio::net::TcpStream::connect(addr).await.unwrap();
        tcp.set_nodelay(true).unwrap();
        tcp.write_all(&connect("reader")).await.unwrap();
        let mut body = vec![0, 1];
        text(topic, &mut body);
        body.push(1);
        tcp.write_all(&packet(0x82, &body)).await.unwrap();
        let mut reader = Self { tcp, buf: Vec::new() };
        loop {
            while let Some((kind, _, end)) = whole(&reader.buf) {
                reader.buf.drain(..end);
                if kind >> 4 == 9 {
                    return reader;
                }
            }
            reader.tcp.read_buf(&mut reader.buf).await.unwrap();
        }
    }

    /// The next messages: their bytes are given to `found`, and they are acknowledged.
    pub async fn next(&mut self, mut found: impl FnMut(&[u8])) {
        let n = self.tcp.read_buf(&mut self.buf).await.unwrap();
        assert!(n > 0, "the broker went away");
        let mut acks = Vec::new();
        while let Some((kind, body, end)) = whole(&self.buf) {
            if kind >> 4 == 3 {
                found(&self.buf[body..end]);
                let topic = usize::from(u16::from_be_bytes([self.buf[body], self.buf[body + 1]]));
                let id = body + 2 + topic;
                acks.extend_from_slice(&[0x40, 2, self.buf[id], self.buf[id + 1]]);
            }
            self.buf.drain(..end);
        }
        self.tcp.write_all(&acks).await.unwrap();
    }
}

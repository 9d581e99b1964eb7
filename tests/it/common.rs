//! What the tests drive: a box in this process, and clients that share no code with it but the contract.

mod client;
pub mod desk;
mod producer;
mod proxy;
mod pty;
pub mod served;
pub mod shell;
mod slow;
mod test_box;
mod test_relay;
#[allow(dead_code)] // The tests of the relay use the rest of it.
#[path = "../../relay/tests/it/way.rs"]
pub mod way;

pub use client::QuicClient;
pub use client::QuicStream;
pub use client::Reply;
pub use client::Screen;
pub use client::http;
pub use client::open_socket;
pub use client::unchunk;
pub use producer::delta;
pub use producer::done;
pub use producer::started;
pub use producer::words;
pub use proxy::Proxy;
pub use pty::Pty;
pub use slow::slow_link;
pub use test_box::TestBox;
pub use test_relay::TestRelay;

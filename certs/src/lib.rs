//! Keys, certificates and pins of boxes and relays.
//!
//! A box is its Ed25519 key: the public half, as text, is the box id. A relay is a P-256 key, known by the hash of its
//! public half, its pin; P-256 because browsers share the port and take nothing newer. Both live in files that only
//! their owner may read, and a file that others can read is refused, not mended: whoever could read it may have.
//!
//! [`identity`] holds and makes the keys, [`keyfile`] keeps the files, [`pin`] believes exactly one key, [`tls`] puts
//! together every TLS configuration that box, relay and clients use, [`rotate`] changes keys, [`stamp`] tells whether
//! files have changed, [`dev`] makes a certificate authority for development.

pub mod dev;
pub mod identity;
pub mod keyfile;
pub mod pin;
pub mod rotate;
pub mod stamp;
pub mod tls;

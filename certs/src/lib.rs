//! Keys, certificates and pins of boxes and relays.

pub mod dev;
pub mod identity;
pub mod pin;
pub mod tls;

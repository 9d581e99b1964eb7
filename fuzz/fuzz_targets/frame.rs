//! See `frame` in the library.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| vyre_fuzz::frame(data));

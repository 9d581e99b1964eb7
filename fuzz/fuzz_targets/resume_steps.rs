//! See `resume_steps` in the library.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| vyre_fuzz::resume_steps(data));

//! The committed code in `src/gen/` is what the schemas in `vyre/` generate.
//!
//! After a change to a schema: `VYRE_WRITE_GENERATED=1 cargo test -p vyre-proto --test generated`.

use std::fs;
use std::path::Path;

use prost_build::Config;

const SCHEMAS: &[&str] = &[
    "vyre/stream/v1/block.proto",
    "vyre/stream/v1/call.proto",
    "vyre/stream/v1/event.proto",
    "vyre/stream/v1/frame.proto",
    "vyre/relay/v1/relay.proto",
];
const OUTPUTS: &[&str] = &["vyre.stream.v1.rs", "vyre.stream.v1.serde.rs", "vyre.relay.v1.rs"];

#[test]
fn committed_code_is_what_the_schemas_generate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = tempfile::tempdir().unwrap();
    let set = protox::compile(SCHEMAS.iter().map(|s| root.join(s)), [root]).unwrap();
    let mut config = Config::new();
    config.bytes(["."]).out_dir(out.path()).skip_debug([
        // Whoever prints these prints a secret or somebody's words.
        "vyre.stream.v1.StreamHead",
        "vyre.stream.v1.Attach",
        "vyre.stream.v1.TermStream",
        "vyre.stream.v1.StreamOpened",
        "vyre.stream.v1.TermOpened",
        "vyre.stream.v1.TermAttached",
        "vyre.stream.v1.TermOut",
        "vyre.stream.v1.TermSnapshot",
        "vyre.stream.v1.TermIn",
        "vyre.relay.v1.Bridged",
        "vyre.relay.v1.Header",
    ]);
    use prost::Message;
    let descriptors = set.encode_to_vec();
    config.compile_fds(set).unwrap();
    pbjson_build::Builder::new()
        .register_descriptors(&descriptors)
        .unwrap()
        .out_dir(out.path())
        .ignore_unknown_fields()
        .build(&[".vyre.stream.v1"])
        .unwrap();

    let mut stale = Vec::new();
    for name in OUTPUTS {
        let fresh = fs::read_to_string(out.path().join(name)).unwrap();
        let kept = root.join("src/gen").join(name);
        if std::env::var_os("VYRE_WRITE_GENERATED").is_some() {
            fs::write(&kept, &fresh).unwrap();
        } else if fs::read_to_string(&kept).ok().as_deref() != Some(fresh.as_str()) {
            stale.push(*name);
        }
    }
    assert!(stale.is_empty(), "{stale:?} differ from the schemas; see the head of this file");
}

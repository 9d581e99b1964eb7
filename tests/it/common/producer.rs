//! Events as a producer writes them: one JSON object a line.

use serde_json::Value;
use serde_json::json;

fn event(session: &str, id: String, name: &str, data: Value) -> String {
    let actor = if name == "thread.started" || name == "thread.user" { "person:robin" } else { "assistant:helper" };
    let mut event = json!({ "id": id, "name": name, "session": session, "actor": actor, "data": data });
    if actor.starts_with("assistant") {
        event["acts_for"] = json!("person:robin");
    }
    event.to_string()
}

/// The first event of a session in which robin takes part.
pub fn started(session: &str) -> String {
    event(
        session,
        format!("{session}.started"),
        "thread.started",
        json!({ "title": "t", "assistant": "assistant:helper" }),
    )
}

/// Words of the assistant.
pub fn delta(session: &str, n: usize, text: &str) -> String {
    event(session, format!("{session}.d{n}"), "thread.delta", json!({ "message": "m", "text": text }))
}

/// The end of the assistant's message.
pub fn done(session: &str) -> String {
    event(session, format!("{session}.done"), "thread.done", json!({ "message": "m" }))
}

/// A session of `n` pieces of text.
pub fn words(session: &str, n: usize) -> Vec<String> {
    let mut all = vec![started(session)];
    all.extend((0..n).map(|i| delta(session, i, &format!("word{i} "))));
    all
}

//! What a policy beside the box is asked, and what its answer means. The words alone: how they travel is elsewhere.
//!
//! The question is a JSON object: `actor` (who calls), `act_for` (the person for whom an assistant acts, else absent),
//! `action` (`session.read` or `session.send`) and `resource` (`vyre://<space>/session/<id>`). The answer
//! is an object with `decision` and, where it allows, `roles`; or the decision alone. Whatever else comes back is no
//! answer, and no answer is a refusal.

use serde::Deserialize;
use serde_json::Value;
use serde_json::json;
use vyre_proto::ids::SessionId;

use crate::rules::authority::Act;
use crate::rules::authority::Policy;
use crate::rules::caller::Caller;
use crate::rules::caller::Roles;

/// Longest answer that is read, in bytes.
pub const ANSWER_MAX: usize = 64 * 1024;

/// Why an answer is none. Tells nothing of what it said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// Not JSON of this form.
    #[error("the answer is not the JSON that was expected")]
    Form,
    /// A decision of a name that does not exist.
    #[error("the decision is none of allow, deny and unknown_action")]
    Decision,
    /// Roles that are not names, or too many.
    #[error("the roles are not a list of names")]
    Roles,
}

/// The question, or `None` where the act is about no session or the caller is nobody who could be asked about.
pub fn question(caller: &Caller, act: Act, space: &str, session: &SessionId) -> Option<Value> {
    let action = act.name()?;
    let resource = format!("vyre://{space}/session/{session}");
    match caller {
        Caller::Person(person) => {
            Some(json!({ "actor": person.author().as_str(), "action": action, "resource": resource }))
        }
        Caller::Assistant(acts) => Some(json!({
            "actor": acts.assistant().as_str(),
            "act_for": acts.asker().author().as_str(),
            "action": action,
            "resource": resource,
        })),
        Caller::Device(_) | Caller::Producer(_) | Caller::Nobody => None,
    }
}

#[derive(Deserialize)]
struct Said {
    #[serde(alias = "answer")]
    decision: String,
    #[serde(default)]
    roles: Option<Vec<String>>,
}

/// What an answer means.
pub fn answer(body: &[u8]) -> Result<Policy, NoAnswer> {
    let said = match serde_json::from_slice::<Value>(body) {
        Ok(Value::String(decision)) => Said { decision, roles: None },
        Ok(value @ Value::Object(_)) => serde_json::from_value(value).map_err(|_| NoAnswer::Form)?,
        Ok(_) => return Err(NoAnswer::Form),
        // The bare word.
        Err(_) => {
            let word = std::str::from_utf8(body).map_err(|_| NoAnswer::Form)?;
            Said { decision: word.trim().to_owned(), roles: None }
        }
    };
    match said.decision.as_str() {
        "allow" => {
            let roles = said.roles.unwrap_or_default();
            Roles::new(roles.iter().map(String::as_str)).map(Policy::Allow).ok_or(NoAnswer::Roles)
        }
        "deny" => Ok(Policy::Deny),
        "unknown_action" => Ok(Policy::Silent),
        _ => Err(NoAnswer::Decision),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vyre_proto::ids::Author;

    use super::*;
    use crate::rules::caller::ActsFor;
    use crate::rules::caller::Person;
    use crate::rules::caller::ProducerName;

    fn robin() -> Person {
        Person::new(Author::person("robin").unwrap()).unwrap()
    }

    #[test]
    fn the_question_names_the_whole_chain() {
        let session = SessionId::parse("s1").unwrap();
        let helper = ActsFor::new(Author::parse("assistant:helper").unwrap(), robin()).unwrap();

        assert_eq!(
            question(&Caller::Person(robin()), Act::Read, "acme", &session),
            Some(json!({ "actor": "person:robin", "action": "session.read", "resource": "vyre://acme/session/s1" }))
        );
        assert_eq!(
            question(&Caller::Assistant(helper), Act::Read, "acme", &session),
            Some(json!({
                "actor": "assistant:helper",
                "act_for": "person:robin",
                "action": "session.read",
                "resource": "vyre://acme/session/s1",
            }))
        );
        assert_eq!(question(&Caller::Person(robin()), Act::Own, "acme", &session), None);
        let producer = Caller::Producer(ProducerName::parse("p").unwrap());
        assert_eq!(question(&producer, Act::Read, "acme", &session), None);
    }

    #[test]
    fn each_answer_means_what_it_says() {
        let roles = |names: &[&str]| Policy::Allow(Roles::new(names.iter().copied()).unwrap());
        let cases: &[(&str, Result<Policy, NoAnswer>)] = &[
            (r#"{"decision":"allow"}"#, Ok(roles(&[]))),
            (r#"{"decision":"allow","roles":["ops","hr"],"later":1}"#, Ok(roles(&["hr", "ops"]))),
            (r#"{"answer":"allow"}"#, Ok(roles(&[]))),
            (r#""allow""#, Ok(roles(&[]))),
            ("allow\n", Ok(roles(&[]))),
            (r#"{"decision":"deny","roles":["hr"]}"#, Ok(Policy::Deny)),
            ("deny", Ok(Policy::Deny)),
            (r#"{"decision":"unknown_action"}"#, Ok(Policy::Silent)),
            (r#"{"decision":"Allow"}"#, Err(NoAnswer::Decision)),
            (r#"{"decision":"allow","roles":"hr"}"#, Err(NoAnswer::Form)),
            (r#"{"decision":"allow","roles":[""]}"#, Err(NoAnswer::Roles)),
            (r#"{"allow":true}"#, Err(NoAnswer::Form)),
            ("[\"allow\"]", Err(NoAnswer::Form)),
            ("true", Err(NoAnswer::Form)),
            ("", Err(NoAnswer::Decision)),
            ("allow, I think", Err(NoAnswer::Decision)),
            ("<html>allow</html>", Err(NoAnswer::Decision)),
        ];
        for (body, want) in cases {
            assert_eq!(&answer(body.as_bytes()), want, "{body}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic_and_few_allow(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(Policy::Allow(_)) = answer(&bytes) {
                prop_assert!(bytes.windows(5).any(|w| w == b"allow"));
            }
        }
    }
}

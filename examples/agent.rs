//! An agent without a model: it does what each line of a message tells it, and says so over the Agent Client Protocol.
//!
//! `vyre serve` runs it like any other agent; write `help` to it to see what it can do. With `AGENT_MEMORY` set to a
//! folder it remembers its conversations there, over a restart too.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use agent_client_protocol_schema::ProtocolVersion;
use agent_client_protocol_schema::v1 as acp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::json;

const HELP: &str = "Each line of your message is one of these:
  echo WORDS           says them, word by word
  think WORDS          thinks them
  run COMMAND          runs a shell command in the folder of this session
  write FILE WORDS     writes a file there, and shows what changed
  plan A, B, C         makes a plan and goes through it
  ask QUESTION         asks for permission
  wait SECONDS         does nothing for a while; a stop ends it
  flood N              says N lines as fast as they are taken
  picture BYTES        ends a call with a picture of this size
  remember             says how much was asked in this conversation so far
  hang                 goes silent and hears nothing any more
  crash                ends without a word
";

type Anything = Result<(), Box<dyn std::error::Error>>;

/// What a thread of this agent shares with the others.
struct Agent {
    /// Answers of the client to what was asked of it.
    waiting: Mutex<HashMap<u64, mpsc::Sender<Value>>>,
    next: AtomicU64,
    cancelled: AtomicBool,
    folder: Mutex<PathBuf>,
    memory: Option<PathBuf>,
}

fn main() -> Anything {
    let agent = Arc::new(Agent {
        waiting: Mutex::default(),
        next: AtomicU64::new(1),
        cancelled: AtomicBool::new(false),
        folder: Mutex::new(std::env::current_dir()?),
        memory: std::env::var_os("AGENT_MEMORY").map(PathBuf::from),
    });
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let (id, method) = (message["id"].clone(), message["method"].as_str().unwrap_or_default().to_owned());
        let names = acp::AGENT_METHOD_NAMES;
        match method.as_str() {
            "" => agent.answered(&message),
            m if m == names.initialize => {
                let able = acp::AgentCapabilities::new().load_session(agent.memory.is_some());
                answer(&id, &acp::InitializeResponse::new(ProtocolVersion::V1).agent_capabilities(able))?;
            }
            m if m == names.session_new => {
                let ask: acp::NewSessionRequest = params(&message)?;
                let conversation = format!("conversation-{}-{}", std::process::id(), agent.number());
                *agent.folder.lock().unwrap_or_else(PoisonError::into_inner) = ask.cwd;
                answer(&id, &acp::NewSessionResponse::new(conversation))?;
            }
            m if m == names.session_load => {
                let ask: acp::LoadSessionRequest = params(&message)?;
                let known = agent.remembered(&ask.session_id.0);
                if known.is_empty() {
                    error(&id, acp::Error::resource_not_found(None))?;
                    continue;
                }
                for words in known {
                    // Told again, as the protocol has it.
                    update(
                        &ask.session_id,
                        acp::SessionUpdate::AgentMessageChunk(acp::ContentChunk::new(words.into())),
                    )?;
                }
                *agent.folder.lock().unwrap_or_else(PoisonError::into_inner) = ask.cwd;
                answer(&id, &acp::LoadSessionResponse::new())?;
            }
            m if m == names.session_prompt => {
                let ask: acp::PromptRequest = params(&message)?;
                let agent = agent.clone();
                agent.cancelled.store(false, Ordering::SeqCst);
                thread::spawn(move || {
                    let done = agent.prompt(&ask);
                    let reason =
                        if agent.is_cancelled() { acp::StopReason::Cancelled } else { acp::StopReason::EndTurn };
                    let _ = match done {
                        Ok(()) => answer(&id, &acp::PromptResponse::new(reason)),
                        Err(e) => error(&id, acp::Error::new(-32603, e.to_string())),
                    };
                });
            }
            m if m == names.session_cancel => agent.cancelled.store(true, Ordering::SeqCst),
            _ if !id.is_null() => error(&id, acp::Error::method_not_found())?,
            _ => {}
        }
    }
    Ok(())
}

impl Agent {
    fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::SeqCst)
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
    }

    fn answered(&self, message: &Value) {
        let waiting = message["id"]
            .as_u64()
            .and_then(|id| self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&id));
        if let Some(waiting) = waiting {
            let _ = waiting.send(message["result"].clone());
        }
    }

    fn folder(&self) -> PathBuf {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was asked in this conversation, where that is kept.
    fn remembered(&self, conversation: &str) -> Vec<String> {
        let file = self.memory.as_ref().map(|m| m.join(conversation));
        let text = file.and_then(|f| fs::read_to_string(f).ok()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn remember(&self, conversation: &str, words: &str) -> Anything {
        let Some(memory) = &self.memory else { return Ok(()) };
        fs::create_dir_all(memory)?;
        let mut file = fs::OpenOptions::new().create(true).append(true).open(memory.join(conversation))?;
        Ok(writeln!(file, "{}", words.replace('\n', " "))?)
    }

    fn prompt(&self, ask: &acp::PromptRequest) -> Anything {
        let session = &ask.session_id;
        let words = ask.prompt.iter().filter_map(|b| match b {
            acp::ContentBlock::Text(t) => Some(t.text.as_str()),
            _ => None,
        });
        let words = words.collect::<Vec<_>>().join("\n");
        self.remember(&session.0, &words)?;
        for line in words.lines() {
            if self.is_cancelled() {
                break;
            }
            let (verb, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match verb {
                "" => {}
                "echo" => {
                    for word in rest.split_inclusive(' ') {
                        say(session, word)?;
                    }
                    say(session, "\n")?;
                }
                "think" => {
                    let thought = acp::ContentChunk::new(rest.to_owned().into());
                    update(session, acp::SessionUpdate::AgentThoughtChunk(thought))?;
                }
                "run" => self.run(session, rest)?,
                "write" => self.write(session, rest)?,
                "plan" => self.plan(session, rest)?,
                "ask" => self.ask(session, rest)?,
                "wait" => self.wait(rest.parse().unwrap_or(1.0)),
                "flood" => {
                    for n in 0..rest.parse().unwrap_or(1000) {
                        if self.is_cancelled() {
                            break;
                        }
                        say(session, &format!("line {n} of a flood that nobody asked to be this long\n"))?;
                    }
                }
                "picture" => self.picture(session, rest.parse().unwrap_or(1000))?,
                "remember" => say(session, &format!("{} asked so far\n", self.remembered(&session.0).len()))?,
                "hang" => loop {
                    thread::sleep(Duration::from_secs(3600));
                },
                "crash" => std::process::exit(3),
                "help" => say(session, HELP)?,
                _ => say(session, &format!("You wrote: {line}\nWrite help to see what I can do.\n"))?,
            }
        }
        Ok(())
    }

    fn wait(&self, seconds: f64) {
        let end = std::time::Instant::now() + Duration::from_secs_f64(seconds.clamp(0.0, 3600.0));
        while std::time::Instant::now() < end && !self.is_cancelled() {
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn run(&self, session: &acp::SessionId, command: &str) -> Anything {
        let id = format!("call-{}", self.number());
        let call = acp::ToolCall::new(id.clone(), format!("`{command}`"))
            .kind(acp::ToolKind::Execute)
            .status(acp::ToolCallStatus::InProgress)
            .raw_input(json!({ "command": command }));
        update(session, acp::SessionUpdate::ToolCall(call))?;
        let mut child = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.folder())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (lines, read) = mpsc::channel();
        if let Some(out) = child.stdout.take() {
            thread::spawn(move || BufReader::new(out).lines().map_while(Result::ok).try_for_each(|l| lines.send(l)));
        }
        let mut output = String::new();
        let status = loop {
            while let Ok(line) = read.recv_timeout(Duration::from_millis(5)) {
                output.push_str(&line);
                output.push('\n');
                self.call(session, &id, acp::ToolCallStatus::InProgress, &output, None)?;
            }
            if self.is_cancelled() {
                child.kill()?;
            }
            if let Some(status) = child.try_wait()? {
                break status;
            }
        };
        while let Ok(line) = read.recv_timeout(Duration::from_millis(20)) {
            output.push_str(&line);
            output.push('\n');
        }
        let how = if status.success() { acp::ToolCallStatus::Completed } else { acp::ToolCallStatus::Failed };
        self.call(session, &id, how, &output, status.code())
    }

    fn call(
        &self,
        session: &acp::SessionId,
        id: &str,
        status: acp::ToolCallStatus,
        output: &str,
        exit: Option<i32>,
    ) -> Anything {
        let fields = acp::ToolCallUpdateFields::new()
            .status(status)
            .content(vec![acp::ToolCallContent::from(output.to_owned())])
            .raw_output(exit.map(|code| json!({ "exit_code": code })));
        update(session, acp::SessionUpdate::ToolCallUpdate(acp::ToolCallUpdate::new(id.to_owned(), fields)))
    }

    fn write(&self, session: &acp::SessionId, rest: &str) -> Anything {
        let (name, words) = rest.split_once(' ').unwrap_or((rest, ""));
        let path = self.folder().join(Path::new(name).file_name().unwrap_or_default());
        let (old, new) = (fs::read_to_string(&path).ok(), format!("{words}\n"));
        let id = format!("call-{}", self.number());
        let call = acp::ToolCall::new(id.clone(), format!("Write {name}")).kind(acp::ToolKind::Edit);
        update(session, acp::SessionUpdate::ToolCall(call))?;
        fs::write(&path, &new)?;
        let diff = acp::Diff::new(path, new).old_text(old);
        let fields = acp::ToolCallUpdateFields::new()
            .status(acp::ToolCallStatus::Completed)
            .content(vec![acp::ToolCallContent::from(diff)]);
        update(session, acp::SessionUpdate::ToolCallUpdate(acp::ToolCallUpdate::new(id, fields)))
    }

    fn plan(&self, session: &acp::SessionId, rest: &str) -> Anything {
        let steps: Vec<_> = rest.split(',').map(str::trim).filter(|s| !s.is_empty()).collect();
        for at in 0..=steps.len() {
            let entry = |(n, step): (usize, &&str)| {
                let status = match n.cmp(&at) {
                    std::cmp::Ordering::Less => acp::PlanEntryStatus::Completed,
                    std::cmp::Ordering::Equal => acp::PlanEntryStatus::InProgress,
                    std::cmp::Ordering::Greater => acp::PlanEntryStatus::Pending,
                };
                acp::PlanEntry::new(*step, acp::PlanEntryPriority::Medium, status)
            };
            let entries = steps.iter().enumerate().map(entry).collect();
            update(session, acp::SessionUpdate::Plan(acp::Plan::new(entries)))?;
        }
        Ok(())
    }

    fn ask(&self, session: &acp::SessionId, question: &str) -> Anything {
        let (number, id) = (self.number(), format!("call-{}", self.number()));
        let fields = acp::ToolCallUpdateFields::new().title(question.to_owned()).kind(acp::ToolKind::Other);
        let options = vec![
            acp::PermissionOption::new("yes", "Allow", acp::PermissionOptionKind::AllowOnce),
            acp::PermissionOption::new("no", "Reject", acp::PermissionOptionKind::RejectOnce),
        ];
        let call = acp::ToolCallUpdate::new(id.clone(), fields);
        let ask = acp::RequestPermissionRequest::new(session.clone(), call, options);
        let (told, hear) = mpsc::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(number, told);
        let method = acp::CLIENT_METHOD_NAMES.session_request_permission;
        put(&json!({ "jsonrpc": "2.0", "id": number, "method": method, "params": ask }))?;
        let answer: acp::RequestPermissionResponse = serde_json::from_value(hear.recv()?)?;
        let (status, words) = match answer.outcome {
            acp::RequestPermissionOutcome::Selected(s) if &*s.option_id.0 == "yes" => {
                (acp::ToolCallStatus::Completed, "It was allowed.\n")
            }
            acp::RequestPermissionOutcome::Selected(_) => (acp::ToolCallStatus::Failed, "It was not allowed.\n"),
            _ => (acp::ToolCallStatus::Failed, "Nobody said.\n"),
        };
        self.call(session, &id, status, words, None)?;
        say(session, words)
    }

    fn picture(&self, session: &acp::SessionId, bytes: usize) -> Anything {
        let id = format!("call-{}", self.number());
        update(session, acp::SessionUpdate::ToolCall(acp::ToolCall::new(id.clone(), "A picture")))?;
        let image = acp::ContentBlock::Image(acp::ImageContent::new("A".repeat(bytes), "image/png"));
        let fields = acp::ToolCallUpdateFields::new()
            .status(acp::ToolCallStatus::Completed)
            .content(vec![acp::ToolCallContent::from(image)]);
        update(session, acp::SessionUpdate::ToolCallUpdate(acp::ToolCallUpdate::new(id, fields)))
    }
}

fn params<T: DeserializeOwned>(message: &Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(message["params"].clone())
}

fn say(session: &acp::SessionId, words: &str) -> Anything {
    let chunk = acp::ContentChunk::new(words.to_owned().into());
    update(session, acp::SessionUpdate::AgentMessageChunk(chunk))
}

fn update(session: &acp::SessionId, update: acp::SessionUpdate) -> Anything {
    let told = acp::SessionNotification::new(session.clone(), update);
    put(&json!({ "jsonrpc": "2.0", "method": acp::CLIENT_METHOD_NAMES.session_update, "params": told }))
}

fn answer(id: &Value, result: &impl Serialize) -> Anything {
    put(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

fn error(id: &Value, error: acp::Error) -> Anything {
    put(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
}

/// One message is one line; threads take turns.
fn put(message: &Value) -> Anything {
    let mut out = io::stdout().lock();
    writeln!(out, "{message}")?;
    Ok(out.flush()?)
}

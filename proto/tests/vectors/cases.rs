//! What the vectors are about.

use vyre_proto::ids::LogId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::block::Kind as Block;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::record;

/// The log of all vectors.
pub const LOG: LogId = LogId([0x5a; 16]);

/// One file.
pub struct Case {
    pub name: String,
    pub about: &'static str,
    /// Lists of frames that lead to the same rows; the first one counts.
    pub ways: Vec<Vec<One>>,
}

/// One frame.
#[derive(Clone)]
pub struct One {
    pub frame: pb::Frame,
    /// Encoded fields that no version of the schema has.
    pub unknown: &'static [u8],
}

impl One {
    pub fn record(&self) -> Vec<u8> {
        if self.unknown.is_empty() {
            return record::to_record(&self.frame).to_vec();
        }
        let mut out = bytes::BytesMut::new();
        let mut body = prost::Message::encode_to_vec(&self.frame);
        body.extend_from_slice(self.unknown);
        record::wrap(&body, &mut out);
        out.to_vec()
    }
}

impl From<pb::Frame> for One {
    fn from(frame: pb::Frame) -> One {
        One { frame, unknown: &[] }
    }
}

fn base(cur: u64, data: Data) -> pb::Frame {
    pb::Frame { v: 1, cur, session: "s1".into(), data: Some(data), ..Default::default() }
}

/// A frame of the assistant's in a turn.
fn by_assistant(cur: u64, message: &str, data: Data) -> pb::Frame {
    pb::Frame {
        id: format!("e{cur}"),
        turn: "t1".into(),
        time: 1_772_442_000_000_000 + cur,
        author: "assistant:helper".into(),
        acts_for: "person:robin".into(),
        message: message.into(),
        ..base(cur, data)
    }
}

fn by_person(cur: u64, message: &str, data: Data) -> pb::Frame {
    pb::Frame {
        author: "person:robin".into(),
        acts_for: String::new(),
        turn: String::new(),
        ..by_assistant(cur, message, data)
    }
}

fn delta(cur: u64, message: &str, channel: pb::Channel, at: u64, text: &str) -> pb::Frame {
    let delta = pb::TextDelta { channel: channel as i32, at, text: text.into(), ..Default::default() };
    by_assistant(cur, message, Data::TextDelta(delta))
}

fn text(cur: u64, message: &str, at: u64, text: &str) -> pb::Frame {
    delta(cur, message, pb::Channel::Text, at, text)
}

fn think(cur: u64, message: &str, at: u64, text: &str) -> pb::Frame {
    delta(cur, message, pb::Channel::Thinking, at, text)
}

fn done(cur: u64, message: &str, text_len: u64, thinking_len: u64) -> pb::Frame {
    by_assistant(cur, message, Data::TextDone(pb::TextDone { text_len, thinking_len }))
}

fn cut(cur: u64, message: &str, at: u64, note: &str) -> pb::Frame {
    by_assistant(cur, message, Data::TextCut(pb::TextCut { at, note: note.into() }))
}

fn merged(cur: u64, message: &str, at: u64, parts: &[&str]) -> pb::Frame {
    let parts = parts.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
    let span = parts.len() as u64;
    let frame = by_assistant(cur, message, Data::TextDelta(pb::TextDelta { at, parts, ..Default::default() }));
    pb::Frame { span, ..frame }
}

fn started(cur: u64, call: &str, block: Option<Block>) -> pb::Frame {
    let block = block.map(|kind| pb::Block { kind: Some(kind), ..Default::default() });
    let started = pb::ToolStarted { call: call.into(), tool: "shell".into(), title: "List files".into(), block };
    by_assistant(cur, "", Data::ToolStarted(started))
}

fn progress(cur: u64, call: &str, at: u64, text: &str) -> pb::Frame {
    by_assistant(
        cur,
        "",
        Data::ToolProgress(pb::ToolProgress { call: call.into(), at, text: text.into(), parts: vec![] }),
    )
}

fn finished(cur: u64, call: &str, ok: bool, block: Option<pb::Block>) -> pb::Frame {
    by_assistant(cur, "", Data::ToolFinished(pb::ToolFinished { call: call.into(), tool: "shell".into(), ok, block }))
}

fn term_chunk(cur: u64, call: &str) -> pb::Frame {
    let chunk = pb::TermChunk {
        call: call.into(),
        command: "ls".into(),
        output: "README.md\nsrc\n".into(),
        exit: Some(0),
        total: 14,
    };
    by_assistant(cur, "", Data::TermChunk(chunk))
}

fn user(cur: u64, message: &str, words: &str, state: pb::UserState) -> pb::Frame {
    by_person(
        cur,
        message,
        Data::UserMessage(pb::UserMessage { text: words.into(), state: state as i32, ..Default::default() }),
    )
}

fn said(cur: u64, message: &str, words: &str) -> pb::Frame {
    user(cur, message, words, pb::UserState::Said)
}

fn react(cur: u64, message: &str, emoji: &str, on: bool) -> pb::Frame {
    by_person(cur, message, Data::Reaction(pb::Reaction { emoji: emoji.into(), on }))
}

fn ask(cur: u64) -> pb::Frame {
    let ask =
        pb::Ask { ask: "q1".into(), question: "May I delete it?".into(), options: vec!["yes".into(), "no".into()] };
    by_assistant(cur, "", Data::Ask(ask))
}

fn answered(cur: u64, answer: &str, who: &str) -> pb::Frame {
    let frame = by_person(cur, "", Data::AskAnswered(pb::AskAnswered { ask: "q1".into(), answer: answer.into() }));
    pb::Frame { author: who.into(), ..frame }
}

fn status(cur: u64, state: &str) -> pb::Frame {
    by_assistant(cur, "", Data::Status(pb::Status { state: state.into(), ..Default::default() }))
}

fn fanout(cur: u64) -> pb::Frame {
    let member = |who: &str, message: &str| pb::FanoutMember { who: who.into(), message: message.into() };
    let members = vec![member("assistant:one", "m1"), member("assistant:two", "m2")];
    by_person(cur, "u1", Data::Fanout(pb::Fanout { group: "g1".into(), members }))
}

fn lost(cur: u64, span: u64) -> pb::Frame {
    pb::Frame { span, ..base(cur, Data::Lost(pb::Lost { reason: pb::LostReason::Crash as i32 })) }
}

fn hidden(cur: u64, span: u64) -> pb::Frame {
    pb::Frame { v: 1, cur, span, data: Some(Data::Hidden(pb::Hidden {})), ..Default::default() }
}

fn rewound(cur: u64, to: &str) -> pb::Frame {
    by_person(cur, "m1", Data::Rewound(pb::Rewound { to: to.into() }))
}

fn control(data: Data) -> pb::Frame {
    pb::Frame { v: 1, session: "s1".into(), data: Some(data), ..Default::default() }
}

fn reset(floor: u64, head: u64) -> pb::Frame {
    control(Data::Reset(pb::Reset {
        reason: pb::ResetReason::BehindFloor as i32,
        log: LOG.to_string(),
        view: 1,
        floor,
        head,
    }))
}

fn emptied(frame: pb::Frame, expired: bool, cut: bool) -> pb::Frame {
    let mut frame = pb::Frame { expired, cut, ..frame };
    match &mut frame.data {
        Some(Data::TextDelta(d)) => d.text.clear(),
        Some(Data::TermChunk(d)) => {
            d.command.clear();
            d.output.clear();
            d.total = 0;
        }
        _ => {}
    }
    frame
}

fn one(name: &str, about: &'static str, frames: Vec<pb::Frame>) -> Case {
    ways(name, about, vec![frames])
}

fn ways(name: &str, about: &'static str, ways: Vec<Vec<pb::Frame>>) -> Case {
    let ways = ways.into_iter().map(|way| way.into_iter().map(One::from).collect()).collect();
    Case { name: name.into(), about, ways }
}

/// Every file.
pub fn all() -> Vec<Case> {
    let mut out = kinds();
    out.extend(blocks());
    out.extend(sequences());
    out
}

fn kinds() -> Vec<Case> {
    let joined = |who: &str| Data::ParticipantJoined(pb::ParticipantJoined { who: who.into() });
    let kind = |name: &str, about, frames| one(&format!("kind-{name}"), about, frames);
    vec![
        kind("text-delta", "The first words of a message.", vec![text(1, "m1", 0, "Good morning, Ægir 🎉")]),
        kind(
            "text-done",
            "A message is whole; the lengths are bytes.",
            vec![think(1, "m1", 0, "Hm."), text(2, "m1", 0, "Così è."), done(3, "m1", 9, 3)],
        ),
        kind(
            "text-cut",
            "A message ends before its end; `at` bytes stay.",
            vec![text(1, "m1", 0, "This stays, "), text(2, "m1", 12, "and this goes."), cut(3, "m1", 12, "stopped")],
        ),
        kind(
            "tool-started",
            "A call begins; `block` says what was asked.",
            vec![started(
                1,
                "c1",
                Some(Block::Terminal(pb::TerminalBlock { command: "ls".into(), ..Default::default() })),
            )],
        ),
        kind(
            "tool-progress",
            "What a call prints on its way.",
            vec![started(1, "c1", None), progress(2, "c1", 0, "50 %\n")],
        ),
        kind("tool-finished", "A call ends, here badly.", vec![started(1, "c1", None), finished(2, "c1", false, None)]),
        kind("term-chunk", "A command that a call ran.", vec![started(1, "c1", None), term_chunk(2, "c1")]),
        kind(
            "term-command",
            "A line that a person typed in the session's terminal.",
            vec![by_person(
                1,
                "",
                Data::TermCommand(pb::TermCommand {
                    term: "term1".into(),
                    line: "make test".into(),
                    offset: 9_007_199_254_740_991,
                    via: "osc133".into(),
                    surface: "deck".into(),
                }),
            )],
        ),
        kind(
            "file-changed",
            "A file got another name.",
            vec![by_assistant(
                1,
                "",
                Data::FileChanged(pb::FileChanged {
                    path: "docs/new.md".into(),
                    change: pb::Change::Renamed as i32,
                    from: "docs/old.md".into(),
                }),
            )],
        ),
        kind("ask", "A question, open.", vec![ask(1)]),
        kind("ask-answered", "A question with its answer.", vec![ask(1), answered(2, "yes", "person:robin")]),
        kind(
            "user-message",
            "Words of a person, waiting for the next safe point.",
            vec![pb::Frame {
                parent: "m0".into(),
                ..by_person(
                    1,
                    "u1",
                    Data::UserMessage(pb::UserMessage {
                        text: "And then?\nSay more.".into(),
                        state: pb::UserState::Queued as i32,
                        mentions: vec!["assistant:helper".into()],
                        enc: None,
                    }),
                )
            }],
        ),
        kind(
            "status",
            "The work is being stopped.",
            vec![by_assistant(
                1,
                "",
                Data::Status(pb::Status { state: "stopping".into(), note: "by Robin".into(), stopping: true }),
            )],
        ),
        kind("participant-joined", "Somebody came.", vec![by_person(1, "", joined("person:kim"))]),
        kind(
            "participant-left",
            "Somebody went.",
            vec![
                by_person(1, "", joined("person:kim")),
                by_person(2, "", Data::ParticipantLeft(pb::ParticipantLeft { who: "person:kim".into() })),
            ],
        ),
        kind(
            "reaction",
            "The row's emoji has no variation mark.",
            vec![said(1, "u1", "Done."), react(2, "u1", "👍\u{fe0f}", true)],
        ),
        kind(
            "pin",
            "A message is pinned.",
            vec![said(1, "u1", "Keep."), by_person(2, "u1", Data::Pin(pb::Pin { on: true }))],
        ),
        kind(
            "mention",
            "Others are named in a message.",
            vec![
                said(1, "u1", "You two."),
                by_person(
                    2,
                    "u1",
                    Data::Mention(pb::Mention { who: vec!["person:kim".into(), "assistant:one".into()] }),
                ),
            ],
        ),
        kind("fanout", "One message is put to several.", vec![said(1, "u1", "Both of you?"), fanout(2)]),
        kind(
            "fanout-keep",
            "One of their answers is kept.",
            vec![
                said(1, "u1", "Both of you?"),
                fanout(2),
                by_person(3, "", Data::FanoutKeep(pb::FanoutKeep { group: "g1".into(), keep: "m2".into() })),
            ],
        ),
        kind(
            "lost",
            "Three cursors whose content a crash took; `id` has the last of them.",
            vec![said(1, "u1", "Hello?"), lost(4, 3)],
        ),
        kind(
            "rewound",
            "What came after `to` is no part of the conversation any more.",
            vec![said(1, "u1", "Say it."), text(2, "m1", 0, "Wrong."), rewound(3, "u1")],
        ),
        kind(
            "branched",
            "This session began as a branch.",
            vec![base(1, Data::Branched(pb::Branched { from: "m7".into(), session: "s0".into() }))],
        ),
        kind("hidden", "Two cursors that this viewer may not see.", vec![said(1, "u1", "Hello?"), hidden(3, 2)]),
        kind(
            "hello",
            "First on every stream. It makes no row.",
            vec![control(Data::Hello(pb::Hello {
                log: LOG.to_string(),
                view: 1,
                floor: 1,
                head: 12,
                beat_ms: 60_000,
            }))],
        ),
        kind("reset", "Rows are dropped; the next cursor is the floor.", vec![said(1, "u1", "Old."), reset(101, 120)]),
        kind(
            "heartbeat",
            "It says the head and makes no row.",
            vec![control(Data::Heartbeat(pb::Heartbeat { head: 12 }))],
        ),
        kind(
            "bye",
            "Last on a stream that the box ends.",
            vec![control(Data::Bye(pb::Bye {
                reason: pb::ByeReason::Restart as i32,
                min_delay_ms: 200,
                max_delay_ms: 2_000,
                paths: vec!["https://box.example:8080".into()],
            }))],
        ),
        kind(
            "presence",
            "Ephemeral: no row, no place.",
            vec![control(Data::Presence(pb::Presence {
                who: "person:kim".into(),
                state: pb::PresenceState::Typing as i32,
                doing: String::new(),
            }))],
        ),
        kind(
            "read-marker",
            "Ephemeral: no row, no place.",
            vec![control(Data::ReadMarker(pb::ReadMarker { upto: "m1".into(), cur: 9, session: "s2".into() }))],
        ),
        kind(
            "session-head",
            "Ephemeral, and of another session.",
            vec![pb::Frame {
                session: "s2".into(),
                ..control(Data::SessionHead(pb::SessionHead {
                    session: "s2".into(),
                    head: 9,
                    unread: 2,
                    title: "Slides".into(),
                }))
            }],
        ),
    ]
}

fn blocks() -> Vec<Case> {
    let field = |name: &str, content| pb::Field { name: name.into(), content: Some(content), read_roles: vec![] };
    let value = |v: &str| pb::field::Content::Value(v.into());
    let sealed = pb::Sealed { sealed: "iban".into(), present: true, valid_format: true, can_reveal: false };
    let hidden = pb::HiddenField { hidden: "role".into(), kind: "text".into(), present: true };
    let block = |name: &str, about, block: pb::Block| {
        one(&format!("block-{name}"), about, vec![finished(1, "c1", true, Some(block))])
    };
    let plain = |kind| pb::Block { kind: Some(kind), ..Default::default() };
    vec![
        block(
            "terminal",
            "A command, its output and its exit; the whole can be fetched by reference.",
            pb::Block {
                note: "visible to everyone in this chat".into(),
                total: 120_000,
                r#ref: "r1".into(),
                kind: Some(Block::Terminal(pb::TerminalBlock {
                    command: "cargo test".into(),
                    output: "\u{1b}[32mok\u{1b}[0m\r\n".into(),
                    exit: Some(0),
                })),
            },
        ),
        block(
            "diff",
            "A change of one file.",
            plain(Block::Diff(pb::DiffBlock {
                path: "src/main.rs".into(),
                patch: "@@ -1 +1 @@\n-old\n+new\n".into(),
                added: 1,
                removed: 1,
            })),
        ),
        block(
            "files",
            "Files that were changed or found.",
            plain(Block::Files(pb::FilesBlock {
                files: vec![
                    pb::FileEntry { path: "a.md".into(), change: "added".into() },
                    pb::FileEntry { path: "b.md".into(), change: String::new() },
                ],
                detail: "2 files hold the word".into(),
            })),
        ),
        block(
            "record",
            "A record; what the viewer may not read is a placeholder.",
            plain(Block::Record(pb::RecordBlock {
                r#type: "customer".into(),
                id: "k-17".into(),
                title: "Kim".into(),
                fields: vec![
                    field("city", value("Aarhus")),
                    field("account", pb::field::Content::Sealed(sealed)),
                    field("salary", pb::field::Content::Hidden(hidden)),
                ],
                read_roles: vec!["sales".into()],
            })),
        ),
        block(
            "task",
            "A list of things to do.",
            plain(Block::Task(pb::TaskBlock {
                title: "Release".into(),
                items: vec![
                    pb::TaskItem { text: "Test".into(), state: "completed".into() },
                    pb::TaskItem { text: "Tag".into(), state: "pending".into() },
                ],
            })),
        ),
        block(
            "draft",
            "Something to be sent later. Its own kind is `draftKind` in a row.",
            plain(Block::Draft(pb::DraftBlock {
                kind: "mail".into(),
                title: "Hello".into(),
                body: "Dear Kim,\n".into(),
                fields: vec![field("to", value("kim@example.com"))],
            })),
        ),
        block(
            "flow-change",
            "A change of an automation.",
            plain(Block::FlowChange(pb::FlowChangeBlock {
                flow: "nightly".into(),
                summary: "Runs at two".into(),
                steps: vec!["fetch".into(), "report".into()],
            })),
        ),
        block(
            "answer",
            "An answer with its sources.",
            plain(Block::Answer(pb::AnswerBlock {
                text: "42".into(),
                sources: vec![pb::Source { title: "Guide".into(), url: "https://example.com/guide".into() }],
                fields: vec![],
            })),
        ),
        block(
            "screen",
            "A picture of a screen, by reference.",
            pb::Block {
                r#ref: "r2".into(),
                total: 250_000,
                kind: Some(Block::Screen(pb::ScreenBlock {
                    title: "Desktop".into(),
                    media_type: "image/png".into(),
                    width: 1280,
                    height: 800,
                })),
                ..Default::default()
            },
        ),
        block("text", "Words.", plain(Block::Text(pb::TextBlock { text: "File created.".into() }))),
    ]
}

fn sequences() -> Vec<Case> {
    let seq = |name: &str, about, list| ways(&format!("sequence-{name}"), about, list);
    let mut out = vec![
        {
            let singles = vec![
                text(1, "m1", 0, "One 🎉"),
                text(2, "m1", 8, ""),
                text(3, "m1", 8, " two"),
                text(4, "m1", 12, " three"),
                done(5, "m1", 18, 0),
            ];
            let all = merged(4, "m1", 0, &["One 🎉", "", " two", " three"]);
            seq(
                "merged",
                "A merged frame folds like its single frames, wherever a reader stood before.",
                vec![
                    singles.clone(),
                    vec![all.clone(), singles[4].clone()],
                    vec![singles[0].clone(), singles[1].clone(), all, singles[4].clone()],
                    vec![
                        merged(2, "m1", 0, &["One 🎉", ""]),
                        merged(4, "m1", 8, &[" two", " three"]),
                        singles[4].clone(),
                    ],
                ],
            )
        },
        {
            let singles = vec![
                text(1, "m1", 0, "Left "),
                text(2, "m2", 0, "right "),
                text(3, "m1", 5, "and"),
                think(4, "m2", 0, "hm"),
                text(5, "m2", 6, "too"),
            ];
            let lane = |message: &str, channel: pb::Channel| pb::Lane {
                message: message.into(),
                author: "assistant:helper".into(),
                acts_for: "person:robin".into(),
                turn: "t1".into(),
                channel: channel as i32,
                ..Default::default()
            };
            let lanes = pb::Frame {
                v: 1,
                cur: 5,
                span: 5,
                id: "e5".into(),
                session: "s1".into(),
                data: Some(Data::TextDelta(pb::TextDelta {
                    parts: ["Left ", "right ", "and", "hm", "too"].map(str::to_owned).to_vec(),
                    part_lane: vec![0, 1, 0, 2, 1],
                    lanes: vec![
                        lane("m1", pb::Channel::Text),
                        lane("m2", pb::Channel::Text),
                        lane("m2", pb::Channel::Thinking),
                    ],
                    ..Default::default()
                })),
                ..Default::default()
            };
            seq(
                "lanes",
                "Two messages at once in one merged frame: each part says its lane.",
                vec![
                    singles.clone(),
                    vec![lanes.clone()],
                    vec![singles[0].clone(), singles[1].clone(), singles[2].clone(), lanes],
                ],
            )
        },
        {
            let joined = pb::Frame {
                span: 2,
                ..by_assistant(
                    3,
                    "",
                    Data::ToolProgress(pb::ToolProgress {
                        call: "c1".into(),
                        at: 0,
                        text: String::new(),
                        parts: vec!["print(".into(), "'hi')\n".into()],
                    }),
                )
            };
            seq(
                "progress",
                "Progress of one call, single and merged.",
                vec![
                    vec![started(1, "c1", None), progress(2, "c1", 0, "print("), progress(3, "c1", 6, "'hi')\n")],
                    vec![started(1, "c1", None), joined],
                ],
            )
        },
        {
            let live = vec![
                text(1, "m1", 0, "Keep. "),
                text(2, "m1", 6, "Not this."),
                cut(3, "m1", 6, "stopped"),
                text(4, "m1", 15, " Nor this, which came late."),
                done(5, "m1", 42, 0),
            ];
            let mut later = live.clone();
            for n in [1, 3] {
                later[n] = emptied(later[n].clone(), false, true);
            }
            seq(
                "cut",
                "What a cut took away is gone from the log, and nothing that comes late brings it back.",
                vec![live, later],
            )
        },
        seq(
            "cut-refusal",
            "A message that was cut before its first word has a row, for the note.",
            vec![vec![cut(1, "m1", 0, "refusal")]],
        ),
        seq(
            "thinking",
            "Thinking is held until its message has a first text. Alone it leaves no row.",
            vec![vec![
                think(1, "m1", 0, "Let me see. "),
                think(2, "m2", 0, "Never said."),
                started(3, "c1", None),
                text(4, "m1", 0, "I see."),
                done(5, "m2", 0, 11),
            ]],
        ),
        {
            let again = |n: u64, f: pb::Frame| pb::Frame { cur: f.cur + n, ..f };
            seq(
                "lost",
                "After a crash what was not durable comes again, under the same event ids and above the lost cursors.",
                vec![vec![
                    text(1, "m1", 0, "Durable, "),
                    lost(8, 7),
                    again(7, text(2, "m1", 9, "shown, ")),
                    again(7, status(3, "working")),
                    text(11, "m1", 16, "and on."),
                ]],
            )
        },
        {
            let again = |n: u64, f: pb::Frame| pb::Frame { cur: f.cur + n, ..f };
            let live = vec![
                text(1, "m1", 0, "Durable, "),
                text(2, "m1", 9, "shown, "),
                status(3, "working"),
                lost(8, 7),
                again(7, text(2, "m1", 9, "shown, ")),
                again(7, status(3, "working")),
                text(11, "m1", 16, "and on."),
            ];
            seq(
                "lost-live",
                "The same crash for a reader that had seen more: it misses five cursors and shows nothing twice.",
                vec![live],
            )
        },
        seq(
            "hole",
            "Words that are missing: rows never join text over a hole.",
            vec![vec![
                text(1, "m1", 0, "One "),
                base(2, Data::Lost(pb::Lost { reason: pb::LostReason::Damage as i32 })),
                text(3, "m1", 8, "three"),
                text(4, "m1", 13, " four"),
                done(5, "m1", 18, 0),
            ]],
        ),
        seq(
            "later",
            "A log whose floor is inside a message: the row begins later.",
            vec![vec![text(7, "m1", 30, "the end."), done(8, "m1", 38, 0)]],
        ),
        seq(
            "short",
            "A message that is whole in length only: its end is missing.",
            vec![vec![text(1, "m1", 0, "Half"), done(2, "m1", 9, 0)]],
        ),
        seq(
            "overlap",
            "A delta that starts in what is held is trimmed at its byte, never inside a character.",
            vec![vec![text(1, "m1", 0, "a🎉"), text(2, "m1", 1, "🎉b"), text(3, "m1", 0, "a"), done(4, "m1", 6, 0)]],
        ),
        seq(
            "reset",
            "A reset drops the rows; the stream goes on from the floor.",
            vec![
                vec![text(1, "m1", 0, "Old."), reset(101, 102), text(101, "m2", 0, "New"), text(102, "m2", 3, "er.")],
                vec![text(101, "m2", 0, "New"), text(102, "m2", 3, "er.")],
            ],
        ),
        seq(
            "tools-out-of-order",
            "A result before its start; then a call without a result, which stays open after a stop.",
            vec![vec![
                finished(
                    1,
                    "c1",
                    true,
                    Some(pb::Block {
                        kind: Some(Block::Text(pb::TextBlock { text: "2 files".into() })),
                        ..Default::default()
                    }),
                ),
                term_chunk(2, "c1"),
                progress(3, "c1", 0, "…"),
                started(4, "c1", None),
                started(5, "c2", None),
                status(6, "stopped"),
            ]],
        ),
        seq(
            "queue",
            "Taking back and picking up: the first one wins, and later words change nothing.",
            vec![vec![
                user(1, "u1", "First", pb::UserState::Queued),
                user(2, "u2", "Second", pb::UserState::Queued),
                user(3, "u1", "", pb::UserState::Cancelled),
                user(4, "u2", "", pb::UserState::PickedUp),
                user(5, "u1", "", pb::UserState::PickedUp),
                user(6, "u2", "", pb::UserState::Cancelled),
            ]],
        ),
        seq(
            "ask-twice",
            "Of two answers the first one stays.",
            vec![vec![ask(1), answered(2, "no", "person:kim"), answered(3, "yes", "person:robin")]],
        ),
        seq(
            "thumbs",
            "One thumb a person, with and without its variation mark; the last word counts.",
            vec![vec![
                react(1, "u1", "👍", true),
                said(2, "u1", "Done."),
                react(3, "u1", "👍\u{fe0f}", true),
                react(4, "u1", "👍🏽", true),
                react(5, "u1", "❤\u{fe0f}", true),
                react(6, "u1", "❤", false),
            ]],
        ),
        seq(
            "rewound",
            "Rows after `to` go, and frames that come late for them stay away. A queued message stays.",
            vec![vec![
                said(1, "u1", "Say it."),
                text(2, "m1", 0, "Wrong"),
                started(3, "c1", None),
                user(4, "u2", "And this later.", pb::UserState::Queued),
                rewound(5, "u1"),
                text(6, "m1", 5, " again"),
                finished(7, "c1", true, None),
                text(8, "m2", 0, "Right."),
            ]],
        ),
        seq(
            "rewound-first",
            "The first message said anew: who is in the room stays, and what came after the message goes.",
            vec![vec![
                by_person(1, "", Data::ParticipantJoined(pb::ParticipantJoined { who: "person:ana".into() })),
                said(2, "u1", "Say it."),
                by_person(3, "", Data::ParticipantJoined(pb::ParticipantJoined { who: "person:bo".into() })),
                text(4, "m1", 0, "Wrong."),
                by_person(5, "u1", Data::Rewound(pb::Rewound { to: String::new() })),
                said(6, "u2", "Say it well."),
            ]],
        ),
        seq(
            "fanout",
            "One message put to two: one row for the group, a row for each answer, and the last choice counts.",
            vec![vec![
                said(1, "u1", "Which way?"),
                by_person(
                    2,
                    "u1",
                    Data::Fanout(pb::Fanout {
                        group: "g1".into(),
                        members: ["helper", "other"]
                            .map(|who| pb::FanoutMember {
                                who: format!("assistant:{who}"),
                                message: format!("m-{who}"),
                            })
                            .to_vec(),
                    }),
                ),
                text(3, "m-helper", 0, "Left"),
                text(4, "m-other", 0, "Right"),
                text(5, "m-helper", 4, "."),
                by_person(6, "", Data::FanoutKeep(pb::FanoutKeep { group: "g1".into(), keep: "m-helper".into() })),
                by_person(7, "", Data::FanoutKeep(pb::FanoutKeep { group: "g1".into(), keep: "m-other".into() })),
            ]],
        ),
        seq(
            "expired",
            "Words that age took: the row stays in its place and says so.",
            vec![vec![
                emptied(think(1, "m1", 0, "x"), true, false),
                emptied(text(2, "m1", 0, "x"), true, false),
                done(3, "m1", 120, 40),
                text(4, "m2", 0, "Newer."),
            ]],
        ),
        seq(
            "expired-shell",
            "What a shell printed and age took: the call stays, with what came of it.",
            vec![vec![
                started(1, "c1", None),
                emptied(term_chunk(2, "c1"), true, false),
                finished(3, "c1", true, None),
            ]],
        ),
        seq(
            "hidden",
            "A run of hidden cursors is one row, in one frame or in many.",
            vec![
                vec![hidden(1, 0), hidden(2, 0), hidden(3, 0), text(4, "m1", 0, "Seen."), hidden(5, 0)],
                vec![hidden(3, 3), text(4, "m1", 0, "Seen."), hidden(5, 0)],
            ],
        ),
        seq(
            "private",
            "A private message: opaque to the box, without text.",
            vec![vec![by_person(
                1,
                "u1",
                Data::UserMessage(pb::UserMessage {
                    enc: Some(pb::Encrypted {
                        alg: "mls".into(),
                        kid: "k1".into(),
                        ct: vec![0xde, 0xad, 0xbe, 0xef].into(),
                    }),
                    ..Default::default()
                }),
            )]],
        ),
        seq(
            "forgery",
            "Text that looks like lines of an event stream is text.",
            vec![vec![text(1, "m1", 0, "word\rid: 999\r\rdata: forged\r\n\r\nevent: session.bye\n\n\0")]],
        ),
        seq(
            "large-cursor",
            "The largest cursor: below 2^53, and exact everywhere.",
            vec![vec![text(9_007_199_254_740_991, "m1", 0, "Far.")]],
        ),
    ];
    // Field 120, a message with one field: `{title: "la"}`.
    let unknown = One {
        frame: pb::Frame { v: 1, cur: 12, id: "e12".into(), session: "s1".into(), ..Default::default() },
        unknown: &[0xc2, 0x07, 0x04, 0x0a, 0x02, b'l', b'a'],
    };
    out.push(Case {
        name: "sequence-unknown".into(),
        about: "A kind of a newer box moves the cursor and shows a neutral row; what follows is read on.",
        ways: vec![vec![unknown, One::from(text(13, "m1", 0, "Known."))]],
    });
    out
}

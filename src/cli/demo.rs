//! `vyre demo`: a box, a relay and a screen in one process, over real sockets, with the screen's line cut at random.
//!
//! The box dials the relay; the screen reaches the box through it, over a [`Line`] between screen and relay that can be
//! cut. A cut is real: the line drops every connection that runs at that moment for good. Most cuts are told, as in life:
//! a TCP connection is reset, and over QUIC the screen is told that its network has changed, which is what a telephone
//! says to its programs. Some are silent, and the screen has to find out. Those fall into open messages only, since only
//! there a screen may expect words; in between, it rightly waits for a minute or longer.
//!
//! A second reader sits on the box itself and is never cut. At the end both must show the same rows, and the cursors that
//! the screen was given are counted one by one.

pub mod line;
mod score;
mod stage;
mod tally;
mod work;

use std::io;
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use tokio::signal::unix::SignalKind;
use tokio::signal::unix::signal;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio::time::sleep_until;
use tokio::time::timeout;
use vyre_proto::cursor::Cursor;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Body;
use vyre_proto::fold::row::MessageState;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::relay_url::RelayUrl;
use vyre_proto::resume::Nudge;
use vyre_proto::resume::Position;
use vyre_proto::resume::State;
use vyre_relay::server::Server;

use crate::cli::Failure;
use crate::cli::attach::PAINT;
use crate::cli::attach::View;
use crate::cli::block_on;
use crate::cli::print_line;
use crate::client::Client;
use crate::client::Reading;
use crate::client::RelayCarrier;
use crate::client::Target;
use crate::client::Token;
use crate::client::Update;
use crate::clock::Clock;
use crate::config::Config;
use crate::config::Many;
use crate::config::Settings;
use crate::daemon::Daemon;
use crate::daemon::UplinkState;
use crate::rules::caller::Caller;
use crate::rules::caller::Person;
use crate::rules::caller::ProducerName;
use line::Cut;
use line::Line;
use score::Score;
use stage::PlayError;
use stage::Stage;
use tally::Tally;
use tally::Verdict;

/// The person in whose name the screen reads, where a file names nobody.
const YOU: &str = "person:you";

/// How long a session is played by default.
const SECONDS: u64 = 20;

/// Cuts by default.
const CUTS: u32 = 12;

/// One cut in so many is silent.
const SILENT_ONE_IN: u64 = 5;

/// A silent cut takes three seconds to find out. Nearer to the end than this there is none.
const SILENT_ROOM: Duration = Duration::from_secs(5);

/// How long the parts may take to find each other.
const START_LIMIT: Duration = Duration::from_secs(10);

/// How long both readers have to come to the end of the log.
const END_LIMIT: Duration = Duration::from_secs(20);

/// Flags of `vyre demo`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A file of events to play, one JSON object a line. Without one, real work is done in a temporary folder.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// How often the screen's line is cut.
    #[arg(long, value_name = "N", default_value_t = CUTS, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    cuts: u32,
    /// How many times faster than life. Default: 1, and for a file as fast as fits into --seconds.
    #[arg(long, value_name = "X", value_parser = speed)]
    speed: Option<f64>,
    /// When to come to an end. Default: 20; with a file and --speed, when all is played.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: Option<u64>,
    /// Over what the screen reaches the relay.
    #[arg(long, value_enum, default_value_t = Over::Quic)]
    over: Over,
    /// Print one JSON object at the end, and nothing else.
    #[arg(long)]
    json: bool,
}

/// Over what the screen reaches the relay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Over {
    /// QUIC.
    Quic,
    /// A WebSocket under TLS.
    Ws,
}

fn speed(text: &str) -> Result<f64, String> {
    let wrong = || "a speed is a number from 0.01 to 100000".to_owned();
    text.parse().ok().filter(|x| (0.01..=100_000.0).contains(x)).ok_or_else(wrong)
}

/// Runs the demonstration.
pub fn run(args: Args) -> Result<(), Failure> {
    let score = args.file.as_deref().map(Score::read).transpose().map_err(Failure::run)?;
    let verdict = block_on(async {
        let folder = TempFolder::new().map_err(Failure::run)?;
        let world = World::start(folder.path(), &args, score.as_ref()).await?;
        let verdict = world.show(&args, score, folder.path()).await;
        world.stop().await;
        verdict
    })?;
    if args.json {
        print_line(&verdict.json().to_string());
    } else {
        print_line("");
        for (name, value) in verdict.lines() {
            print_line(&format!("{name:<22} {value}"));
        }
    }
    match verdict.is_good() {
        true => Ok(()),
        false => Err(Failure::Run("the screen did not show what a reader that was never cut has seen".to_owned())),
    }
}

/// A folder that goes away.
struct TempFolder(PathBuf);

impl TempFolder {
    fn new() -> io::Result<TempFolder> {
        let name: String = Clock::system().random::<8>().iter().map(|b| format!("{b:02x}")).collect();
        let path = std::env::temp_dir().join(format!("vyre-demo-{name}"));
        std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
        let mut builder = std::fs::DirBuilder::new();
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path)?;
        for inner in ["box", "relay", "project"] {
            builder.create(path.join(inner))?;
        }
        Ok(TempFolder(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(path = %self.0.display(), %error, "the temporary folder stays");
        }
    }
}

/// All that runs.
struct World {
    relay: Server,
    daemon: Daemon,
    line: Line,
    /// The screen's, over the line and the relay.
    screen: Client,
    /// On the box itself, never cut.
    witness: Client,
    producer: Client,
    session: SessionId,
}

impl World {
    async fn start(folder: &Path, args: &Args, score: Option<&Score>) -> Result<World, Failure> {
        let config = vyre_relay::config::Config::on_loopback(folder.join("relay"));
        let relay = Server::start(config).await.map_err(Failure::run)?;
        let settings = Settings {
            data: Some(folder.join("box")),
            http: Some("127.0.0.1:0".to_owned()),
            quic: Some("127.0.0.1:0".to_owned()),
            relay: Some(Many::One(relay.url().to_string())),
            ..Settings::default()
        };
        let config = Config::new(None, settings).map_err(Failure::run)?;
        let daemon = Daemon::start(&config).await.map_err(Failure::run)?;
        if let Some(mut state) = daemon.uplinks().pop() {
            let up = timeout(START_LIMIT, state.wait_for(|s| *s == UplinkState::Up)).await;
            up.map_err(|_| Failure::Run("the box did not reach the relay in time".to_owned()))?
                .map_err(Failure::run)?;
        }

        let line = Line::start(relay.http(), relay.quic()).await.map_err(Failure::run)?;
        let reader = match score.and_then(Score::reader) {
            Some(author) => author.clone(),
            None => Author::parse(YOU).map_err(Failure::run)?,
        };
        let person = Person::new(reader).map(Caller::Person);
        let person = token(&daemon, &person.ok_or_else(|| Failure::Run("nobody can read this".to_owned()))?)?;
        let name = ProducerName::parse("demo").map_err(Failure::run)?;
        let producer = token(&daemon, &Caller::Producer(name))?;
        let Some(http) = daemon.ready().http else { return Err(Failure::Run("the box has no address".to_owned())) };
        let on_box = || Target::Web { tls: false, host: http.ip().to_string(), port: http.port() };
        let target = Target::Relay {
            url: behind(&line, relay.url()).map_err(Failure::run)?,
            id: daemon.ready().box_id,
            carrier: match args.over {
                Over::Quic => RelayCarrier::Quic,
                Over::Ws => RelayCarrier::WebSocket,
            },
        };
        let session =
            score.map_or_else(|| SessionId::parse("demo").map_err(Failure::run), |s| Ok(s.session().clone()))?;
        Ok(World {
            screen: Client::connect(target, person.clone()).map_err(Failure::run)?,
            witness: Client::connect(on_box(), person).map_err(Failure::run)?,
            producer: Client::connect(on_box(), producer).map_err(Failure::run)?,
            relay,
            daemon,
            line,
            session,
        })
    }

    async fn stop(self) {
        self.daemon.stop().await;
        self.relay.stop().await;
    }

    /// Plays, cuts, watches and compares.
    async fn show(&self, args: &Args, score: Option<Score>, folder: &Path) -> Result<Verdict, Failure> {
        let mut stop_signal = signal(SignalKind::interrupt()).map_err(Failure::run)?;
        let mut term_signal = signal(SignalKind::terminate()).map_err(Failure::run)?;
        let begin = Instant::now();
        let pace = Pace::of(args, score.as_ref());
        let (stop, stopped) = watch::channel(false);
        let stage = Stage::new(self.producer.publisher(), Clock::system(), stopped, pace.speed)
            .until(pace.limit.map(|limit| begin + limit))
            .in_session(self.session.as_str());
        let mut playing = Owned(tokio::spawn(play(stage, score, pace.speed, folder.join("project"))));
        self.wait_for_session(&mut playing).await?;

        let (target, wanted) = watch::channel(None);
        let mut witness = Owned(tokio::spawn(witness(self.attach(&self.witness), wanted)));
        let mut screen = Screen {
            reading: self.attach(&self.screen),
            tally: Tally::default(),
            begin,
            via: String::new(),
            view: View::new(self.session.as_str()),
            painting: !args.json && io::stdout().is_terminal(),
        };
        let mut cuts = Cuts::new(args.cuts, pace.length);
        let mut played = None;
        let mut end_at = None;
        let mut paint_at = begin;
        let told = loop {
            tokio::select! {
                biased;
                _ = stop_signal.recv() => {
                    if stop.send_replace(true) {
                        return Err(Failure::Run("stopped before its end: it was told twice".to_owned()));
                    }
                }
                _ = term_signal.recv() => drop(stop.send_replace(true)),
                done = &mut playing.0, if played.is_none() => {
                    let events = done.map_err(Failure::run)?.map_err(Failure::run)?;
                    let head = self.head().await?;
                    played = Some((events, head, begin.elapsed()));
                    target.send_replace(Some(head));
                    end_at = Some(Instant::now() + END_LIMIT);
                }
                () = sleep_until(paint_at), if screen.painting => {
                    screen.paint(false);
                    paint_at = Instant::now() + PAINT;
                }
                () = sleep_until(begin + cuts.next_at()), if played.is_none() && cuts.is_due_some(&screen.tally) => {
                    let left = pace.length.saturating_sub(begin.elapsed());
                    screen.cut(&self.line, cuts.take(left, screen.in_message()), args.over);
                }
                () = sleep_until(end_at.unwrap_or(begin)), if end_at.is_some() => break played,
                update = screen.reading.next() => match update {
                    Some(update) => screen.take(update)?,
                    None => return Err(Failure::Run("the box ended the screen's stream".to_owned())),
                },
            }
            if let Some((_, head, _)) = played
                && screen.tally.last() >= head
            {
                break played;
            }
        };
        let Some((events, head, length)) = told else { return Err(Failure::Run("nothing was played".to_owned())) };
        screen.paint(true);
        let seen = timeout(END_LIMIT, &mut witness.0).await;
        let seen = seen.map_err(|_| Failure::Run("the reader on the box did not come to the end".to_owned()))?;
        let seen = seen.map_err(Failure::run)??;
        Ok(Verdict {
            same: rows(&seen) == rows(screen.view.fold()),
            rows: screen.view.fold().rows().len(),
            measured: screen.tally.finish(head),
            played: length,
            via: screen.via,
            events,
        })
    }

    fn attach(&self, client: &Client) -> Reading {
        client.attach(self.session.clone(), Position::default())
    }

    /// A reader is refused for good where there is no session yet.
    async fn wait_for_session(&self, playing: &mut Owned<Result<u64, PlayError>>) -> Result<(), Failure> {
        let deadline = Instant::now() + START_LIMIT;
        loop {
            let done = playing.0.is_finished();
            match self.head().await {
                Ok(_) => return Ok(()),
                Err(_) if done => {
                    // What stopped it says more.
                    (&mut playing.0).await.map_err(Failure::run)?.map_err(Failure::run)?;
                    return Err(Failure::Run("the session was not created".to_owned()));
                }
                Err(e) if Instant::now() > deadline => return Err(e),
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    async fn head(&self) -> Result<Cursor, Failure> {
        let open = pb::StreamOpen { session: self.session.to_string(), ..Default::default() };
        let opened: pb::StreamOpened = self.witness.call("stream.open", &open).await.map_err(Failure::run)?;
        Ok(Cursor::new(opened.head).unwrap_or_default())
    }
}

/// A task that ends with its owner.
struct Owned<T>(JoinHandle<T>);

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Makes a token. Its hash is on disk when this returns.
fn token(daemon: &Daemon, caller: &Caller) -> Result<Token, Failure> {
    let token = tokio::task::block_in_place(|| daemon.new_token(caller)).map_err(Failure::run)?;
    Token::parse(&token).map_err(Failure::run)
}

/// The relay's address as the screen takes it: its keys, at the line's ports.
fn behind(line: &Line, relay: &RelayUrl) -> Result<RelayUrl, vyre_proto::relay_url::RelayUrlError> {
    let (tcp, udp): (SocketAddr, SocketAddr) = (line.tcp(), line.udp());
    RelayUrl::new(relay.is_plain(), &tcp.ip().to_string(), tcp.port(), udp.port(), relay.pins().to_vec())
}

async fn play(mut stage: Stage, score: Option<Score>, speed: f64, project: PathBuf) -> Result<u64, PlayError> {
    match score {
        None => stage = work::play(stage, &project).await?,
        Some(score) => score.play(&mut stage, speed).await?,
    }
    stage.finish().await
}

/// Reads on the box itself up to the head that is told at last.
async fn witness(mut reading: Reading, mut wanted: watch::Receiver<Option<Cursor>>) -> Result<Fold, Failure> {
    let mut fold = Fold::new();
    loop {
        if wanted.borrow().is_some_and(|head| fold.last() >= head) {
            return Ok(fold);
        }
        tokio::select! {
            update = reading.next() => match update {
                Some(Update::Frame(frame)) => drop(fold.apply(&frame)),
                Some(Update::State { state: State::Ended(end), .. }) => return Err(Failure::run(end)),
                Some(Update::State { .. } | Update::Missing(_)) => {}
                None => return Err(Failure::Run("the box ended the stream".to_owned())),
            },
            Ok(()) = wanted.changed() => {}
        }
    }
}

/// Rows as data.
fn rows(fold: &Fold) -> Option<serde_json::Value> {
    serde_json::to_value(fold.rows()).ok()
}

/// The screen that is cut.
struct Screen {
    reading: Reading,
    tally: Tally,
    begin: Instant,
    via: String,
    view: View,
    painting: bool,
}

impl Screen {
    fn take(&mut self, update: Update) -> Result<(), Failure> {
        let now = self.begin.elapsed();
        match &update {
            Update::Frame(frame) => {
                if let Some(span) = frame.span() {
                    self.tally.frame(now, span, matches!(frame.get().data, Some(Data::Lost(_))));
                }
            }
            Update::State { state: State::Live { head }, via } => {
                self.tally.live(now, *head);
                if let Some(via) = via {
                    self.via = via.to_string();
                }
            }
            Update::State { state: State::Ended(end), .. } => return Err(Failure::run(end)),
            // Its cursors come as a `lost` frame or never: counted in either case.
            Update::State { .. } | Update::Missing(_) => {}
        }
        self.view.take(update);
        Ok(())
    }

    fn cut(&mut self, line: &Line, cut: Cut, over: Over) {
        self.tally.cut(self.begin.elapsed(), cut);
        line.cut(cut);
        if cut == Cut::Told && over == Over::Quic {
            self.reading.nudge(Nudge::Network);
        }
    }

    fn in_message(&self) -> bool {
        let open = |body: &Body| matches!(body, Body::Message(m) if m.state == MessageState::Open);
        self.view.fold().rows().iter().rev().take(4).any(|row| open(&row.body))
    }

    fn paint(&mut self, last: bool) {
        if self.painting {
            let extra = format!("cursor {} · {} cuts", self.tally.last(), self.tally.cuts());
            // A terminal that is gone is no reason to stop measuring.
            self.painting = self.view.paint(&extra, last).is_ok();
        }
    }
}

/// How long it takes, and how fast it goes.
struct Pace {
    speed: f64,
    /// How long it is expected to take.
    length: Duration,
    /// When it is ended.
    limit: Option<Duration>,
}

impl Pace {
    fn of(args: &Args, score: Option<&Score>) -> Pace {
        let seconds = Duration::from_secs(args.seconds.unwrap_or(SECONDS));
        let Some(score) = score else {
            return Pace { speed: args.speed.unwrap_or(1.0), length: seconds, limit: Some(seconds) };
        };
        match args.speed {
            Some(speed) => {
                let limit = args.seconds.map(|_| seconds);
                let length = score.length().div_f64(speed);
                Pace { speed, length: limit.map_or(length, |l| l.min(length)), limit }
            }
            None => {
                let fit = score.length().as_secs_f64() / seconds.as_secs_f64();
                let speed = fit.max(1.0);
                Pace { speed, length: score.length().div_f64(speed), limit: None }
            }
        }
    }
}

/// When the line is cut, and how.
struct Cuts {
    /// The latest first.
    left: Vec<Duration>,
    dice: Clock,
}

impl Cuts {
    /// `n` instants at random over this time, its first and last moments left out.
    fn new(n: u32, length: Duration) -> Cuts {
        let dice = Clock::system();
        let (from, to) = (length.mul_f64(0.03), length.mul_f64(0.95));
        let at = |_| from + (to.saturating_sub(from)).mul_f64(chance(&dice));
        let mut left: Vec<Duration> = (0..n).map(at).collect();
        left.sort_unstable_by(|a, b| b.cmp(a));
        Cuts { left, dice }
    }

    fn next_at(&self) -> Duration {
        self.left.last().copied().unwrap_or_default()
    }

    /// Whether there is a cut to wait for. Who has not come back from the last is not cut again.
    fn is_due_some(&self, tally: &Tally) -> bool {
        !self.left.is_empty() && tally.is_resumed()
    }

    fn take(&mut self, time_left: Duration, in_message: bool) -> Cut {
        self.left.pop();
        let silent = u64::from_le_bytes(self.dice.random()).is_multiple_of(SILENT_ONE_IN);
        if silent && in_message && time_left > SILENT_ROOM { Cut::Silent } else { Cut::Told }
    }
}

/// From 0 to 1.
fn chance(dice: &Clock) -> f64 {
    f64::from(u32::from_le_bytes(dice.random())) / f64::from(u32::MAX)
}

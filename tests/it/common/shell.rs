//! [`Shell`]: a person's login shell on a real terminal, and what of it is recorded.

use std::fs;
use std::os::fd::AsFd;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use pty_process::OwnedWritePty;
use pty_process::Size;
use rustix::termios::LocalModes;
use rustix::termios::tcgetattr;
use tempfile::TempDir;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::process::Child;
use vyre_proto::ids::Author;
use vyre_stream::rules::term::marks::Mark;
use vyre_stream::rules::term::marks::Marks;
use vyre_stream::rules::term::marks::Nonce;
use vyre_stream::rules::term::ran::Mode;
use vyre_stream::rules::term::ran::Ran;
use vyre_stream::rules::term::ran::Recorder;
use vyre_stream::rules::term::ran::Reports;
use vyre_stream::rules::term::ran::Typist;
use vyre_stream::term::shells::Given;
use vyre_stream::term::shells::Start;

/// Nothing that a person waits for takes this long.
const SOON: Duration = Duration::from_secs(30);

/// A shell on a terminal of its own, with a home of its own. Killed when dropped.
pub struct Shell {
    keyboard: OwnedWritePty,
    heard: Arc<Mutex<Heard>>,
    terminal: Arc<OwnedFd>,
    child: Child,
    /// What the shell reads when it starts.
    _start: Start,
    home: TempDir,
}

struct Heard {
    marks: Marks,
    recorder: Recorder,
    output: Vec<u8>,
    prompts: usize,
    at_prompt: bool,
    ran: Vec<Ran>,
}

/// The nonce of every shell here.
pub fn nonce() -> Nonce {
    Nonce::new([0x5e; 16])
}

impl Shell {
    /// Starts one in a home with these files, and waits for its prompt.
    pub async fn start(program: &str, files: &[(&str, &str)]) -> Shell {
        let mut shell = Shell::begin(program, files).await;
        shell.until_prompt(1).await;
        shell
    }

    /// Starts one and waits for nothing.
    pub async fn begin(program: &str, files: &[(&str, &str)]) -> Shell {
        let home = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let file = home.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        // Without a file of one's own, zsh asks a new person what to put into it.
        if !home.path().join(".zshrc").exists() {
            fs::write(home.path().join(".zshrc"), "").unwrap();
        }
        let program = ["/bin", "/usr/bin"].iter().map(|d| Path::new(d).join(program)).find(|p| p.exists());
        let program = program.expect("bash, zsh and fish are needed: see `.ci/run`");
        let start = Start::new(&program, &nonce(), &home.path().join("private"), &Given::default()).unwrap();

        let (pty, pts) = pty_process::open().unwrap();
        pty.resize(Size::new(24, 80)).unwrap();
        let terminal = Arc::new(pty.as_fd().try_clone_to_owned().unwrap());
        let child = pty_process::Command::new(&start.program)
            .arg0(&start.arg0)
            .args(&start.args)
            .env_clear()
            .env("HOME", home.path())
            .env("PATH", "/usr/bin:/bin")
            .env("TERM", "xterm")
            .env("LANG", "C.UTF-8")
            .envs(start.env.iter().map(|(name, value)| (name, value)))
            .current_dir(home.path())
            .kill_on_drop(true)
            .spawn(pts)
            .unwrap();
        let (mut screen, keyboard) = pty.into_split();
        let heard = Arc::new(Mutex::new(Heard {
            marks: Marks::new(nonce()),
            recorder: Recorder::new(start.reports),
            output: Vec::new(),
            prompts: 0,
            at_prompt: false,
            ran: Vec::new(),
        }));
        let (into, set) = (heard.clone(), terminal.clone());
        // Ends with the terminal.
        tokio::spawn(async move {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = screen.read(&mut buffer).await {
                let heard = &mut *into.lock().unwrap();
                heard.recorder.mode(mode_of(&set));
                heard.output.extend_from_slice(&buffer[..n]);
                heard.marks.read(&buffer[..n], |at, mark| {
                    // fish says it again when it draws its prompt anew.
                    heard.prompts += usize::from(mark == Mark::Prompt && !heard.at_prompt);
                    heard.at_prompt = mark == Mark::Prompt || heard.at_prompt && !is_run(&mark);
                    heard.ran.extend(heard.recorder.mark(at, mark));
                });
            }
        });
        Shell { keyboard, heard, terminal, child, _start: start, home }
    }

    /// Presses keys, as this person.
    pub async fn press_as(&mut self, who: &str, keys: &str) {
        let typist = Typist { author: Author::person(who).unwrap(), via: "direct".into(), surface: "test".into() };
        self.heard.lock().unwrap().recorder.typed(&typist, keys.as_bytes(), mode_of(&self.terminal));
        self.keyboard.write_all(keys.as_bytes()).await.unwrap();
    }

    /// Presses keys.
    pub async fn press(&mut self, keys: &str) {
        self.press_as("anna", keys).await;
    }

    /// Presses keys and waits for the next prompt.
    pub async fn enter(&mut self, keys: &str) {
        let prompts = self.prompts();
        self.press(keys).await;
        self.until_prompt(prompts + 1).await;
    }

    /// Waits until the shell has come to its prompt so often, and the editor of lines has the terminal.
    pub async fn until_prompt(&mut self, prompts: usize) {
        let terminal = self.terminal.clone();
        self.until("its prompt", |heard| heard.prompts >= prompts && !mode_of(&terminal).canonical).await;
    }

    /// Waits until this was put out.
    pub async fn until_written(&mut self, text: &str) {
        self.until_written_times(text, 1).await;
    }

    /// Waits until this was put out so often.
    pub async fn until_written_times(&mut self, text: &str, times: usize) {
        self.until(text, |heard| String::from_utf8_lossy(&heard.output).matches(text).count() >= times).await;
    }

    /// Waits until so many lines were recorded.
    pub async fn until_ran(&mut self, lines: usize) {
        self.until("the line", |heard| heard.ran.len() >= lines).await;
    }

    /// Waits until a password is asked for.
    pub async fn until_password(&mut self) {
        let terminal = self.terminal.clone();
        self.until("a password prompt", |_| mode_of(&terminal).asks_for_a_password()).await;
    }

    async fn until(&mut self, what: &str, is: impl Fn(&Heard) -> bool) {
        let reached = tokio::time::timeout(SOON, async {
            while !is(&self.heard.lock().unwrap()) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        assert!(reached.await.is_ok(), "{what} never comes:\n{}", self.output());
    }

    /// How often the shell came to its prompt.
    pub fn prompts(&self) -> usize {
        self.heard.lock().unwrap().prompts
    }

    /// All that was put out.
    pub fn output(&self) -> String {
        String::from_utf8_lossy(&self.heard.lock().unwrap().output).into_owned()
    }

    /// Whether it reports.
    pub fn reports(&self) -> Reports {
        self.heard.lock().unwrap().recorder.reports()
    }

    /// What was recorded.
    pub fn ran(&self) -> Vec<Ran> {
        self.heard.lock().unwrap().ran.clone()
    }

    /// The lines that were recorded.
    pub fn lines(&self) -> Vec<String> {
        self.ran().iter().map(|ran| ran.line.text().to_owned()).collect()
    }

    /// Where it lives.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Waits until it is over.
    pub async fn ended(&mut self) {
        tokio::time::timeout(SOON, self.child.wait()).await.expect("it does not end").unwrap();
    }
}

fn is_run(mark: &Mark) -> bool {
    matches!(mark, Mark::Line(_) | Mark::Running)
}

fn mode_of(terminal: &OwnedFd) -> Mode {
    let modes = tcgetattr(terminal).unwrap().local_modes;
    Mode { echo: modes.contains(LocalModes::ECHO), canonical: modes.contains(LocalModes::ICANON) }
}

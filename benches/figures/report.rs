//! Rows as they come, and what each has to reach.

use std::io::Write;
use std::time::Duration;

/// What a row has to reach: the least, and the aim.
#[derive(Debug, Clone, Copy)]
pub enum Goal {
    /// Ours over the floor, at most.
    AtMost(f64, f64),
    /// Ours over the floor, at least.
    AtLeast(f64, f64),
    /// Ours less the floor, below.
    Beyond(f64, f64),
    /// Nothing: it is there to be read.
    Note,
}

/// One line of the table.
#[derive(Debug, Clone)]
pub struct Row {
    /// Name of the figure, as `--only` takes it.
    pub figure: &'static str,
    /// What was measured.
    pub what: String,
    /// In which unit.
    pub unit: &'static str,
    /// The product.
    pub ours: f64,
    /// What it stands beside, and its value.
    pub floor: Option<(&'static str, f64)>,
    /// What it has to reach.
    pub goal: Goal,
}

impl Row {
    fn ratio(&self) -> Option<f64> {
        let (_, floor) = self.floor?;
        match self.goal {
            Goal::Beyond(..) => Some(self.ours - floor),
            _ if floor == 0.0 => None,
            _ => Some(self.ours / floor),
        }
    }

    /// `aim`, `met`, `missed`, or nothing where there is no goal.
    fn verdict(&self) -> &'static str {
        let Some(r) = self.ratio() else { return "" };
        let (met, aim) = match self.goal {
            Goal::AtMost(must, aim) | Goal::Beyond(must, aim) => (r <= must, r <= aim),
            Goal::AtLeast(must, aim) => (r >= must, r >= aim),
            Goal::Note => return "",
        };
        match (met, aim) {
            (true, true) => "aim",
            (true, false) => "met",
            _ => "MISSED",
        }
    }

    fn goal(&self) -> String {
        match self.goal {
            Goal::AtMost(must, aim) => format!("≤ {must} (aim {aim})"),
            Goal::AtLeast(must, aim) => format!("≥ {must} (aim {aim})"),
            Goal::Beyond(must, aim) => format!("+{must} (aim +{aim})"),
            Goal::Note => String::new(),
        }
    }
}

/// Where rows go.
#[derive(Debug)]
pub struct Report {
    json: bool,
    missed: Vec<String>,
}

/// The load average of the last minute.
pub fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(f64::NAN)
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|l| l.starts_with("model name")).and_then(|l| l.split(": ").nth(1));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{cores} processors ({}), Linux {}", model.unwrap_or("unknown"), kernel.trim())
}

/// Three digits that matter.
fn digits(v: f64) -> String {
    match v.abs() {
        a if a >= 1000.0 => {
            let text = format!("{v:.0}");
            let mut out = String::new();
            for (i, c) in text.chars().enumerate() {
                if i > 0 && (text.len() - i).is_multiple_of(3) && out != "-" {
                    out.push(' ');
                }
                out.push(c);
            }
            out
        }
        a if a >= 100.0 => format!("{v:.0}"),
        a if a >= 10.0 => format!("{v:.1}"),
        _ => format!("{v:.2}"),
    }
}

impl Report {
    /// In a table, or in lines of JSON.
    pub fn new(json: bool) -> Self {
        Self { json, missed: Vec::new() }
    }

    /// Says where this runs.
    pub fn begin(&self, descriptors: Option<u64>) {
        if self.json {
            let line = serde_json::json!({"machine": machine(), "version": env!("CARGO_PKG_VERSION"), "load": load()});
            println!("{line}");
            return;
        }
        println!("{}, load {:.2}, {} descriptors\n", machine(), load(), descriptors.unwrap_or(0));
        println!("| figure | measured | unit | product | floor | beside | ratio | goal | | load |");
        println!("|---|---|---|---|---|---|---|---|---|---|");
    }

    /// One row.
    pub fn row(&mut self, row: Row) {
        let verdict = row.verdict();
        if verdict == "MISSED" {
            self.missed.push(format!("{}: {}", row.figure, row.what));
        }
        let (beside, floor) = row.floor.map_or(("", None), |(b, f)| (b, Some(f)));
        let load = load();
        if self.json {
            let line = serde_json::json!({
                "figure": row.figure, "what": row.what, "unit": row.unit, "product": row.ours, "floor": floor,
                "beside": beside, "ratio": row.ratio(), "goal": row.goal(), "verdict": verdict, "load": load,
            });
            println!("{line}");
        } else {
            let plus = if matches!(row.goal, Goal::Beyond(..)) { "+" } else { "" };
            let ratio = row.ratio().map(|r| format!("{plus}{r:.2}")).unwrap_or_default();
            println!(
                "| {} | {} | {} | {} | {} | {beside} | {ratio} | {} | {verdict} | {load:.1} |",
                row.figure,
                row.what,
                row.unit,
                digits(row.ours),
                floor.map(digits).unwrap_or_default(),
                row.goal(),
            );
        }
        let _ = std::io::stdout().flush();
    }

    /// Something that could not be measured, and why.
    pub fn skip(&mut self, figure: &'static str, why: &str) {
        if self.json {
            println!("{}", serde_json::json!({"figure": figure, "skipped": why}));
        } else {
            println!("| {figure} | not measured: {why} | | | | | | | | |");
        }
    }

    /// How long a figure took, for whoever waits.
    pub fn took(&self, name: &str, time: Duration) {
        eprintln!("{name}: {:.1} s", time.as_secs_f64());
    }

    /// Says what was missed.
    pub fn end(&self) {
        if self.json {
            println!("{}", serde_json::json!({"missed": self.missed, "load": load()}));
        } else if self.missed.is_empty() {
            println!("\nevery goal was met; load {:.2}", load());
        } else {
            println!("\nmissed: {}; load {:.2}", self.missed.join("; "), load());
        }
    }
}

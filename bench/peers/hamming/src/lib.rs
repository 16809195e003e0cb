//! What the programs have in common: arguments, input, clocks, memory, the digest of the answers, the line of figures.
use std::collections::HashMap;
use std::fmt::Display;
use std::fs::{read, read_to_string};
use std::str::FromStr;
use std::time::Instant;

/// The flags of the command line: every argument is `--name value`.
pub struct Flags(HashMap<String, String>);

impl Flags {
    pub fn parse() -> Self {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        Flags(arguments.chunks(2).map(|flag| (flag[0].trim_start_matches("--").into(), flag[1..].concat())).collect())
    }

    /// Returns the value of a flag, or stops the program where it is missing or of another type.
    pub fn get<T: FromStr>(&self, name: &str) -> T {
        let value = self.0.get(name).and_then(|text| text.parse().ok());
        value.unwrap_or_else(|| panic!("--{name}: a value is needed"))
    }

    /// Reads a file of little-endian 64-bit numbers in the folder --data.
    pub fn numbers(&self, file: &str) -> Vec<u64> {
        let path = format!("{}/{file}", self.get::<String>("data"));
        let bytes = read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
    }

    pub fn fingerprints(&self) -> Vec<u64> {
        self.numbers("fingerprints.u64")
    }

    pub fn queries(&self) -> Vec<u64> {
        self.numbers("queries.u64")
    }
}

fn mix64(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d049bb133111eb);
    x ^ x >> 31
}

/// The summand of one match (query, document) or one pair (a < b) in the digest.
pub fn digest_of(a: usize, b: usize, distance: u32) -> u64 {
    mix64((a as u64) << 32 | b as u64) ^ u64::from(distance)
}

/// Wall clock and processor time, from the moment it is made.
pub struct Stopwatch(Instant, f64, f64);

impl Stopwatch {
    pub fn start() -> Self {
        Stopwatch(Instant::now(), user_seconds(), cpu_seconds())
    }

    /// Processor time, the system's share included: exact for short times too.
    pub fn cpu_seconds(&self) -> f64 {
        cpu_seconds() - self.2
    }

    pub fn wall_seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    pub fn user_seconds(&self) -> f64 {
        user_seconds() - self.1
    }
}

fn user_seconds() -> f64 {
    let mut usage = unsafe { std::mem::zeroed::<libc::rusage>() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    usage.ru_utime.tv_sec as f64 + 1e-6 * usage.ru_utime.tv_usec as f64
}

fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

fn status_bytes(field: &str) -> u64 {
    let status = read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    1024 * line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
}

/// Returns the bytes of resident memory that no file backs, after what was freed is given back to the system.
pub fn resident_bytes() -> u64 {
    unsafe { libc::malloc_trim(0) };
    status_bytes("RssAnon")
}

pub fn peak_bytes() -> u64 {
    status_bytes("VmHWM")
}

/// An index that was built, and what that took.
pub struct Built<I> {
    pub index: I,
    count: usize,
    seconds: f64,
    cpu_seconds: f64,
    bytes: u64,
    peak_bytes: u64,
}

/// Builds an index of the fingerprints. Its memory is the growth from before they are read to when only the index is
/// left, so a copy that the index keeps counts as its own.
pub fn build<I>(flags: &Flags, make: impl FnOnce(Vec<u64>) -> I) -> Built<I> {
    let before = resident_bytes();
    let fingerprints = flags.fingerprints();
    let count = fingerprints.len();
    let watch = Stopwatch::start();
    let index = make(fingerprints);
    let (seconds, cpu_seconds) = (watch.wall_seconds(), watch.cpu_seconds());
    Built { index, count, seconds, cpu_seconds, bytes: resident_bytes() - before, peak_bytes: peak_bytes() }
}

/// The line of figures: a JSON object.
pub struct Line(String);

impl Line {
    pub fn new(bench: &str, [peer, version]: [&str; 2], setting: &str, count: usize, flags: &Flags) -> Self {
        let begin = Line(format!("{{\"bench\":\"{bench}\",\"peer\":\"{peer}\",\"version\":\"{version}\""));
        let named = Line(format!("{},\"setting\":\"{setting}\"", begin.0));
        named.number("count", count).number("distance", flags.get::<u32>("distance"))
    }

    pub fn number(self, name: &str, value: impl Display) -> Self {
        Line(format!("{},\"{name}\":{value}", self.0))
    }

    pub fn decimal(self, name: &str, value: f64) -> Self {
        self.number(name, format!("{value:.2}"))
    }

    pub fn print(self, digest: u64) {
        println!("{},\"digest\":\"{digest:016x}\"}}", self.0);
    }
}

/// Asks all queries one at a time and prints the line of figures. `ask` appends the documents within the distance.
pub fn run_queries<I>(
    flags: &Flags,
    peer: [&str; 2],
    setting: &str,
    built: &Built<I>,
    mut ask: impl FnMut(u64, &mut Vec<u32>),
) {
    let queries = flags.queries();
    let mut matches = Vec::new();
    queries.iter().take(1000).for_each(|query| ask(!query, &mut matches)); // warms code and clocks, not the answers
    matches.clear();
    let (mut nanoseconds, mut ends) = (Vec::new(), Vec::new());
    let watch = Stopwatch::start();
    for &query in &queries {
        let start = Instant::now();
        ask(query, &mut matches);
        nanoseconds.push(start.elapsed().as_nanos() as u64);
        ends.push(matches.len());
    }
    let cpu_us = watch.cpu_seconds() * 1e6 / queries.len() as f64;
    let mean_us = nanoseconds.iter().sum::<u64>() as f64 / 1e3 / queries.len() as f64;
    nanoseconds.sort_unstable();
    let percentile = |p: usize| nanoseconds[nanoseconds.len() * p / 100] as f64 / 1e3;
    let digest = digest_of_matches(flags, &queries, &matches, &ends);
    Line::new("query", peer, setting, built.count, flags)
        .number("queries", queries.len())
        .decimal("p50_us", percentile(50))
        .decimal("mean_us", mean_us)
        .decimal("p99_us", percentile(99))
        .decimal("cpu_us", cpu_us)
        .decimal("bytes_per_item", built.bytes as f64 / built.count as f64)
        .decimal("build_seconds", built.seconds)
        .decimal("build_cpu_seconds", built.cpu_seconds)
        .number("peak_mb", built.peak_bytes >> 20)
        .number("matches", matches.len())
        .print(digest);
}

fn digest_of_matches(flags: &Flags, queries: &[u64], matches: &[u32], ends: &[usize]) -> u64 {
    let fingerprints = flags.fingerprints();
    let mut digest = 0u64;
    let mut begin = 0;
    for (number, &end) in ends.iter().enumerate() {
        for &document in &matches[begin..end] {
            let distance = (queries[number] ^ fingerprints[document as usize]).count_ones();
            digest = digest.wrapping_add(digest_of(number, document as usize, distance));
        }
        begin = end;
    }
    digest
}

//! all-pairs-hamming, sketch sorting: all pairs within --distance, the fingerprint cut into --chunks chunks (1 or 2).
use all_pairs_hamming::sketch::Sketch;
use all_pairs_hamming::ChunkedJoiner;
use hamming_peers::{digest_of, peak_bytes, Flags, Line, Stopwatch};

fn join<S: Sketch>(
    fingerprints: Vec<u64>,
    chunks: usize,
    distance: u32,
    cut: impl Fn(u64, usize) -> S,
) -> Vec<(usize, usize, f64)> {
    let mut joiner = ChunkedJoiner::<S>::new(chunks);
    for fingerprint in fingerprints {
        joiner.add((0..chunks).map(|chunk| cut(fingerprint, chunk))).unwrap();
    }
    joiner.similar_pairs(f64::from(distance) / 64.0)
}

fn main() {
    let flags = Flags::parse();
    let (chunks, distance) = (flags.get("chunks"), flags.get("distance"));
    let fingerprints = flags.fingerprints();
    let count = fingerprints.len();
    let watch = Stopwatch::start();
    let pairs = match chunks {
        1 => join(fingerprints, 1, distance, |fingerprint, _| fingerprint),
        2 => join(fingerprints, 2, distance, |fingerprint, chunk| (fingerprint >> (32 * chunk)) as u32),
        _ => panic!("--chunks: 1 or 2, not {chunks}"),
    };
    let (seconds, user_seconds) = (watch.wall_seconds(), watch.user_seconds());
    let digest = pairs.iter().map(|&(a, b, share)| digest_of(a, b, (share * 64.0) as u32)).fold(0, u64::wrapping_add);
    Line::new("join", ["all-pairs-hamming", "0.1.0"], &format!("{chunks} x {} bits", 64 / chunks), count, &flags)
        .number("threads", 1)
        .number("seconds", format!("{seconds:.3}"))
        .number("user_seconds", format!("{user_seconds:.3}"))
        .number("peak_bytes", peak_bytes())
        .number("pairs", pairs.len())
        .print(digest);
}

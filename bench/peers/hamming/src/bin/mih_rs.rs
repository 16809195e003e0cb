//! mih-rs, multi-index hashing: all fingerprints within --distance of each query, by --blocks blocks.
use hamming_peers::{build, run_queries, Flags};

fn main() {
    let flags = Flags::parse();
    let (blocks, distance) = (flags.get("blocks"), flags.get("distance"));
    let built = build(&flags, |fingerprints| mih_rs::Index::with_blocks(fingerprints, blocks).unwrap());
    let mut searcher = built.index.range_searcher();
    run_queries(&flags, ["mih-rs", "0.3.1"], &format!("{blocks} blocks"), &built, |query, matches| {
        matches.extend_from_slice(searcher.run(query, distance));
    });
}

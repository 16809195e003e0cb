//! gaoya, SimHashIndex: all fingerprints that differ in fewer than --below bits from each query, by the tables of all
//! choices of --blocks - --below blocks. It is complete up to --below bits, but answers only those below.
use gaoya::simhash::SimHashIndex;
use hamming_peers::{build, run_queries, Flags};

fn main() {
    let flags = Flags::parse();
    let (blocks, below) = (flags.get("blocks"), flags.get("below"));
    let built = build(&flags, |fingerprints| {
        let mut index = SimHashIndex::<u64, u32>::new(blocks, below);
        for (document, fingerprint) in fingerprints.into_iter().enumerate() {
            index.insert(document as u32, fingerprint);
        }
        index
    });
    run_queries(&flags, ["gaoya", "0.2.2"], &format!("SimHashIndex({blocks}, {below})"), &built, |query, matches| {
        matches.extend(built.index.query(&query).into_iter());
    });
}

#!/usr/bin/env python3
"""Deduplicates the judged documents by the default rule, compares with what readers said, and fails below the bars.

Usage: judged.py NEARDUP [--data FOLDER] [--least-precision P] [--least-recall R] [-- MORE DEDUP OPTIONS]

FOLDER (default: tests/data/judged) holds documents.jsonl.zst and pairs.jsonl; its README.md says what the labels mean.
A pair is a duplicate where its label is 1 or more. Only judged pairs count: whether another pair is one is unknown.
"""
import argparse
import collections
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from counting import accepted_pairs, count, rates, read_lines  # noqa: E402

DATA = Path(__file__).resolve().parent.parent / "data" / "judged"
# The bars, of all judged pairs together. They rise with the rule; they do not fall.
LEAST_PRECISION = 0.65
LEAST_RECALL = 0.87


def faults(documents, pairs):
    """Yields what is wrong with the set itself: ids that are not there or not used, a label that none means."""
    ids = collections.Counter(document["id"] for document in documents)
    yield from (f"two documents have the id {name}" for name, count in ids.items() if count > 1)
    named = {pair[side] for pair in pairs for side in "ab"}
    yield from (f"no document has the id {name}" for name in sorted(named - ids.keys()))
    yield from (f"no pair names the document {name}" for name in sorted(ids.keys() - named))
    seen = collections.Counter(frozenset((pair["a"], pair["b"])) for pair in pairs)
    yield from (f"judged more than once: {sorted(names)}" for names, count in seen.items() if count > 1)
    for pair in pairs:
        if pair["label"] not in (0, 1, 2, 3) or not pair["why"] or pair["a"] == pair["b"]:
            yield f"label, reason or ids of {pair}"


def measure(pairs, accepted):
    """Returns count() for each source, and for "all", which comes last."""
    sources = sorted({pair["source"] for pair in pairs})
    counted = {source: count([pair for pair in pairs if pair["source"] == source], accepted) for source in sources}
    return {**counted, "all": count(pairs, accepted)}


def table(tally):
    yield f"{'source':<16} {'pairs':>5} {'right':>5} {'wrong':>5} {'missed':>6}  {'P':>5} {'R':>5} {'F1':>5}"
    for source, row in tally.items():
        right, wrong, missed, total = row
        yield f"{source:<16} {total:>5} {right:>5} {wrong:>5} {missed:>6}  " + " ".join(f"{r:5.3f}" for r in rates(row))


def below(tally, least_precision, least_recall):
    """Yields one message for each bar that the set as a whole stays under."""
    precision, recall, _ = rates(tally["all"])
    if precision < least_precision:
        yield f"precision {precision:.3f} is below {least_precision}: dedup removes more of what readers call different"
    if recall < least_recall:
        yield f"recall {recall:.3f} is below {least_recall}: dedup keeps more of what readers call the same"


def parse(argv):
    at = argv.index("--") if "--" in argv else len(argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neardup")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--least-precision", type=float, default=LEAST_PRECISION)
    parser.add_argument("--least-recall", type=float, default=LEAST_RECALL)
    return parser.parse_args(argv[:at]), argv[at + 1:]


def main(argv):
    args, options = parse(argv)
    documents, pairs = args.data / "documents.jsonl.zst", read_lines(args.data / "pairs.jsonl")
    wrong = list(faults(read_lines(documents), pairs))
    tally = measure(pairs, accepted_pairs(args.neardup, documents, options))
    print("\n".join(table(tally)))
    wrong += below(tally, args.least_precision, args.least_recall)
    for message in wrong:
        print(f"judged: {message}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

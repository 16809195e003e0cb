#!/usr/bin/env python3
"""Deduplicates the judged documents by the default rule, compares with what readers said, and fails below the bars.

Usage: judged.py NEARDUP [--data FOLDER] [--least-precision P] [--least-recall R] [-- MORE DEDUP OPTIONS]

FOLDER (default: tests/data/judged) holds documents.jsonl.zst and pairs.jsonl; its README.md says what the labels mean.
A pair is a duplicate where its label is 1 or more. Only judged pairs count: whether another pair is one is unknown.
"""
import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data" / "judged"
# The bars, of all judged pairs together. They rise with the rule; they do not fall.
LEAST_PRECISION = 0.65
LEAST_RECALL = 0.87


def read_lines(text):
    return [json.loads(line) for line in text.split("\n") if line]


def run(*command):
    """Returns what the command wrote. Where it fails, its messages are shown and the test ends."""
    ran = subprocess.run(command, capture_output=True, check=False)
    if ran.returncode:
        sys.exit(f"judged: {command[0]} failed ({ran.returncode}):\n{ran.stderr.decode('utf-8', 'replace')}")
    return ran.stdout.decode("utf-8")


def read_documents(folder):
    return read_lines(run("zstd", "-dcq", folder / "documents.jsonl.zst"))


def read_pairs(folder):
    return read_lines((folder / "pairs.jsonl").read_text(encoding="utf-8"))


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


def accepted_pairs(neardup, folder, options):
    """Returns the pairs that dedup verified or found to be exact copies, as sets of two ids."""
    with tempfile.TemporaryDirectory(prefix="neardup-judged-") as work:
        out = Path(work) / "out"
        run(neardup, "dedup", folder / "documents.jsonl.zst", "-o", out, "--pairs", "--progress", "off", *options)
        verified = read_lines((out / "pairs.jsonl").read_text(encoding="utf-8"))
        removed = read_lines((out / "duplicates.jsonl").read_text(encoding="utf-8"))
    exact = [(one["id"], one["duplicate_of"]) for one in removed if one["kind"] == "exact"]
    return {frozenset(names) for names in [(pair["a"], pair["b"]) for pair in verified] + exact}


def measure(pairs, accepted):
    """Returns for each source, and for "all", how many judged pairs were [accepted rightly, accepted wrongly, missed]
    and how many there are."""
    tally = collections.defaultdict(lambda: [0, 0, 0, 0])
    for pair in pairs:
        found, duplicate = frozenset((pair["a"], pair["b"])) in accepted, pair["label"] >= 1
        for row in (tally[pair["source"]], tally["all"]):
            row[0] += found and duplicate
            row[1] += found and not duplicate
            row[2] += duplicate and not found
            row[3] += 1
    return dict(sorted(tally.items(), key=lambda item: (item[0] == "all", item[0])))


def rates(row):
    """Returns precision, recall and F1; 1 where nothing was accepted, or nothing was there to be found."""
    right, wrong, missed, _ = row
    share = lambda part, whole: part / whole if whole else 1.0
    return share(right, right + wrong), share(right, right + missed), share(2 * right, 2 * right + wrong + missed)


def table(tally):
    yield f"{'source':<16} {'pairs':>5} {'right':>5} {'wrong':>5} {'missed':>6}  {'P':>5} {'R':>5} {'F1':>5}"
    for source, row in tally.items():
        right, wrong, missed, count = row
        yield f"{source:<16} {count:>5} {right:>5} {wrong:>5} {missed:>6}  " + " ".join(f"{r:5.3f}" for r in rates(row))


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
    pairs = read_pairs(args.data)
    wrong = list(faults(read_documents(args.data), pairs))
    tally = measure(pairs, accepted_pairs(args.neardup, args.data, options))
    print("\n".join(table(tally)))
    wrong += below(tally, args.least_precision, args.least_recall)
    for message in wrong:
        print(f"judged: {message}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Judged pairs: which of them dedup accepts, counted in one way for the test and for measuring.

Only judged pairs count: whether another pair is a duplicate is unknown. `neardup evaluate` counts likewise, for one label
per pair; this counts for any part of the pairs, of the output of a run itself.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*command):
    """Returns what the command wrote. Where it fails, its messages are shown and the program ends."""
    ran = subprocess.run(command, capture_output=True, check=False)
    if ran.returncode:
        sys.exit(f"{Path(command[0]).name} failed ({ran.returncode}):\n{ran.stderr.decode('utf-8', 'replace')}")
    return ran.stdout.decode("utf-8")


def read_lines(path):
    """Returns the objects of a JSONL file, perhaps compressed."""
    path = Path(path)
    text = run("zstd", "-dcq", "--long=27", path) if path.suffix == ".zst" else path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def names_of(pair):
    return frozenset((str(pair["a"]), str(pair["b"])))


def accepted_pairs(neardup, documents, options):
    """Returns the pairs of the file `documents` that dedup verified or found to be equal texts, as sets of two ids."""
    with tempfile.TemporaryDirectory(prefix="neardup-judged-") as work:
        out = Path(work) / "out"
        run(neardup, "dedup", documents, "-o", out, "--pairs", "--mode", "ids", "--progress", "off", *options)
        verified, removed = read_lines(out / "pairs.jsonl"), read_lines(out / "duplicates.jsonl")
    equal = [frozenset((one["id"], one["duplicate_of"])) for one in removed if one["kind"] == "exact"]
    return {names_of(pair) for pair in verified} | set(equal)


def count(pairs, accepted, duplicate_from=1):
    """Returns how many judged pairs were accepted rightly, accepted wrongly, missed, and how many there are. A pair is a
    duplicate where its label is at least `duplicate_from`."""
    right = wrong = missed = 0
    for pair in pairs:
        found, duplicate = names_of(pair) in accepted, pair["label"] >= duplicate_from
        right += found and duplicate
        wrong += found and not duplicate
        missed += duplicate and not found
    return right, wrong, missed, len(pairs)


def rates(counted):
    """Returns precision, recall and F1; 1 where nothing was accepted, or nothing was there to be found."""
    right, wrong, missed, _ = counted
    share = lambda part, whole: part / whole if whole else 1.0
    return share(right, right + wrong), share(right, right + missed), share(2 * right, 2 * right + wrong + missed)

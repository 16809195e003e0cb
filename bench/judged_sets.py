#!/usr/bin/env python3
"""Runs `neardup dedup --pairs` on sets of judged pairs, by several rules, and prints precision, recall and F1 over them.

Usage: judged_sets.py NEARDUP SET... [--verify RULE]... [--duplicate-from LABEL] [--by] [-- MORE DEDUP OPTIONS]

SET is FOLDER/NAME for documents in NAME.jsonl.zst and pairs {"a","b","label"} in NAME.judged.jsonl.zst, or a folder
with documents.jsonl.zst and pairs.jsonl (tests/data/judged). A pair is a duplicate where its label is at least
--duplicate-from (1). Only judged pairs count: whether another pair is one is unknown. RULE is what dedup --verify takes,
also "origin --templates"; without any, those of RULES.

Columns F1/0 and F1/1 are of the two halves of a set apart. A half is drawn by the names of the pairs, so that it is the
same in each run. --by shows the sources of a set (member "source" or "set" of a pair) as well.
"""
import argparse, hashlib, sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "judged"))
from counting import accepted_pairs, count, rates, read_lines  # noqa: E402

RULES = ["content", "origin", "origin --templates", "jaccard:0.5", "jaccard:0.6", "jaccard:0.8"]


def paths(name):
    """Returns where the documents and the judged pairs of a set are."""
    if Path(name).is_dir():
        return Path(name) / "documents.jsonl.zst", Path(name) / "pairs.jsonl"
    return Path(name + ".jsonl.zst"), Path(name + ".judged.jsonl.zst")


def half(pair):
    names = "\t".join(sorted((pair["a"], pair["b"])))
    return hashlib.sha256(names.encode()).digest()[0] % 2


def row(pairs, accepted, least):
    counted = count(pairs, accepted, least)
    halves = [rates(count([p for p in pairs if half(p) == which], accepted, least))[-1] for which in (0, 1)]
    return "".join(f"{n:>7}" for n in counted[:3]) + "".join(f"{share:>7.3f}" for share in [*rates(counted), *halves])


def measure(args, name, more):
    documents, pairs_path = paths(name)
    pairs = read_lines(pairs_path)
    sources = sorted({p.get("source", p.get("set", "")) for p in pairs}) if args.by else []
    for rule in args.verify or RULES:
        accepted = accepted_pairs(args.neardup, documents, ["--verify", *rule.split(), *more])
        print(f"{Path(name).name:12} {rule:20} {len(pairs):>5}{row(pairs, accepted, args.duplicate_from)}", flush=True)
        for source in sources:
            of_source = [p for p in pairs if p.get("source", p.get("set", "")) == source]
            print(f"  {source[:30]:31} {len(of_source):>5}{row(of_source, accepted, args.duplicate_from)}")


def main():
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neardup")
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--verify", action="append")
    parser.add_argument("--duplicate-from", type=int, default=1)
    parser.add_argument("--by", action="store_true")
    args = parser.parse_args(sys.argv[1:at])
    columns = ["right", "wrong", "missed", "P", "R", "F1", "F1/0", "F1/1"]
    print(f"{'set':12} {'rule':20} {'pairs':>5}" + "".join(f"{name:>7}" for name in columns))
    for name in args.sets:
        measure(args, name, sys.argv[at + 1:])


if __name__ == "__main__":
    main()

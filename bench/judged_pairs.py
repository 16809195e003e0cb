#!/usr/bin/env python3
"""judged_pairs: which judged pairs `neardup dedup` accepts.

usage: judged_pairs.py --program build/release/neardup SET JUDGED [-- FLAGS OF DEDUP...]

SET holds the documents, JSONL (.zst) with "id" and "text"; JUDGED one judgement a line: {"a": ID, "b": ID, "label": 0 or more}
and perhaps "type"; from label 1 on a pair is a duplicate. Judged pairs are a sample, so nothing else counts. A line for
each type: accepted, judged, share; then precision, recall and F1 over all judged pairs. Equal texts count as accepted.
"""
import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "judged"))
import counting  # noqa: E402


def report(judged, accepted):
    kinds = sorted({(pair.get("type", "pairs"), pair["label"] >= 1) for pair in judged})
    for name, duplicate in kinds:
        of_kind = [pair for pair in judged if (pair.get("type", "pairs"), pair["label"] >= 1) == (name, duplicate)]
        right, wrong, _, total = counting.count(of_kind, accepted)
        shown = f"{name}, {'duplicates' if duplicate else 'others'}"
        print(f"{shown:24} {right + wrong:7} of {total:7}  {(right + wrong) / total:.4f}")
    precision, recall, f1 = counting.rates(counting.count(judged, accepted))
    print(f"precision {precision:.4f}  recall {recall:.4f}  F1 {f1:.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/neardup")
    parser.add_argument("set")
    parser.add_argument("judged")
    parser.add_argument("flags", nargs="*", help="behind --: of dedup")
    arguments = parser.parse_args()
    start = time.time()
    accepted = counting.accepted_pairs(arguments.program, arguments.set, arguments.flags or ["--recipe", "code"])
    seconds = time.time() - start
    report(counting.read_lines(arguments.judged), accepted)
    print(f"{seconds:.1f} s")


if __name__ == "__main__":
    main()

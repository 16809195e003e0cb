#!/usr/bin/env python3
"""judged_pairs: which judged pairs `neardup dedup` accepts.

usage: judged_pairs.py --program build/release/neardup SET JUDGED [-- FLAGS OF DEDUP...]

SET holds the documents, JSONL (.zst) with "id" and "text"; JUDGED one judgement a line: {"a": ID, "b": ID, "label": 0 or more}
and perhaps "type"; from label 1 on a pair is a duplicate. Judged pairs are a sample, so nothing else counts. A line for
each type: accepted, judged, share; then precision, recall and F1 over all judged pairs. Equal texts count as accepted.
"""
import argparse
import collections
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def lines_of(path):
    if path.endswith(".zst"):
        data = subprocess.run(["zstd", "-dcq", "--long=27", path], check=True, capture_output=True).stdout
    else:
        data = Path(path).read_bytes()
    return [json.loads(line) for line in data.decode("utf8").split("\n") if line]


def run_dedup(program, documents, flags, folder):
    inputs = folder / "set.jsonl"
    inputs.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf8")
    command = [program, "dedup", str(inputs), "-o", str(folder / "out"), "--pairs", *flags]
    start = time.time()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.time() - start


def accepted_pairs(folder):
    with open(folder / "out" / "pairs.jsonl", encoding="utf8") as file:
        return {tuple(sorted((str(pair["a"]), str(pair["b"])))) for pair in map(json.loads, file)}


def report(judged, accepted, out):
    found, total = collections.Counter(), collections.Counter()
    for pair in judged:
        kind = (pair.get("type", "pairs"), pair["label"] >= 1)
        total[kind] += 1
        found[kind] += tuple(sorted((str(pair["a"]), str(pair["b"])))) in accepted
    for kind in sorted(total):
        name = f"{kind[0]}, {'duplicates' if kind[1] else 'others'}"
        print(f"{name:24} {found[kind]:7} of {total[kind]:7}  {found[kind] / total[kind]:.4f}", file=out)
    right = sum(found[kind] for kind in total if kind[1])
    wrong = sum(found[kind] for kind in total if not kind[1])
    true = sum(total[kind] for kind in total if kind[1])
    precision, recall = right / max(1, right + wrong), right / max(1, true)
    f1 = 2 * right / max(1, right + wrong + true)
    print(f"precision {precision:.4f}  recall {recall:.4f}  F1 {f1:.4f}", file=out)


def main():
    own, flags = sys.argv[1:], []
    if "--" in own:
        own, flags = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/neardup")
    parser.add_argument("set")
    parser.add_argument("judged")
    arguments = parser.parse_args(own)
    with tempfile.TemporaryDirectory() as folder:
        seconds = run_dedup(arguments.program, lines_of(arguments.set), flags or ["--recipe", "code"], Path(folder))
        report(lines_of(arguments.judged), accepted_pairs(Path(folder)), sys.stdout)
    print(f"{seconds:.1f} s")


if __name__ == "__main__":
    main()

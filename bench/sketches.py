#!/usr/bin/env python3
"""Runs `neardup fingerprint --family minhash` and `neardup pairs` on labelled sets: what signatures alone can tell.

Usage: sketches.py NEARDUP DATA_FOLDER [--set NAME=TRUTH] [--recipe NAME|FILE]

Sets and truths are those of quality.py. For each set: the recall of the candidates (--verify none), then precision,
recall and F1 of the pairs that the rule accepts by their estimated similarity, the texts not looked at again.
"""
import argparse, os, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from quality import SETS, pair, parse_set, read_documents, rule, true_pairs


def signatures(program, path, recipe, out):
    packed = subprocess.Popen(["zstd", "-dc", "--long=27", path], stdout=subprocess.PIPE)
    subprocess.run([program, "fingerprint", "-", "--format", "jsonl", "--progress", "off", "--output-format", "bin", "-o",
                    out, "--recipe", recipe], stdin=packed.stdout, check=True)
    if packed.wait() != 0:
        sys.exit(f"sketches: zstd failed on {path}")


def found_pairs(program, signed, options, number):
    lines = subprocess.run([program, "pairs", signed, "--progress", "off"] + options, check=True,
                           stdout=subprocess.PIPE).stdout.decode("utf8").split("\n")
    fields = (line.split("\t") for line in lines if line)
    return {pair(number[f[0]], number[f[1]]) for f in fields}


def scores(found, true):
    hits = len(found & true)
    precision, recall = hits / max(1, len(found)), hits / max(1, len(true))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--set", action="append", type=parse_set)
    parser.add_argument("--recipe", default="minhash")
    arguments = parser.parse_args()
    print("| set | rule | candidates | their recall | precision | recall | F1 |\n|---|---|---|---|---|---|---|")
    for name, truth in arguments.set or SETS:
        path = os.path.join(arguments.folder, name + ".jsonl.zst")
        documents = read_documents(path)
        number = {str(document["id"]): i for i, document in enumerate(documents)}
        true = true_pairs(arguments.folder, name, truth, documents)
        with tempfile.TemporaryDirectory() as work:
            signed = os.path.join(work, "signed.bin")
            signatures(arguments.program, path, arguments.recipe, signed)
            candidates = found_pairs(arguments.program, signed, ["--verify", "none"], number)
            found = found_pairs(arguments.program, signed, rule(truth), number)
        row = "| {} | {} | {:,} | {:.4f} |".format(name, rule(truth)[1], len(candidates), scores(candidates, true)[1])
        print(row + " {:.4f} | {:.4f} | {:.4f} |".format(*scores(found, true)), flush=True)


if __name__ == "__main__":
    main()

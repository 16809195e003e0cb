#!/usr/bin/env python3
"""Compares SimHash of 64 and of 128 bits: recall of the labelled duplicate pairs at equal numbers of candidates.

Usage: bits.py NEARDUP JSONL... [--recipe NAME] [--json OUT]

Each JSONL file holds one object a line with id, text and cluster (documents of one cluster are duplicates). A fingerprint of
128 bits is made of two of 64 with different seeds. All pairs are compared (numpy), so that no search plan plays a part.
Prints for each kind of fingerprint and each distance of 64 bits: candidate pairs per document and recall, and what 128 bits
reach with at most as many candidates. "either" = two kinds of 64 bits, a pair is a candidate where one is near: the same 128
bits of storage.
"""
import argparse, collections, itertools, json, subprocess, tempfile

import numpy as np

KINDS = {"words": {"ngram": 1, "weight": "log_tf_idf"}, "2-grams": {"ngram": 2}, "3-grams": {"ngram": 3}}
DISTANCES = (3, 6, 8, 10, 12, 14, 16)


def fingerprints(neardup, path, recipe_name):
    """Returns {kind: array of shape (documents, 2)}: column s belongs to seed s."""
    base = json.loads(subprocess.run([neardup, "recipes", recipe_name], check=True, stdout=subprocess.PIPE).stdout)
    base["fingerprints"] = [dict(kind, seed=seed) for kind in KINDS.values() for seed in (0, 1)]
    base["idf"] = "corpus"
    with tempfile.NamedTemporaryFile("w", suffix=".json") as recipe:
        json.dump(base, recipe)
        recipe.flush()
        out = subprocess.run([neardup, "fingerprint", path, "--recipe", recipe.name, "--progress", "off"], check=True,
                             stdout=subprocess.PIPE).stdout.decode("utf8")
    rows = [line.split("\t")[1] for line in out.split("\n") if line]
    values = np.array([[int(x, 16) for x in row.split(",")] if row != "-" else [0] * 6 for row in rows], dtype=np.uint64)
    return {kind: values[:, 2 * i:2 * i + 2] for i, kind in enumerate(KINDS)}


def true_pairs(path):
    members = collections.defaultdict(list)
    with open(path, encoding="utf8", newline="\n") as f:
        for i, line in enumerate(f):
            cluster = json.loads(line).get("cluster")
            if cluster not in (None, "", -1):
                members[cluster].append(i)
    return np.array(sorted(pair for m in members.values() for pair in itertools.combinations(m, 2)))


def distances_to_later(values, i):
    return np.bitwise_count(values[i] ^ values[i + 1:]).astype(np.uint8)


def histograms(prints, pairs):
    """Returns {kind: (all, true)} of counts per distance: "KIND 64", "KIND 128", and "either" pairs of kinds."""
    n = len(next(iter(prints.values())))
    is_true = collections.defaultdict(list)
    for a, b in pairs:
        is_true[int(a)].append(int(b))
    either = list(itertools.combinations(KINDS, 2))
    result = collections.defaultdict(lambda: (np.zeros(129, np.int64), np.zeros(129, np.int64)))
    for i in range(n - 1):
        one = {kind: distances_to_later(values, i) for kind, values in prints.items()}
        rows = {f"{kind} 64": d[:, 0] for kind, d in one.items()}
        rows |= {f"{kind} 128": d.sum(axis=1, dtype=np.uint8) for kind, d in one.items()}
        rows |= {f"{a} 64 either {b} 64": np.minimum(one[a][:, 0], one[b][:, 0]) for a, b in either}
        rows |= {f"{a} 128 either {b} 128": np.minimum(rows[f"{a} 128"], rows[f"{b} 128"]) for a, b in either}
        for name, row in rows.items():
            result[name][0][:] += np.bincount(row, minlength=129)
            if i in is_true:
                result[name][1][:] += np.bincount(row[np.array(is_true[i]) - i - 1], minlength=129)
    return {name: (np.cumsum(a), np.cumsum(t)) for name, (a, t) in result.items()}


def best_within(curve, num_candidates):
    """The greatest distance with at most so many candidates."""
    return max(0, int(np.searchsorted(curve[0], num_candidates, side="right")) - 1)


def measure(neardup, path, recipe):
    pairs = true_pairs(path)
    prints = fingerprints(neardup, path, recipe)
    n = len(next(iter(prints.values())))
    curves = histograms(prints, pairs)
    rows = []
    for name, curve in curves.items():
        if " 128" in name:
            continue
        wide = name.replace(" 64", " 128")
        for k in DISTANCES:
            k_wide = best_within(curves[wide], curve[0][k])
            rows.append({"set": path.split("/")[-1], "fingerprint": name, "distance": k,
                         "candidates_per_document": round(curve[0][k] / n, 3), "recall": round(curve[1][k] / len(pairs), 4),
                         "distance_128": k_wide, "recall_128": round(curves[wide][1][k_wide] / len(pairs), 4),
                         "false_per_document": round((curve[0][k] - curve[1][k]) / n, 3),
                         "false_per_document_128": round((curves[wide][0][k_wide] - curves[wide][1][k_wide]) / n, 3)})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("neardup")
    parser.add_argument("jsonl", nargs="+")
    parser.add_argument("--recipe", default="thorough")
    parser.add_argument("--json")
    args = parser.parse_args()
    rows = [row for path in args.jsonl for row in measure(args.neardup, path, args.recipe)]
    for row in rows:
        print("{set:18} {fingerprint:32} k {distance:2}: {candidates_per_document:7.3f} c/doc, recall {recall:.4f} | 128 bits k "
              "{distance_128:2}: recall {recall_128:.4f} | false/doc {false_per_document:.3f} {false_per_document_128:.3f}".format(**row))
    if args.json:
        with open(args.json, "w", encoding="utf8") as f:
            json.dump(rows, f, indent=1)


if __name__ == "__main__":
    main()

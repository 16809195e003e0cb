#!/usr/bin/env python3
"""Prints precision, recall and F1 of MinHash tools for Python on sets of judged pairs, by their own estimate of Jaccard.

Usage: judged_peers.py SET... (as for judged_sets.py)

Needs rensa and datasketch from PyPI. Each judged pair is compared by itself, so no tool loses a pair by its banding. Tokens
are lower-case words and single CJK characters, 256 permutations; all n and thresholds of GRID are tried.
"""
import re, sys
from pathlib import Path

import datasketch, rensa

from judged_sets import paths, rates, read_lines

TOKEN = re.compile(r"[\u3400-\u9fff\u3040-\u30ff]|[^\W_\u3400-\u9fff\u3040-\u30ff]+")
GRID = [(n, threshold / 100) for n in (1, 2, 3, 5) for threshold in range(30, 95, 5)]


def ngrams(text, n):
    tokens = TOKEN.findall(text.lower())
    return [" ".join(tokens[i:i + n]) for i in range(max(1, len(tokens) - n + 1))]


def rensa_print(grams):
    signature = rensa.RMinHash(256, 42)
    signature.update(grams)
    return signature


def datasketch_print(grams):
    signature = datasketch.MinHash(num_perm=256)
    signature.update_batch([gram.encode() for gram in grams])
    return signature


def main():
    for name in sys.argv[1:]:
        documents, pairs = (read_lines(path) for path in paths(name))
        texts = {d["id"]: d["text"] for d in documents}
        for tool, fingerprint in (("rensa", rensa_print), ("datasketch", datasketch_print)):
            rows = []
            for n in sorted({n for n, _ in GRID}):
                prints = {i: fingerprint(ngrams(texts[i], n)) for p in pairs for i in (p["a"], p["b"])}
                similarity = {frozenset((p["a"], p["b"])): prints[p["a"]].jaccard(prints[p["b"]]) for p in pairs}
                for threshold in (t for m, t in GRID if m == n):
                    accepted = {names for names, share in similarity.items() if share >= threshold}
                    rows.append((*rates(pairs, accepted, 1)[3:], n, threshold))
            shown = [row for row in rows if row[3:] in ((2, .5), (5, .8))] + [max(rows, key=lambda row: row[2])]
            for row, what in zip(shown, ("", "", "best of the grid")):
                print(f"{Path(name).name:10} {tool:10} n={row[3]} >= {row[4]:.2f}  P {row[0]:.3f}  R {row[1]:.3f}  F1 {row[2]:.3f}  {what}", flush=True)


if __name__ == "__main__":
    main()

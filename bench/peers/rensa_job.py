#!/usr/bin/env python3
"""The near-duplicate job by rensa: R-MinHash of word 5-grams, 128 values, estimated Jaccard >= .8, one thread.

usage: rensa_job.py CORPUS.jsonl
Documents under 5 words are dropped, as in gaoya_job.py.
"""
from rensa import RMinHash, RMinHashLSH

import job

NUM_PERM = 128
NUM_BANDS = 16
THRESHOLD = 0.8


def pairs_of(path):
    index = RMinHashLSH(threshold=THRESHOLD, num_perm=NUM_PERM, num_bands=NUM_BANDS)
    sketches = {}
    pairs = 0
    for number, text in job.texts(path, min_words=5):
        words = text.split()
        sketch = RMinHash(num_perm=NUM_PERM, seed=42)
        sketch.update([" ".join(words[i:i + 5]) for i in range(len(words) - 4)])
        pairs += sum(sketch.jaccard(sketches[other]) >= THRESHOLD for other in index.query(sketch))
        index.insert(number, sketch)
        sketches[number] = sketch
    return len(sketches), pairs


job.run("rensa", "threshold .8, word 5-grams, 128 values, 16 bands", pairs_of)

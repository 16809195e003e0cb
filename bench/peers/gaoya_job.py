#!/usr/bin/env python3
"""The near-duplicate job by gaoya: MinHash of word 5-grams, Jaccard >= .8, one pass (query, then insert), one thread.

usage: gaoya_job.py CORPUS.jsonl
Documents under 5 words are dropped: gaoya would match them all to each other.
"""
from gaoya.minhash import MinHashStringIndex

import job


def pairs_of(path):
    index = MinHashStringIndex(hash_size=32, jaccard_threshold=0.8, num_bands=20, band_size=5, analyzer="word",
                               lowercase=False, ngram_range=(5, 5), id_container="vec")
    documents = pairs = 0
    for number, text in job.texts(path, min_words=5):
        documents += 1
        pairs += len(index.query(text))
        index.insert_document(number, text)
    return documents, pairs


job.run("gaoya", "threshold .8, word 5-grams, 20 bands of 5, 32-bit hashes", pairs_of)

#!/usr/bin/env python3
"""Makes fingerprints and queries for the peers: the same bytes for the same arguments on every machine.

usage: make_data.py --count N [--queries 10000] [--seed 1] FOLDER
Writes FOLDER/fingerprints.u64 and FOLDER/queries.u64, little-endian 64-bit numbers. A fingerprint's document number is
its position. Fingerprints are uniform, but one in twenty is an earlier uniform one with 0..6 random bits flipped (a bit
may be drawn twice). Queries with an even number are members with 0..3 bits flipped, those with an odd one are uniform.
"""
import argparse
from pathlib import Path

import numpy as np

from digest import mix64

SLICE = 1 << 20
UNIFORM, PLANTED, SOURCE, QUERY, MEMBER, FLIPS, QUERY_FLIPS = 0, 1, 2, 3, 4, 16, 32  # streams of random numbers


class Data:
    """Every random number depends only on the seed, its stream and its position there (SplitMix64)."""

    def __init__(self, count, seed):
        self.count, self.seed = count, seed

    def draw(self, stream, positions):
        start = mix64(np.array([self.seed << 8 | stream], dtype=np.uint64))
        return mix64(start + (positions.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))

    def flip(self, values, stream, positions, most):
        """Flips 0..most bits of each value, drawn at its position."""
        flips = self.draw(stream, positions) % np.uint64(most + 1)
        for place in range(1, most + 1):
            bit = np.uint64(1) << self.draw(stream + place, positions) % np.uint64(64)
            values = np.where(place <= flips, values ^ bit, values)
        return values

    def is_planted(self, positions):
        return (self.draw(PLANTED, positions) % np.uint64(20) == 0) & (positions > 0)

    def sources(self, positions):
        """Returns an earlier uniform position for each planted one; where a planted one is drawn, it draws on."""
        sources = positions.copy()
        while (planted := np.flatnonzero(self.is_planted(sources))).size:
            moving = sources[planted]
            sources[planted] = self.draw(SOURCE, moving) % moving.astype(np.uint64)
        return sources

    def fingerprints(self, positions):
        values = self.draw(UNIFORM, positions)
        planted = np.flatnonzero(self.is_planted(positions))
        where = positions[planted]
        values[planted] = self.flip(self.draw(UNIFORM, self.sources(where)), FLIPS, where, 6)
        return values

    def queries(self, positions):
        members = self.fingerprints((self.draw(MEMBER, positions) % np.uint64(self.count)).astype(np.int64))
        near = self.flip(members, QUERY_FLIPS, positions, 3)
        return np.where(positions % 2 == 0, near, self.draw(QUERY, positions))


def write(path, count, make):
    with open(path.with_suffix(".part"), "wb") as out:
        for begin in range(0, count, SLICE):
            out.write(make(np.arange(begin, min(begin + SLICE, count))).astype("<u8").tobytes())
    path.with_suffix(".part").rename(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=lambda text: int(float(text)), required=True)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    data = Data(args.count, args.seed)
    write(args.folder / "queries.u64", args.queries, data.queries)
    write(args.folder / "fingerprints.u64", args.count, data.fingerprints)


if __name__ == "__main__":
    main()

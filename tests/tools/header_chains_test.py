#!/usr/bin/env python3
"""The chains of tools/header_chains.py: every header once, and nothing that stands before one gives it anything."""
import pathlib
import random
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import header_chains  # noqa: E402


def reached(header, includes):
    """All that a header brings, by plain search."""
    found, todo = set(), [header]
    while todo:
        for other in includes.get(todo.pop(), ()):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def fewest_chains(includes):
    """The number of headers of the largest set in which none can stand before another (Dilworth), by trying all."""
    names = sorted(includes)
    brought = {each: reached(each, includes) for each in names}
    stands_before = lambda a, b: a in brought[b] and brought[a] <= brought[b]
    best = 0
    for chosen in range(1 << len(names)):
        members = [name for i, name in enumerate(names) if chosen >> i & 1]
        if all(not stands_before(a, b) for a in members for b in members if a != b):
            best = max(best, len(members))
    return best


class HeaderChainsTest(unittest.TestCase):
    def check(self, includes):
        chains = header_chains.chains(includes)
        self.assertEqual(sorted(header for chain in chains for header in chain), sorted(includes))
        for chain in chains:
            for i, header in enumerate(chain):
                for earlier in chain[:i]:
                    self.assertLessEqual({earlier} | reached(earlier, includes), reached(header, includes))
        return chains

    def test_small_graphs(self):
        chance = random.Random(1)
        for _ in range(200):
            names = [f"h{i}.h" for i in range(chance.randint(1, 7))]
            includes = {name: [other for other in names[:i] if chance.random() < 0.4] + ["vector"] * chance.randint(0, 1)
                        for i, name in enumerate(names)}
            self.assertEqual(len(self.check(includes)), fewest_chains(includes))

    def test_a_header_that_leans_on_another_stands_alone(self):
        # b.h uses std::vector without including it: it must not come behind a.h.
        chains = self.check({"a.h": ["vector"], "b.h": ["string"]})
        self.assertEqual(sorted(chains), [["a.h"], ["b.h"]])

    def test_the_rooms(self):
        self.check(header_chains.read_includes(ROOT / "src"))

    def test_sources_that_stand_are_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = header_chains.write(pathlib.Path(folder), ["a/b.h"])
            before = path.stat().st_mtime_ns
            header_chains.write(pathlib.Path(folder), ["a/b.h"])
            self.assertEqual(path.stat().st_mtime_ns, before)
            self.assertEqual(path.read_text(), '#include "a/b.h"\n#include "a/b.h"\n')


if __name__ == "__main__":
    unittest.main()

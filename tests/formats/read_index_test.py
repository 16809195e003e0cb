#!/usr/bin/env python3
"""The index folders that the program writes hold what docs/formats/index.md says: an independent reader gives the answers
that the program gives.

Usage: read_index_test.py NEARDUP [unittest options]
"""
import os, random, shutil, subprocess, sys, tempfile, unittest
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import read_index

NEARDUP = os.path.abspath(sys.argv.pop(1))


class ReadIndex(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="neardup-read-index-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.random = random.Random(5)

    def near(self, values):
        """A fingerprint at most six bits from one of `values`, or anywhere."""
        if not values or self.random.random() < 0.3:
            return self.random.getrandbits(64)
        value = self.random.choice(values)
        for _ in range(self.random.randrange(7)):
            value ^= 1 << self.random.randrange(64)
        return value

    def write_prints(self, name, ids, columns, values):
        lines = []
        for i in ids:
            prints = [self.near(values) for _ in range(columns)]
            values += prints
            lines.append(f"doc{i}\t" + (",".join(f"{value:016x}" for value in prints) if i % 50 else "-") + "\n")
        (self.folder / name).write_text("".join(lines), encoding="utf8")
        return self.folder / name

    def run_index(self, action, *more):
        done = subprocess.run([NEARDUP, "index", action, self.folder / "index", *more], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def check(self, queries, distance):
        expected = self.run_index("query", queries, "--distance", str(distance))
        found = b"".join(line + b"\n" for line in read_index.answer(self.folder / "index", queries, distance))
        self.assertEqual(found, expected)
        return len(found)

    def story(self, count, columns, *create):
        values = []
        shutil.rmtree(self.folder / "index", ignore_errors=True)
        self.run_index("create", *create, self.write_prints("a", range(count), columns, values))
        queries = self.write_prints("q", range(200), columns, values)
        size = self.check(queries, 3)
        self.run_index("add", self.write_prints("b", range(count // 2, count + 10), columns, values))
        self.check(queries, 3)
        self.run_index("delete", *(f"doc{i}" for i in range(0, count, 7)))
        self.check(queries, 2)
        self.run_index("compact")
        self.check(queries, 3)
        return size

    def test_every_codec_that_the_reader_knows(self):
        for codec in ("packed", "plain"):
            for columns in (1, 2):
                self.assertGreater(self.story(700, columns, "--codec", codec), 0)
            self.story(3000, 1, "--codec", codec, "--plan", "flips:12/1,12/1")
            self.story(300, 1, "--codec", codec, "--plan", "permuted:6,3")

    def test_the_reader_refuses_what_is_damaged(self):
        self.story(100, 1)
        for path in sorted((self.folder / "index").iterdir()):
            if path.name == "LOCK":
                continue
            data = path.read_bytes()
            for at in range(0, len(data), 41):
                path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1:])
                with self.assertRaises(Exception, msg=f"{path.name} byte {at}"):
                    read_index.read_folder(self.folder / "index")
            path.write_bytes(data)
        read_index.read_folder(self.folder / "index")


if __name__ == "__main__":
    unittest.main()

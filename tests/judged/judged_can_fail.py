#!/usr/bin/env python3
"""The test over judged pairs counts what it should, and fails on each thing that it is there for."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import judged  # noqa: E402
import counting  # noqa: E402

PROGRAM = """#!/bin/sh
mkdir "$4"
echo '{"a":"1","b":"2"}' > "$4/pairs.jsonl"
echo '{"id":"3","duplicate_of":"4","kind":"exact"}' > "$4/duplicates.jsonl"
"""


def pair(a, b, label, source="mail"):
    return {"a": a, "b": b, "label": label, "source": source, "why": "read"}


def documents(*ids):
    return [{"id": name, "text": ""} for name in ids]


class JudgedTest(unittest.TestCase):
    def test_only_judged_pairs_count(self):
        accepted = {frozenset(names) for names in (("1", "2"), ("3", "4"), ("8", "9"))}
        tally = judged.measure([pair("2", "1", 1), pair("3", "4", 0), pair("5", "6", 3, "law"), pair("6", "7", 0, "law")],
                               accepted)
        self.assertEqual(tally, {"law": (0, 0, 1, 2), "mail": (1, 1, 0, 2), "all": (1, 1, 1, 4)})
        self.assertEqual(counting.rates(tally["all"]), (0.5, 0.5, 0.5))
        self.assertEqual(counting.rates([0, 0, 0, 5]), (1, 1, 1))

    def test_grades_from_which_on_a_pair_is_a_duplicate(self):
        pairs = [pair("1", "2", 1), pair("3", "4", 2)]
        self.assertEqual(counting.count(pairs, {frozenset("12"), frozenset("34")}, 2), (1, 1, 0, 2))

    def test_each_bar_can_be_missed(self):
        tally = {"all": [1, 1, 3, 9]}
        self.assertEqual(list(judged.below(tally, 0.5, 0.25)), [])
        self.assertIn("precision 0.500", "\n".join(judged.below(tally, 0.51, 0)))
        self.assertIn("recall 0.250", "\n".join(judged.below(tally, 0, 0.26)))

    def test_faults_of_the_set(self):
        self.assertEqual(list(judged.faults(documents("1", "2"), [pair("1", "2", 3)])), [])
        for given, pairs, part in (
                (documents("1", "2", "2"), [pair("1", "2", 0)], "two documents"),
                (documents("1"), [pair("1", "2", 0)], "no document"),
                (documents("1", "2", "3"), [pair("1", "2", 0)], "no pair"),
                (documents("1", "2"), [pair("1", "2", 0), pair("2", "1", 1)], "more than once"),
                (documents("1", "2"), [pair("1", "2", 4)], "label"),
                (documents("1", "2"), [{**pair("1", "2", 0), "why": ""}], "reason")):
            self.assertIn(part, "\n".join(judged.faults(given, pairs)))

    def test_verified_pairs_and_equal_texts_are_accepted(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            program.write_text(PROGRAM)
            program.chmod(0o755)
            accepted = counting.accepted_pairs(program, Path(folder) / "documents.jsonl", [])
        self.assertEqual(accepted, {frozenset(("1", "2")), frozenset(("3", "4"))})


if __name__ == "__main__":
    unittest.main()

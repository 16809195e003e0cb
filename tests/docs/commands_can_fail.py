#!/usr/bin/env python3
"""Proves that commands.py sees the commands of a page, and the faults that it is there for."""
import tempfile
import unittest
from pathlib import Path

import commands


def page(text):
    made = object.__new__(commands.Page)
    made.name, made.text, made.used = "docs/page.md", text, set()
    return made


def fault(text, program="/bin/true"):
    with tempfile.TemporaryDirectory() as setup:
        return commands.run_page(page(text), program, setup)[0]


class Commands(unittest.TestCase):
    def test_what_is_run(self):
        text = ("Words.\n\n    neardup a\n    neardup b\n\n```sh\nc d\n```\n\n    $ neardup e \\\n        f\n    printed\n\n    {\"no\": 1}\n\n"
                "```json\n{}\n```\n\nEnd.\n\n    neardup ... --form\n")
        run = [line.strip() for line in page(text).script().split("\n") if not line.startswith("echo ")]
        self.assertEqual(run, ["neardup a", "neardup b", "c d", "neardup e \\", "f"])

    def test_a_command_that_fails(self):
        self.assertEqual(fault("\n\n    neardup a\n"), "")
        self.assertIn("docs/page.md: ended with 1", fault("\n\n    neardup a\n", "/bin/false"))
        self.assertIn("docs/page.md: ended with 127", fault("\n```bash\nno_such_program\n```\n"))

    def test_a_line_behind_one_that_fails_saves_nothing(self):
        self.assertIn("ended with 1", fault("\n\n    neardup a | cat\n    ./true_things\n", "/bin/false"))

    def test_rows_that_are_used_are_known(self):
        shown = page("\n\n    neardup ... --form\n")
        self.assertEqual((shown.script(), shown.used), ("", {r"neardup \.\.\. "}))


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Proves that tutorial.py sees the faults that it is there for."""
import tempfile, unittest
from pathlib import Path

import tutorial


def faults(text):
    with tempfile.TemporaryDirectory() as folder:
        return list(tutorial.faults_of_page("page.md", text, Path(folder), False))


class Faults(unittest.TestCase):
    def test_good_page(self):
        self.assertEqual(faults("```sh\necho one  two\n```\nsays\n```text\none two\n...\n```\n```python\nprint(1)\n```\n"), [])

    def test_command_that_fails(self):
        self.assertIn("page.md:2: ended with 1", faults("\n```sh\nfalse\ntrue\n```\n")[0])

    def test_python_that_fails(self):
        self.assertEqual(len(faults("```python\nraise SystemExit(3)\n```\n")), 1)

    def test_other_output(self):
        self.assertIn("page.md:5: nothing like this was printed: two", faults("```sh\n./test\necho one\n```\n```text\ntwo\n```\n")[0])

    def test_dots_stand_for_anything(self):
        self.assertEqual(list(tutorial.missing_lines("a ... z\n", "a b z\n")), [])
        self.assertEqual(list(tutorial.missing_lines("a ... z\n", "a b c\n")), ["a ... z"])

    def test_update_writes_numbers_and_nothing_else(self):
        page = "```sh\nprintf 'kept  %s %%\\n' 41 2.5; echo 7 of 1,200 kept; echo other\n```\n```text\nkept 40 %\nkept 2 %\n3 of ...kept\nno 3\n```\n"
        with tempfile.TemporaryDirectory() as folder:
            text = tutorial.update_page(page, Path(folder))
        self.assertEqual(text, page.replace("kept 40 %\nkept 2 %\n3 of", "kept  41 %\nkept  2.5 %\n7 of"))


unittest.main()

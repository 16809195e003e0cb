#!/usr/bin/env python3
"""Proves that api_examples.py and door_examples.py see the faults that they are there for."""
import tempfile, unittest
from pathlib import Path

import api_examples, door_examples

SHORT = "int main() {}\n"


class Pages(unittest.TestCase):
    def faults(self, program, shown, printed="one\n", status=0):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            page.write_text(f"```cpp\n{program}```\n" + (f"```text\n{shown}```\n" if shown is not None else "text\n"))
            built = Path(folder) / "page-1"
            built.write_text(f"#!/bin/sh\nprintf '{printed}'\nexit {status}\n")
            built.chmod(0o755)
            return [*api_examples.faults_of_form(page), *api_examples.faults_of_runs(page, Path(folder))]

    def test_good(self):
        self.assertEqual(self.faults(SHORT, "one\n"), [])
        self.assertEqual(self.faults(SHORT, "...e\n"), [])

    def test_other_output(self):
        self.assertIn("printed something else", self.faults(SHORT, "two\n")[0])
        self.assertIn("printed something else", self.faults(SHORT, None)[0])

    def test_failure(self):
        self.assertIn("ended with 3", self.faults(SHORT, "one\n", status=3)[0])

    def test_too_long(self):
        self.assertIn("21 lines", self.faults("int x;\n" * 21, "one\n")[0])
        self.assertIn("longer than 120", self.faults("// " + "x" * 120 + "\n", "one\n")[0])


class Doors(unittest.TestCase):
    def example(self, text):
        with tempfile.TemporaryDirectory() as folder:
            door = Path(folder) / "room.h"
            door.write_text(text)
            return door_examples.example_of(door)

    def test_code_is_taken(self):
        self.assertEqual(self.example("// room: what.\n//\n//   int x = 1;\n//   f(x);  // said\n#pragma once\n//   no();\n"),
                         ["int x = 1;", "f(x);  // said"])

    def test_tables_of_headers_are_no_code(self):
        self.assertEqual(self.example("// room: what.\n//\n//   room.h   its things\n//   a.h, b.h  others;\n"), [])


unittest.main()

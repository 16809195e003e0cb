#!/usr/bin/env python3
"""Of the failed tests of a run, and of no others, what they printed last is shown."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/failed_tests.py"


def shown(*cases):
    tests = "".join(f'<testcase name="{name}" status="{status}"><system-out>{out}</system-out></testcase>' for name, status, out in cases)
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(f"<testsuite>{tests}</testsuite>")
        file.flush()
        return subprocess.run([sys.executable, TOOL, file.name, "dev"], capture_output=True, text=True, check=True).stdout


class FailedTests(unittest.TestCase):
    def test_only_those_that_failed(self):
        self.assertEqual(shown(("a", "run", "fine"), ("b", "fail", "one &lt; two\n"), ("c", "notrun", ""), ("d", "fail", "")),
                         "-- b, preset dev\none < two\n-- d, preset dev\nit printed nothing\n")

    def test_of_much_the_end(self):
        out = shown(("a", "fail", "".join(f"line {i}\n" for i in range(100)))).splitlines()
        self.assertEqual([out[0], out[1], out[-1]], ["-- a, preset dev, after 60 other lines", "line 60", "line 99"])


if __name__ == "__main__":
    unittest.main()

"""The golden runner accepts what holds, and fails on each kind of difference."""
import stat
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "golden"))
import golden  # noqa: E402

PROGRAM = r"""#!/bin/sh
case "$1" in
  cat) cat ;;
  write) printf 'one\ntwo' > made.txt; gzip -nc made.txt > made.txt.gz ;;
  json) printf '{"a":1,"b":[1,2,3]}' ;;
  fail) echo "went wrong" >&2; exit 2 ;;
esac
"""


class GoldenTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)
        self.path = self.folder / "a.case"

    def tearDown(self):
        self.temporary.cleanup()

    def run_text(self, text, rewrite=False):
        self.path.write_bytes(text.encode())
        return golden.run_case(self.path, self.program, rewrite)

    def assert_holds(self, text):
        self.assertEqual(self.run_text(text), [])

    def assert_fails(self, text, part):
        failures = "\n".join(self.run_text(text))
        self.assertIn(part, failures)

    def test_exact_output(self):
        self.assert_holds("--- command\nneardup cat\n--- stdin\nx\n--- stdout\nx\n")
        self.assert_fails("--- command\nneardup cat\n--- stdin\nx\n--- stdout\ny\n", "stdout, found")
        self.assert_fails("--- command\nneardup cat\n--- stdin\nx\n--- stdout (no newline)\nx\n", "stdout, found")

    def test_stdout_is_empty_where_not_said(self):
        self.assert_fails("--- command\nneardup cat\n--- stdin\nx\n", "stdout")

    def test_exit_status_and_stderr(self):
        self.assert_holds("--- command\nneardup fail\n--- exit\n2\n--- stderr\nwent wrong\n")
        self.assert_fails("--- command\nneardup fail\n", "exit")
        self.assert_fails("--- command\nneardup fail\n--- exit\n1\n", "exit")
        self.assert_fails("--- command\nneardup fail\n--- exit\n2\n--- stderr\nfine\n", "stderr")

    def test_files(self):
        self.assert_holds("--- command\nneardup write\n--- output made.txt (no newline)\none\ntwo\n")
        self.assert_holds("--- command\nneardup write\n--- output made.txt.gz (no newline) (gzip)\none\ntwo\n")
        self.assert_fails("--- command\nneardup write\n--- output made.txt\none\ntwo\n", "made.txt")
        self.assert_fails("--- command\ntrue\n--- output made.txt\none\n", "no such file")
        self.assert_holds("--- command\nneardup write\n--- tree\nmade.txt\nmade.txt.gz\n")
        self.assert_fails("--- command\nneardup write\n--- tree\nmade.txt\n", "tree")

    def test_given_files_are_packed(self):
        self.assert_holds("--- command\nzcat a.gz; zstd -dc b.zst; cat c\n--- file a.gz (gzip)\n1\n"
                          "--- file b.zst (zstd)\n2\n--- file c (hex)\n330a\n--- stdout\n1\n2\n3\n--- tree\n")

    def test_json(self):
        self.assert_holds('--- command\nneardup json\n--- stdout (json)\n{"a":"...","b":[1,"..."]}\n')
        self.assert_fails('--- command\nneardup json\n--- stdout (json)\n{"a":"..."}\n', "stdout")
        self.assert_fails('--- command\nneardup json\n--- stdout (json)\n{"a":1,"b":[1,2]}\n', "stdout")

    def test_lines_and_regex(self):
        command = "--- command\nprintf 'a\\nb\\nc\\n'\n"
        self.assert_holds(command + "--- stdout (lines)\na\nc\n")
        self.assert_fails(command + "--- stdout (lines)\nc\na\n", "stdout")
        self.assert_holds(command + "--- stdout (regex)\na\n.*\n[cd]\n")
        self.assert_fails(command + "--- stdout (regex)\na\n[cd]\n", "stdout")

    def test_lines_that_look_like_headers(self):
        self.assert_holds("--- command\nneardup cat\n--- stdin\n\\--- stdout\n--- stdout\n\\--- stdout\n")

    def test_bad_cases(self):
        for text in ("--- stdout\n", "--- command\ntrue\n--- nonsense\n", "--- command\ntrue\n--- exit\n0\n--- exit\n0\n",
                     "--- command\ntrue\n--- output\nx\n", "--- command\ntrue\n--- stdout (maybe)\n"):
            with self.assertRaises(golden.CaseError):
                self.run_text(text)

    def test_update_makes_a_case_hold(self):
        text = "A comment.\n--- command\nneardup write; neardup cat; exit 3\n--- stdin\n\\--- x\n--- output made.txt\n"
        self.assertNotEqual(self.run_text(text), [])
        self.run_text(text, rewrite=True)
        self.assertEqual(golden.run_case(self.path, self.program), [])
        written = self.path.read_text()
        self.assertTrue(written.startswith("A comment.\n"))
        self.assertIn("--- output made.txt (no newline)\none\ntwo\n", written)
        self.assertIn("--- exit\n3\n", written)
        self.assertIn("--- stdout\n\\--- x\n", written)


if __name__ == "__main__":
    unittest.main()

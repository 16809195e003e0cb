"""Each checker of tools/ passes a tree that is in order, and fails on each breach it is there for."""
import json
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_files  # noqa: E402
import check_layers  # noqa: E402
import check_tests  # noqa: E402


class TreeTest(unittest.TestCase):
    """A small tree in a temporary folder."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.root = Path(self.temporary.name).resolve()

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class LayersTest(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("src/neardup/base/base.h", "// base: helpers.\n#include <string>\n")
        self.write("src/neardup/text/text.h", '// text: bytes.\n#include "neardup/base/base.h"\n')
        self.write("src/neardup/join/join.h", "// join: pairs.\n")

    def breaches(self):
        return "\n".join(check_layers.check(self.root)[0])

    def test_order(self):
        self.assertEqual(self.breaches(), "")

    def test_bits_tower_never_includes_words_tower(self):
        self.write("src/neardup/join/a.cc", '\n#include "neardup/text/text.h"\n')
        self.assertIn("join/a.cc:2: join/ may not include text/ (it may include: base, fingerprint, hamming)",
                      self.breaches())

    def test_angle_brackets_do_not_hide_an_include(self):
        self.write("src/neardup/join/a.cc", "#include <neardup/text/text.h>\n")
        self.assertIn("may not include text/", self.breaches())

    def test_nothing_below_engine_includes_engine(self):
        self.write("src/neardup/engine/engine.h", "// engine: the bridge.\n")
        self.write("src/neardup/text/a.cc", '#include "neardup/engine/engine.h"\n')
        self.assertIn("text/ may not include engine/", self.breaches())

    def test_relative_and_missing_includes(self):
        self.write("src/neardup/base/a.cc", '#include "base.h"\n#include "neardup/base/gone.h"\n')
        self.assertIn("a.cc:1: ", self.breaches())
        self.assertIn("a.cc:2: include \"neardup/base/gone.h\": there is no such file", self.breaches())

    def test_closed_headers(self):
        self.write("src/neardup/exact/exact.h", "// exact: exact duplicates.\n")
        self.write("src/neardup/exact/lines.h", "// Lines.\n")
        self.write("src/neardup/engine/engine.h", '// engine: bridge.\n#include "neardup/exact/exact.h"\n')
        self.assertEqual(self.breaches(), "")
        self.write("src/neardup/engine/a.cc", '#include "neardup/exact/lines.h"\n')
        self.assertIn("engine/ may not include neardup/exact/lines.h", self.breaches())

    def test_doors(self):
        self.write("src/neardup/join/join.h", "#pragma once\n")
        self.assertIn('join.h:1: the first line must be "// join: what it does."', self.breaches())
        self.write("src/neardup/sif/a.cc", "\n")
        self.assertIn("no door header sif.h", self.breaches())

    def test_unknown_room(self):
        self.write("src/neardup/attic/attic.h", "// attic: things.\n")
        self.assertIn("a room that the table does not know", self.breaches())

    def test_table_has_no_cycle_and_keeps_the_towers_apart(self):
        bits = {"fingerprint", "hamming", "join", "store", "remote"}
        words = {"text", "token", "feature", "simhash", "minhash"}
        order = list(check_layers.TABLE)
        for room in order:
            if room in check_layers.FACES:
                continue
            for other in check_layers.rooms_allowed(room) - {room}:
                self.assertLess(order.index(other), order.index(room), f"{room} -> {other}")
            if room in bits:
                self.assertFalse(check_layers.rooms_allowed(room) & words, room)
            if room in words:
                self.assertFalse(check_layers.rooms_allowed(room) & (bits - {"fingerprint"}), room)


class TestsTest(TreeTest):
    BODY = "inline int fuzz_json(const uint8_t* data, size_t size) { return 0; }\n"

    def setUp(self):
        super().setUp()
        self.test = self.write("tests/unit/base/a_test.cc", "")
        self.write("tests/fuzz/json_fuzz.h", self.BODY)
        self.write("tests/fuzz/corpus/json/one", "{}")
        self.targets = self.write("build/tests/fuzz/fuzz_targets.cc", '#include "tests/fuzz/json_fuzz.h"\n')
        self.compile(self.test, self.targets)

    def compile(self, *paths):
        entries = [{"directory": str(self.root / "build"), "file": str(path), "command": "c++"} for path in paths]
        self.write("build/compile_commands.json", json.dumps(entries))

    def breaches(self):
        return "\n".join(check_tests.check(self.root / "build", self.root))

    def test_order(self):
        self.assertEqual(self.breaches(), "")

    def test_unity_build(self):
        unit = self.write("build/Unity/unity_0_cxx.cxx", f'/* generated by CMake */\n\n#include "{self.test}"\n')
        self.compile(unit, self.targets)
        self.assertEqual(self.breaches(), "")
        self.write("tests/unit/base/b_test.cc", "")
        self.assertIn("b_test.cc: no target compiles this test", self.breaches())

    def test_orphan_test(self):
        self.write("tests/unit/base/b_test.cc", "")
        self.assertIn("b_test.cc: no target compiles this test", self.breaches())

    def test_fuzz_body_without_replay(self):
        self.compile(self.test)
        self.assertIn("the replay test does not include it", self.breaches())

    def test_fuzz_body_without_function_or_seeds(self):
        self.write("tests/fuzz/json_fuzz.h", "int other();\n")
        (self.root / "tests/fuzz/corpus/json/one").unlink()
        self.assertIn("no 'inline int fuzz_json(", self.breaches())
        self.assertIn("no seeds", self.breaches())

    def test_fuzz_body_in_the_wrong_folder(self):
        self.write("tests/unit/base/xml_fuzz.h", "")
        self.assertIn("fuzz bodies live in tests/fuzz/", self.breaches())

    def test_shared_temporary_path(self):
        self.write("tests/unit/base/a_test.cc", 'auto a = testing::TempDir() + "a_" + std::to_string(getpid());\n')
        self.assertEqual(self.breaches(), "")
        self.write("tests/unit/base/a_test.cc", '\nauto a = testing::TempDir() + "a";\n')
        self.assertIn("a_test.cc:2: tests may share this path", self.breaches())


class FilesTest(TreeTest):
    def breaches(self):
        return "\n".join(check_files.check(self.root)[0])

    def test_order(self):
        self.write("src/a.cc", "int a;\n" * check_files.MAX_LINES)
        self.write("LICENSE", "no newline")
        self.write("tests/golden/cases/a.case", "a \n")
        self.assertEqual(self.breaches(), "")

    def test_long_file(self):
        self.write("src/a.cc", "int a;\n" * (check_files.MAX_LINES + 1))
        self.assertIn("src/a.cc: 601 lines", self.breaches())

    def test_marks(self):
        self.write("a.md", "fine\n// TO" + "DO: finish\n")
        self.assertIn("a.md:2: unfinished mark", self.breaches())

    def test_machine_paths(self):
        self.write("a.py", 'path = "/wo' + 'rk/data"\n')
        self.write("b.py", 'path = "$base/wo' + 'rk/data"; mask = "XX' + 'XXXX"\n')
        self.assertIn("a.py:1: path of one machine", self.breaches())
        self.assertNotIn("b.py", self.breaches())

    def test_links(self):
        self.write("docs/a.md", "[b](b.md#part) [c](../c.md) [d](https://example.org/x)\n")
        self.write("docs/b.md", "fine\n")
        self.assertIn("docs/a.md:1: link to ../c.md, which is not there", self.breaches())
        self.assertNotIn("b.md#", self.breaches())

    def test_white_space(self):
        self.write("a.cc", "int a; \n\tint b;\nint c;")
        self.assertIn("a.cc:1: white space", self.breaches())
        self.assertIn("a.cc:2: tab", self.breaches())
        self.assertIn("a.cc: no newline", self.breaches())


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""package_test CPACK BUILD VERSION: the Debian package of BUILD holds what it says and runs from where it is unpacked."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CPACK, BUILD, VERSION = sys.argv[1:4]


def run(*command, **options):
    """Returns the standard output of a command that must succeed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        run(CPACK, "--config", f"{BUILD}/CPackConfig.cmake", "-B", cls.folder.name, stderr=subprocess.STDOUT)
        (cls.deb,) = pathlib.Path(cls.folder.name).glob("neardup_*.deb")
        cls.root = pathlib.Path(cls.folder.name, "root")
        run("dpkg-deb", "-x", str(cls.deb), str(cls.root))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def field(self, name):
        return run("dpkg-deb", "-f", str(self.deb), name)

    def test_control(self):
        self.assertEqual(self.field("Package").strip(), "neardup")
        self.assertTrue(self.field("Version").startswith(VERSION))
        for library in ("libicu", "libgnutls30", "libmicrohttpd12", "libprometheus-cpp-core", "libsimdjson", "libzstd1", "zlib1g", "libstdc++6"):
            self.assertIn(library, self.field("Depends"))
        for library in ("libexpected-dev", "libgnutls28-dev", "nlohmann-json3-dev", "zlib1g-dev", "pkg-config"):
            self.assertIn(library, self.field("Suggests"))

    def test_program(self):
        program = self.root / "usr/bin/neardup"
        self.assertIn(VERSION, run(program, "--version"))
        lines = ['{"id":"a","text":"one text of a few words"}', '{"id":"b","text":"One text  of a few words"}']
        (self.root / "in.jsonl").write_text("\n".join(lines) + "\n")
        run(program, "dedup", "in.jsonl", "-o", "out", "--progress", "off", cwd=self.root, stderr=subprocess.DEVNULL)
        removed = [json.loads(line) for line in (self.root / "out/duplicates.jsonl").read_text().splitlines()]
        self.assertEqual([(each["id"], each["duplicate_of"]) for each in removed], [("b", "a")])

    def test_files(self):
        share = self.root / "usr/share"
        self.assertIn(".TH NEARDUP 1", (share / "man/man1/neardup.1").read_text().upper())
        for completion in ("bash-completion/completions/neardup", "zsh/site-functions/_neardup",
                           "fish/vendor_completions.d/neardup.fish"):
            self.assertIn("dedup", (share / completion).read_text())
        self.assertTrue(list((self.root / "usr/include/neardup").rglob("*.h")))
        self.assertTrue(list((self.root / "usr/lib").rglob("neardupConfig.cmake")))

    def test_nothing_leads_to_where_it_was_built(self):
        for path in self.root.rglob("*.cmake"):
            self.assertNotIn(os.path.realpath(BUILD), path.read_text(), path)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

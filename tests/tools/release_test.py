"""release_test.py: what a release says of itself agrees (RELEASING.md)."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def read(name):
    return (ROOT / name).read_text()


VERSION = re.search(r'kVersion = "([0-9.]+)"', read("src/neardup/base/version.h"))[1]


class Release(unittest.TestCase):
    def test_every_file_has_the_version(self):
        self.assertIn(f"\nversion: {VERSION}\n", read("CITATION.cff"))
        self.assertIn(f'"neardup {VERSION}"', read("docs/cli/neardup.1"))
        changelog = read("CHANGELOG.md")
        self.assertTrue(f"\n## [{VERSION}] - " in changelog or
                        f"\n## [Unreleased]\n\nThis is what {VERSION} will be" in changelog)

    def test_the_changelog_has_the_form_of_keep_a_changelog(self):
        changelog = read("CHANGELOG.md")
        for heading in re.findall(r"^## (.*)$", changelog, re.M):
            self.assertRegex(heading, r"^\[(Unreleased|\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d)\]?$")
        kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
        self.assertLessEqual(set(re.findall(r"^### (.*)$", changelog, re.M)), kinds)

    def test_files_of_this_version_are_stored(self):
        self.assertTrue((ROOT / f"tests/formats/stored/{VERSION}.tar.gz").exists(), "RELEASING.md, step 4")

    def test_the_hosted_check_runs_test(self):
        workflow = read(".github/workflows/test.yml")
        self.assertIn('{image: "debian:12", command: ./test}', workflow)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""check_tests: every test source is compiled by a target, every fuzz body is replayed by the tests, and no two tests
share a temporary file.

Reads BUILD/compile_commands.json. A *_test.cc below tests/ that no target compiles, a *_fuzz.h that the replay
program does not include, and one without seeds in tests/fuzz/corpus/NAME/ are breaches. So is a temporary path that
is the same for two tests or two processes: ctest runs tests side by side.
usage: check_tests.py BUILD [ROOT]
"""
import json
import re
import sys
from pathlib import Path


def sources_of(path):
    """Returns the sources that `path` stands for: those that it includes where CMake wrote it for a unity build."""
    if path.parent.name != "Unity":
        return [str(path)]
    return re.findall(r'^#include "(.*)"$', path.read_text(encoding="utf-8"), re.MULTILINE)


def compiled_files(build):
    """Returns the absolute paths of all sources that the build compiles."""
    with open(Path(build) / "compile_commands.json", encoding="utf-8") as commands:
        units = {(Path(entry["directory"]) / entry["file"]).resolve() for entry in json.load(commands)}
    return {str(Path(source).resolve()) for unit in units for source in sources_of(unit)}


def orphan_tests(root, compiled):
    for path in sorted((root / "tests").rglob("*_test.cc")):
        if str(path.resolve()) not in compiled:
            yield (f"{path}: no target compiles this test; put it into tests/KIND/ROOM/ (see tests/CMakeLists.txt) and "
                   f"configure again")


def orphan_fuzz_bodies(root, compiled):
    replayed = "".join(Path(path).read_text(encoding="utf-8") for path in compiled
                       if path.endswith("/fuzz_targets.cc") and Path(path).is_file())
    for path in sorted((root / "tests").rglob("*_fuzz.h")):
        name = path.name[:-len("_fuzz.h")]
        if path.parent != root / "tests" / "fuzz":
            yield f"{path}: fuzz bodies live in tests/fuzz/, where the build finds them"
            continue
        if not re.search(rf"\binline int fuzz_{name}\(", path.read_text(encoding="utf-8")):
            yield f"{path}: no 'inline int fuzz_{name}(const uint8_t* data, size_t size)' in it"
        if f'"tests/fuzz/{path.name}"' not in replayed:
            yield f"{path}: the replay test does not include it; configure again"
        if not any((root / "tests" / "fuzz" / "corpus" / name).glob("*")):
            yield f"{path}: no seeds; put at least one into tests/fuzz/corpus/{name}/"


def shared_paths(root):
    """A name below the folder for temporary files holds the process or six letters that nothing has."""
    for path in sorted([*(root / "tests").rglob("*.cc"), *(root / "tests").rglob("*.h")]):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if not re.search(r"\b(TempDir|temp_directory_path)\(\)", line):
                continue
            if not re.search(r"getpid|XXXXXX|TemporaryFolder", " ".join(lines[number:number + 3])):
                yield f"{path}:{number + 1}: tests may share this path; take own_path() of tests/own_path.h"


def check(build, root):
    """Returns all breaches."""
    root = Path(root).resolve()
    compiled = compiled_files(build)
    return [*orphan_tests(root, compiled), *orphan_fuzz_bodies(root, compiled), *shared_paths(root)]


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    root = arguments[1] if len(arguments) > 1 else Path(__file__).resolve().parent.parent
    breaches = check(arguments[0], root)
    print("\n".join(breaches) or "tests: each has a target and files of its own, each fuzz body a replay")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

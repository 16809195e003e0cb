#!/usr/bin/env python3
"""make_targets BUILD: each line that `make TARGET` would run names what is there, for each target of the Makefile.

What a line runs as a whole is held elsewhere (tests, sanitizers, packages: tests of their own; sources under clang: check.clang).
Here no line may name a preset, a target, a switch, a program, a script, a flag or a filter that leads nowhere.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = None
PROGRAMS = {"clang-format": "clang-format", "clang-tidy": "clang-tidy"}  # and the package that has it
PRESETS = {"cmake": "configurePresets", "ctest": "testPresets"}
BUILT_ELSEWHERE = {"fuzz_search": "tests/fuzz/CMakeLists.txt"}  # in the preset fuzz alone; tools/check_clang.py asks it for it


def output_of(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT, **options).stdout


def targets_of(makefile):
    """Returns the names behind .PHONY, and those that have a rule."""
    phony = re.search(r"^\.PHONY:(.*)$", makefile, re.M).group(1).split()
    return phony, [name for name in re.findall(r"^([a-z-]+):", makefile, re.M)]


class Lines:
    """Yields what is wrong with a line of a recipe."""

    def __init__(self, build):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        self.presets = {kind: {each["name"] for each in presets[kind] if not each.get("hidden")} for kind in PRESETS.values()}
        self.build = build
        self.built = {line.split(":")[0] for line in output_of("ninja", "-C", build, "-t", "targets", "all").splitlines()}
        self.options = set(re.findall(r"^(NEARDUP_\w+):", (build / "CMakeCache.txt").read_text(), re.M))
        self.packages = {word for path in (ROOT / "tools").glob("packages*.txt") for word in path.read_text().split()}

    def faults(self, line):
        if "|" in line:
            return [fault for part in line.split(" | ") for fault in self.faults(part)]
        if line.startswith("cd ") and " && " in line:
            return self.faults(line.split(" && ", 1)[1])
        words = shlex.split(re.sub(r"\$\(date \+%s\)|>/dev/null", "1", line))
        faults = []
        while "=" in words[0]:
            faults += self.setting(words.pop(0).split("=")[0])
        return [*faults, *self.command(words[0], words[1:])]

    def command(self, program, words):
        if program in ("cmake", "ctest"):
            return self.cmake(program, words)
        if program == "cpack":
            return [] if words == ["-G", "DEB"] else [f"cpack {words}"]
        if program == "xargs":
            return self.command(words[4], words[5:])
        if program in PROGRAMS:
            return [] if PROGRAMS[program] in self.packages else [f"no list of packages has {program}"]
        if program == "git":
            return [] if not (ROOT / ".git").exists() or output_of("git", *words) else [f"git {words} lists nothing"]
        if program == "rm":
            return [] if words == ["-rf", "build", "out"] else [f"rm removes {words}"]
        if program == "python3":
            return self.script(words[0], words[1:])
        if program.startswith("build/release/"):
            return self.program(program, words)
        return self.script(program, words)

    def setting(self, name):
        found = any(name in path.read_text(errors="replace") for kind in ("*.cc", "*.h", "*.py") for path in (ROOT / "tests").rglob(kind)
                    if path != Path(__file__).resolve())
        return [] if found else [f"no test looks at {name}"]

    def cmake(self, program, words):
        faults = []
        for word, value in zip(words, [*words[1:], ""]):
            if word == "--preset" and value not in self.presets[PRESETS[program]]:
                faults.append(f"{program}: no preset {value}")
            if word == "--build" and value.removeprefix("build/") not in self.presets["configurePresets"]:
                faults.append(f"cmake: no preset makes {value}")
            if word.startswith("-D") and word[2:].split("=")[0] not in self.options:
                faults.append(f"cmake: no switch {word}")
        if "--target" in words:
            wanted = words[words.index("--target") + 1:]
            faults += [f"cmake: no target {name}" for name in wanted if name not in self.built and name not in BUILT_ELSEWHERE]
        return faults

    def made(self, path):
        """Returns where the build that is tested has what the recipe expects in build/release, or nothing."""
        path = path.removeprefix("build/release/")
        return self.build / path if path in self.built else None

    def program(self, program, words):
        path = self.made(program)
        if path is None:
            return [f"nothing builds {program}"]
        if words and words[0].startswith("--gtest_filter="):
            listed = output_of(path, "--gtest_list_tests", *words)
            return [] if re.search(r"^  \w", listed, re.M) else [f"{program} has no test {words[0]}"]
        if words and words[0] == "help":  # what it writes is held by tests of the command reference
            return [] if (ROOT / words[-1]).is_dir() else [f"no folder {words[-1]}"]
        return [f"{program} {words}: nothing tells whether that works"]

    def named_and_not_there(self, text):
        """Returns the files of the repository that a script names where there is none."""
        named = re.findall(r"(?<![\w/.-])(?:tools|bindings|tests|examples|cmake)/[\w./-]*\w", text)
        return sorted({name for name in named if not (ROOT / name).exists() and "NAME" not in name})

    def script(self, name, words):
        path = ROOT / name
        if not path.is_file():
            return [f"no file {name}"]
        text = path.read_text()
        faults = [f"{name} takes no {word}" for word in words if word.startswith("--") and f'"{word}"' not in text]
        faults += [f"{name} names {gone}" for gone in self.named_and_not_there(text)] if name.startswith(("tools/", "./")) else []
        faults += [f"nothing builds {word}" for word in words if word.startswith("build/release/") and self.made(word) is None]
        if "python" in text.split("\n", 1)[0]:
            compile(text, name, "exec")
        elif subprocess.run(["bash", "-n", path]).returncode != 0 or not os.access(path, os.X_OK):
            faults.append(f"{name} is no script that can be run")
        return faults


class MakeTargets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.makefile = (ROOT / "Makefile").read_text()
        cls.lines = Lines(BUILD)

    def recipe(self, target):
        return output_of("make", "--no-print-directory", "-n", target, "JOBS=1").replace("\\\n", " ").splitlines()

    def test_each_target(self):
        phony, ruled = targets_of(self.makefile)
        self.assertEqual(sorted(phony), sorted(ruled))
        for target in phony:
            with self.subTest(target):
                lines = self.recipe(target)
                self.assertTrue(lines)
                self.assertEqual([fault for line in lines for fault in self.lines.faults(line)], [])

    def test_what_pages_name(self):
        pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/**/*.md"), *ROOT.glob("tests/**/*.md")]
        for page in pages:
            for target in re.findall(r"(?:`|^    )make ([a-z-]+)", page.read_text(), re.M):
                self.assertIn(target, targets_of(self.makefile)[0], page)

    def test_what_is_installed_is_built_by_quickstart(self):
        wanted = re.search(r"cmake --build build/release --target (.*) -j", (ROOT / "quickstart").read_text()).group(1).split()
        commands = output_of("ninja", "-C", BUILD, "-t", "commands", *wanted)
        libraries = re.findall(r'"[^"]*/(libneardup_\w+\.a)"', (BUILD / "cmake_install.cmake").read_text())
        self.assertGreater(len(libraries), 20)
        for library in libraries:
            self.assertRegex(commands, rf"ar qc \S*{re.escape(library)}")

    def test_scripts_that_pages_name(self):
        for name in ("./quickstart", "tools/python_package", "tools/parquet_module", "tools/try_package", "tools/install_packages"):
            self.assertEqual(self.lines.script(name, []), [])
        self.assertEqual(self.lines.named_and_not_there("tools/jobs x tools/gone out/tools/no"), ["tools/gone"])

    def test_a_line_that_leads_nowhere_is_told(self):
        for line in ("cmake --preset gone", "ctest --preset fuzz", "cmake --build build/gone", "cmake --preset dev -DNEARDUP_GONE=ON",
                     "cmake --build build/dev -j 1 --target unit_gone", "tools/gone", "python3 tests/crash/store_test.py --gone 3",
                     "python3 tests/crash/store_test.py build/release/bin/gone", "rm -rf src", "clang-gone x",
                     "build/release/bin/unit_join --gtest_filter=Gone.*", "NEARDUP_GONE" + "_NO=1 tools/jobs", "cpack -G RPM",
                     "git ls-files src/gone.cc | xargs -P 1 -n 4 clang-tidy --quiet", "build/release/neardup gone"):
            self.assertEqual(len(self.lines.faults(line)), 1, line)


if __name__ == "__main__":
    BUILD = Path(sys.argv.pop(1)).resolve()
    unittest.main()

#!/usr/bin/env python3
"""check_clang: what `make fuzz` builds is accepted by clang: every source of src/ and every fuzz body, without building any.

Links one fuzzer of nothing, too. Configures the preset fuzz in FOLDER, asks it for its commands, and lets clang read the sources of each (-fsyntax-only). What CMake
writes while it builds (tables, headers of Thrift) is taken from BUILD, which is built. Code for kinds of processors is read for one.
usage: check_clang.py BUILD FOLDER [NAME]      NAME: only units with this word in their path
"""
import json
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Read once for all units: what nearly each of them includes.
COMMON = ("algorithm array atomic bit chrono cstddef cstdint cstring deque filesystem functional map memory mutex optional random set "
          "span sstream string string_view thread unordered_map unordered_set utility vector tl/expected.hpp fmt/format.h "
          "nlohmann/json.hpp neardup/base/result.h neardup/base/context.h").split()
FLAGS = ["-fsyntax-only", "-w", "-std=c++20", "-pthread", "-fPIC", "-DFMT_SHARED", "-DHWY_COMPILE_ONLY_STATIC", f"-I{ROOT}/src"]
OURS = ("src/neardup/CMakeFiles/", "tests/fuzz/CMakeFiles/")


def configure(folder):
    """Returns the commands of the preset fuzz; ends the program where it cannot be configured or has no target fuzz_search."""
    done = subprocess.run(["cmake", "--preset", "fuzz", "-B", folder, "--log-level=WARNING"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        done = subprocess.run(["cmake", "--build", folder, "--target", "fuzz_search", "--", "-n"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"check_clang: the preset fuzz cannot be configured or built:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return json.loads((Path(folder) / "compile_commands.json").read_text(encoding="utf-8"))


def units_of(commands):
    """Yields (source, definitions and folders of includes) of each unit of ours that is not written by a tool."""
    for command in commands:
        words = shlex.split(command["command"])
        if "/generated/" in command["file"] or not words[words.index("-o") + 1].startswith(OURS):
            continue
        taken = [word for word in words if word.startswith(("-I", "-D"))]
        taken += [part for i, word in enumerate(words) if word == "-isystem" for part in (word, words[i + 1])]
        yield command["file"], taken


def read_common(folder):
    """Returns the flags that take what COMMON names as it was read once."""
    header, read = folder / "common.h", folder / "common.h.pch"
    header.write_text("".join(f"#include <{name}>\n" for name in COMMON), encoding="utf-8")
    command = ["clang++", *FLAGS[1:], "-fpch-instantiate-templates", "-x", "c++-header", header, "-o", read]
    subprocess.run(command, check=True)
    return ["-include-pch", str(read)]


def links_a_fuzzer(folder):
    """Returns whether clang finds the libraries that a program of libFuzzer with sanitizers takes (libclang-rt-dev)."""
    source = folder / "nothing_fuzz.cc"
    source.write_text('extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n', encoding="utf-8")
    return subprocess.run(["clang++", "-fsanitize=fuzzer,address,undefined", source, "-o", folder / "nothing_fuzz"]).returncode == 0


def main(build, folder, name=""):
    folder = Path(folder).resolve()
    commands = configure(str(folder))
    units = [unit for unit in units_of(commands) if name in unit[0]]
    if not units:
        sys.exit("check_clang: the preset fuzz has no sources of ours")
    common, refused = read_common(folder), 0
    for source, taken in units:
        taken = [word.replace(str(folder), str(Path(build).resolve())) if word.endswith("/generated") else word for word in taken]
        refused += subprocess.run(["clang++", *FLAGS, *common, *taken, source], cwd=folder).returncode != 0
    links = links_a_fuzzer(folder)
    print(f"check_clang: {len(units)} units, {refused} refused by clang; a fuzzer {'links' if links else 'does not link'}")
    sys.exit(0 if links and refused == 0 else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])

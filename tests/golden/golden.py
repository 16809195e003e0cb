#!/usr/bin/env python3
"""golden: runs command-line cases that are kept as files.

usage: golden.py --program build/release/neardup [--update] CASE...

A .case file is a row of sections. A section begins with a line "--- NAME" and holds the lines up to the next one; what
stands before the first section is a comment. A line that begins with "\\---" stands for one with "---".

  --- command               bash script, run in an empty folder, with `neardup` on the PATH; $REPO is the repository
  --- stdin                 bytes for standard input (default: none)
  --- file NAME             a file that is there before
  --- exit                  expected exit status (default 0)
  --- stdout, --- stderr    expected output (default: stdout empty, stderr not looked at)
  --- output NAME           expected content of a file afterwards
  --- tree                  expected names of all files afterwards but those given, one a line, sorted

Words in brackets after the name say how to read a section, such as "--- output out/a.jsonl.gz (gzip)":
  (no newline)              the last newline is not part of the bytes
  (hex), (gzip), (zstd)     the bytes are given in hexadecimal, or are compressed in the file itself
  (json)                    compared as JSON; "..." as a value or as the last item accepts anything
  (lines)                   each line given must occur, in this order
  (regex)                   the whole must match this regular expression
Without such a word the bytes are exact, and --update writes them anew from what the program does.
"""
import argparse
import difflib
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

HEADER = re.compile(rb"^--- ([a-z]+)(?: ([^\s(]+))?((?: \([a-z ]+\))*)$")
ONCE = {"command", "stdin", "exit", "stdout", "stderr", "tree"}
NAMED = {"file", "output"}
MODES = {"no newline", "hex", "gzip", "zstd", "json", "lines", "regex"}
TIMEOUT_SECONDS = 120
REPO = Path(__file__).resolve().parent.parent.parent


class CaseError(Exception):
    """A .case file that cannot be read."""


@dataclass
class Section:
    kind: str
    name: str = ""
    modes: list = field(default_factory=list)
    body: bytes = b""

    def header(self):
        words = [f"--- {self.kind}", *([self.name] if self.name else []), *(f"({mode})" for mode in self.modes)]
        return " ".join(words).encode()

    def is_exact(self):
        return not {"json", "lines", "regex"} & set(self.modes)


@dataclass
class Case:
    preamble: bytes
    sections: list

    def find(self, kind):
        return next((section for section in self.sections if section.kind == kind), None)

    def all(self, kind):
        return [section for section in self.sections if section.kind == kind]


def parse_header(line, where):
    match = HEADER.match(line)
    kind, name = (match.group(1).decode(), (match.group(2) or b"").decode()) if match else ("", "")
    modes = re.findall(r"\(([a-z ]+)\)", match.group(3).decode()) if match else []
    if kind not in ONCE | NAMED or bool(name) != (kind in NAMED) or set(modes) - MODES:
        raise CaseError(f"{where}: cannot read this section header: {line.decode(errors='replace')}")
    return Section(kind, name, modes)


def parse_case(content, path="case"):
    """Returns the Case in the bytes of a .case file."""
    case = Case(b"", [])
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        if line.startswith(b"---"):
            section = parse_header(line.rstrip(b"\n"), f"{path}:{number}")
            if section.kind in ONCE and case.find(section.kind):
                raise CaseError(f"{path}:{number}: a second {section.kind}")
            case.sections.append(section)
        elif case.sections:
            case.sections[-1].body += line[1:] if line.startswith(b"\\---") else line
        else:
            case.preamble += line
    if not case.find("command"):
        raise CaseError(f"{path}: no '--- command' section")
    return case


def format_case(case):
    """Returns the bytes of a .case file: the inverse of parse_case."""
    out = case.preamble
    for section in case.sections:
        body = b"".join(b"\\" + line if line.startswith(b"---") else line
                        for line in section.body.splitlines(keepends=True))
        out += section.header() + b"\n" + body + (b"\n" if body and not body.endswith(b"\n") else b"")
    return out


def plain_bytes(section):
    """Returns the bytes that a section stands for, before compression."""
    if "hex" in section.modes:
        return bytes.fromhex(section.body.decode())
    return section.body[:-1] if "no newline" in section.modes else section.body


def zstd(data, *flags):
    return subprocess.run(["zstd", "-q", "-c", *flags], input=data, capture_output=True, check=True).stdout


def pack(section):
    """Returns the content of the file that a section describes."""
    data = plain_bytes(section)
    if "gzip" in section.modes:
        return gzip.compress(data, mtime=0)
    return zstd(data) if "zstd" in section.modes else data


def unpack(section, data):
    """Returns what a section of this kind is compared with, from the bytes of a file."""
    if "gzip" in section.modes:
        return gzip.decompress(data)
    return zstd(data, "-d") if "zstd" in section.modes else data


def json_matches(expected, actual):
    if expected == "...":
        return True
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(json_matches(v, actual[k]) for k, v in expected.items())
    if isinstance(expected, list) and isinstance(actual, list):
        if expected and expected[-1] == "...":
            expected, actual = expected[:-1], actual[:len(expected) - 1]
        return len(expected) == len(actual) and all(map(json_matches, expected, actual))
    return type(expected) is type(actual) and expected == actual


def lines_match(expected, actual):
    rest = iter(actual.splitlines())
    return all(any(line == other for other in rest) for line in expected.splitlines())


def matches(section, actual):
    """Does `actual` satisfy the section?"""
    if "json" in section.modes:
        return json_matches(json.loads(section.body), json.loads(actual or b"null"))
    if "lines" in section.modes:
        return lines_match(section.body, actual)
    if "regex" in section.modes:
        return re.fullmatch(section.body.removesuffix(b"\n"), actual.removesuffix(b"\n"), re.DOTALL) is not None
    return plain_bytes(section) == actual


def difference(section, actual):
    what = f"{section.kind} {section.name}".strip()
    if not section.is_exact():
        return f"{what} {section.modes}: does not match; found\n" + actual.decode(errors="replace")
    expected = [*map(repr, plain_bytes(section).splitlines(keepends=True))]
    found = [*map(repr, actual.splitlines(keepends=True))]
    return "\n".join(difflib.unified_diff(expected, found, f"{what}, expected", f"{what}, found", lineterm="", n=2))


@dataclass
class Outcome:
    exit_status: int
    stdout: bytes
    stderr: bytes
    folder: Path
    given: set

    def observed(self, section):
        """Returns the bytes to compare the section with, or None where the file is not there."""
        if section.kind == "exit":
            return b"%d\n" % self.exit_status
        if section.kind in ("stdout", "stderr"):
            return unpack(section, getattr(self, section.kind))
        if section.kind == "tree":
            files = (str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if p.is_file())
            return "".join(name + "\n" for name in sorted(files) if name not in self.given).encode()
        path = self.folder / section.name
        return unpack(section, path.read_bytes()) if path.is_file() else None


def execute(case, program, folder):
    """Runs the case's command in the folder <temporary>/run, with `neardup` on the PATH."""
    run = folder / "run"
    tools = folder / "bin"
    run.mkdir()
    tools.mkdir()
    (tools / "neardup").symlink_to(Path(program).resolve())
    for section in case.all("file"):
        path = run / section.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pack(section))
    environment = {"PATH": f"{tools}:{os.environ.get('PATH', '/usr/bin:/bin')}", "LC_ALL": "C.UTF-8",
                   "HOME": str(folder), "REPO": str(REPO), "TMPDIR": str(folder), "TZ": "UTC"}
    environment.update({name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")})
    stdin = case.find("stdin")
    done = subprocess.run(["bash", "-c", case.find("command").body.decode()], cwd=run, env=environment,
                          input=pack(stdin) if stdin else b"", capture_output=True, timeout=TIMEOUT_SECONDS,
                          check=False)
    return Outcome(done.returncode, done.stdout, done.stderr, run, {s.name for s in case.all("file")})


def compare(case, outcome):
    """Returns a message for each section that does not hold."""
    checked = [s for s in case.sections if s.kind in ("exit", "stdout", "stderr", "output", "tree")]
    for kind, default in (("exit", b"0\n"), ("stdout", b"")):
        if not case.find(kind):
            checked.append(Section(kind, body=default))
    failures = []
    for section in checked:
        actual = outcome.observed(section)
        if actual is None:
            failures.append(f"output {section.name}: there is no such file")
        elif not matches(section, actual):
            failures.append(difference(section, actual))
    if failures:
        failures.append("standard error was:\n" + outcome.stderr.decode(errors="replace"))
    return failures


def update(case, outcome):
    """Writes what was observed into the exact sections, and adds those that a default stood for."""
    for kind, default in (("exit", b"0\n"), ("stdout", b"")):
        if not case.find(kind) and outcome.observed(Section(kind)) != default:
            case.sections.append(Section(kind))
    for section in case.sections:
        if section.kind in ("command", "stdin", "file") or not section.is_exact():
            continue
        actual = outcome.observed(section)
        if actual is None:
            raise CaseError(f"output {section.name}: there is no such file")
        section.modes = [mode for mode in section.modes if mode in ("gzip", "zstd", "hex")]
        if "hex" in section.modes:
            section.body = actual.hex().encode() + b"\n"
        elif actual and not actual.endswith(b"\n"):
            section.modes.append("no newline")
            section.body = actual + b"\n"
        else:
            section.body = actual


def run_case(path, program, rewrite=False):
    """Returns the failures of one .case file; with `rewrite` writes it anew instead of comparing."""
    case = parse_case(path.read_bytes(), path)
    with tempfile.TemporaryDirectory(prefix="neardup_golden_") as folder:
        outcome = execute(case, program, Path(folder))
        if rewrite:
            update(case, outcome)
            path.write_bytes(format_case(case))
            return []
        return compare(case, outcome)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("cases", nargs="+", type=Path)
    arguments = parser.parse_args()
    if not arguments.program.is_file():
        parser.error(f"--program {arguments.program}: there is no such file; build it first")
    num_failed = 0
    for path in arguments.cases:
        try:
            failures = run_case(path, arguments.program, arguments.update)
        except (CaseError, ValueError, OSError, EOFError, subprocess.SubprocessError) as error:
            failures = [str(error)]
        for failure in failures:
            print(f"{path}: {failure}")
        num_failed += bool(failures)
    return 1 if num_failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs the commands that Markdown pages show, and fails where one fails or prints something else.

usage: tutorial.py --program NEARDUP [--show] [--update] PAGE...

Paths of pages count from the root of the repository. The blocks of a page run in order, in a scratch copy of the root (links to what is there,
an empty out/, build/release/neardup = NEARDUP):
  ```sh      a bash script, stopped at the first failure; ./quickstart and ./test are left out
  ```python  a Python script
  ```text    behind one of these: what it prints, on standard output or error. Each line must be in the output; "..."
             stands for anything, and a line of it alone for any lines. White space counts as one blank.
--show prints the output of each block. --update writes the numbers that are printed now into the pages, for lines that are
otherwise as they were; read the difference before you commit it.
"""
import argparse, os, re, subprocess, sys, tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
FENCE = re.compile(r"^```(sh|python|text)\n(.*?)^```$", re.M | re.S)
LEFT_OUT = re.compile(r"^\./(quickstart|test)\b")


def scratch_root(folder, program):
    """Makes `folder` look like the root of the repository, with the program built and nothing in out/."""
    for entry in ROOT.iterdir():
        if entry.name not in ("build", "out", ".git"):
            (folder / entry.name).symlink_to(entry)
    (folder / "build/release").mkdir(parents=True)
    (folder / "build/release/neardup").symlink_to(Path(program).resolve())
    (folder / "out").mkdir()


def run_block(kind, code, folder):
    """Returns exit code and output of a block."""
    if kind == "sh":
        code = "\n".join(line for line in code.split("\n") if not LEFT_OUT.match(line))
        command = ["bash", "-euo", "pipefail", "-c", code]
    else:
        command = [sys.executable, "-c", code]
    path = f"{folder}/build/release:{os.environ['PATH']}"
    done = subprocess.run(command, cwd=folder, env={**os.environ, "PATH": path, "COLUMNS": "100"}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=300)
    return done.returncode, done.stdout


def plain(line):
    return " ".join(line.split())


def missing_lines(expected, output):
    """Yields the lines of `expected` that no line of `output` fits."""
    lines = [plain(line) for line in output.split("\n")]
    for line in expected.split("\n"):
        if plain(line) in ("", "..."):
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in plain(line).split("...")))
        if not any(pattern.fullmatch(seen) for seen in lines):
            yield line


def shape(line):
    """Returns a pattern of the lines that differ from `line` in numbers at most."""
    parts = re.split(rf"({NUMBER.pattern}|\.\.\.)", plain(line))
    return "".join(f"({NUMBER.pattern})" if NUMBER.fullmatch(part) else ".*" if part == "..." else re.escape(part) for part in parts)


def with_numbers(line, match):
    """Returns `line` with the numbers of what was printed."""
    numbers = iter(match.groups())
    return NUMBER.sub(lambda _: next(numbers), line)


def updated(expected, output):
    """Returns `expected` with the numbers of `output`: the n-th line of a shape gets those of the n-th line of it there."""
    wrong = {shape(line) for line in missing_lines(expected, output)}
    used, lines = {}, []
    for line in expected.split("\n"):
        if (key := shape(line)) in wrong:
            printed = [(raw, match) for raw in output.split("\n") if (match := re.fullmatch(key, plain(raw)))]
            at = used[key] = used.get(key, -1) + 1
            if at < len(printed):
                raw, match = printed[at]
                line = with_numbers(line, match) if "..." in line else raw
        lines.append(line)
    return "\n".join(lines)


def update_page(text, folder):
    """Returns the page with the numbers that its commands print now."""
    parts, end, output = [], 0, None
    for match in FENCE.finditer(text):
        kind, code = match.groups()
        if kind != "text":
            output = run_block(kind, code, folder)[1]
        elif output is not None:
            parts += [text[end:match.start(2)], updated(code, output)]
            end, output = match.end(2), None
    return "".join(parts) + text[end:]


def faults_of_page(page, text, folder, show):
    """Yields a message for each fault of a page."""
    output = None
    for match in FENCE.finditer(text):
        kind, code = match.groups()
        place = f"{page}:{text.count(chr(10), 0, match.start()) + 1}"
        if kind == "text":
            if output is not None:
                for line in missing_lines(code, output):
                    yield f"{place}: nothing like this was printed: {line}\n--- printed\n{output}"
            output = None
            continue
        status, output = run_block(kind, code, folder)
        if show:
            print(f"--- {place}\n{output}", flush=True)
        if status != 0:
            yield f"{place}: ended with {status}\n{output}"
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="+")
    args = parser.parse_args()
    faults = []
    for page in args.pages:
        with tempfile.TemporaryDirectory(prefix="neardup-docs-") as folder:
            scratch_root(Path(folder), args.program)
            if args.update:
                text = (ROOT / page).read_text(encoding="utf8")
                (ROOT / page).write_text(update_page(text, Path(folder)), encoding="utf8")
                continue
            faults += faults_of_page(page, (ROOT / page).read_text(encoding="utf8"), Path(folder), args.show)
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

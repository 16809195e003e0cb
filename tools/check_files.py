#!/usr/bin/env python3
"""check_files: what a reader would trip over in any tracked file.

Sources over 600 lines, unfinished marks, absolute paths of one machine, carriage returns, tabs and white space at
line ends, a missing final newline, links in Markdown to files that are not there. Data (examples/, tests/**/corpus, data and cases) is exempt from all but the size limit of
5 MB.
usage: check_files.py [ROOT]
"""
import re
import subprocess
import sys
from pathlib import Path

MAX_LINES = 600
MAX_BYTES = 5 << 20
SOURCE = {".h", ".cc", ".py", ".cmake", ".js", ".css", ".sh"}
DATA = re.compile(r"^(examples/.*\.(jsonl|gz|zst|txt)$|tests/.*/(corpus|data|cases)/|tests/(data|broken)/)")
# Spelt in pieces so that this file holds none of them.
MARKS = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "not " + "implemented")) + r")\b")
MACHINE_PATH = re.compile(r"(?<![A-Za-z0-9_.$}/])/(" + "|".join(("wo" + "rk", "ro" + "ot", "ho" + "me/[a-z]+")) + r")/")

LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)")


def tracked_files(root):
    """Returns the paths of all tracked files, or of all files but build/ and out/ where git is not there."""
    try:
        listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True).stdout
        names = listed.decode().split("\0")[:-1]
    except (OSError, subprocess.CalledProcessError):
        names = [str(p.relative_to(root)) for p in root.rglob("*")
                 if p.relative_to(root).parts[0] not in ("build", "out", ".git") and "__pycache__" not in p.parts]
    return sorted(name for name in names if (root / name).is_file() and not (root / name).is_symlink())


def line_breaches(name, lines):
    makefile = Path(name).name == "Makefile"
    for number, line in enumerate(lines, 1):
        mark = MARKS.search(line)
        if mark:
            yield f"{name}:{number}: unfinished mark \"{mark.group()}\"; finish it or say it in plain words"
        path = MACHINE_PATH.search(line)
        if path:
            yield f"{name}:{number}: path of one machine \"{path.group()}\"; make it relative"
        if line.endswith((" ", "\t", "\r")) and not name.endswith(".md"):
            yield f"{name}:{number}: white space at the end of the line"
        if Path(name).suffix in SOURCE and "\t" in line and not makefile:
            yield f"{name}:{number}: tab; indent by spaces, write \\t in strings"


def link_breaches(root, name, lines):
    for number, line in enumerate(lines, 1):
        for target in LINK.findall(line):
            if not ((root / name).parent / target).exists():
                yield f"{name}:{number}: link to {target}, which is not there"


def check_file(root, name):
    """Yields a message for each breach in one file."""
    content = (root / name).read_bytes()
    if len(content) > MAX_BYTES:
        yield f"{name}: {len(content)} bytes; keep files under {MAX_BYTES}"
    if DATA.match(name) or name == "LICENSE" or b"\0" in content[:8000]:
        return
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        yield f"{name}: not UTF-8 at byte {error.start}"
        return
    if text and not text.endswith("\n"):
        yield f"{name}: no newline at the end"
    lines = text.split("\n")[:-1]
    if Path(name).suffix in SOURCE and len(lines) > MAX_LINES:
        yield f"{name}: {len(lines)} lines, over {MAX_LINES}; is there a second room inside?"
    yield from line_breaches(name, lines)
    if name.endswith(".md"):
        yield from link_breaches(root, name, lines)


def check(root):
    """Returns all breaches, and how many files were read."""
    root = Path(root).resolve()
    names = tracked_files(root)
    return [breach for name in names for breach in check_file(root, name)], len(names)


def main(arguments):
    root = arguments[0] if arguments else Path(__file__).resolve().parent.parent
    breaches, num_files = check(root)
    print("\n".join(breaches) or f"files: {num_files} are in order")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""flags: every flag that the pages name exists, and the command that they give it to takes it.

usage: flags.py [ROOT]

Looks at README.md, the other pages of the root, docs/ and examples/. Flags stand in docs/cli, which a test of its own holds
against the program. A flag is right where some command has it; behind `neardup COMMAND` that command must; on a page about
one command (PAGES) that one must, wherever no other is named. What belongs to other programs is in OTHERS.
"""
import re
import sys
from pathlib import Path

ROW = re.compile(r"^\| `(--[^`]*|-[A-Za-z],[^`]*)`", re.MULTILINE)  # of a flag in the table of a command
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
COMMAND = re.compile(r"(?<![\w./-])neardup ([a-z][a-z-]*)((?:[^`|;&#\n]|\\\n)*)")
PAGES = {"docs/formats/labels.md": "evaluate"}
HIDDEN = {"--batch-bytes", "--version"}
OTHERS = {
    "--archives", "--array", "--build", "--convert-to", "--cpus-per-task", "--data-binary", "--dependency", "--disable-thp",
    "--files", "--headless", "--icsv", "--ifs", "--install", "--long", "--mem", "--modules", "--ocsv", "--output-dir", "--preset",
    "--program", "--target", "--test", "--test-dir", "--ultra", "--update",
}


def flags_of_commands(root):
    """Returns the flags of each command, by its page."""
    pages = (root / "docs/cli").glob("*.md")
    return {page.stem: set(FLAG.findall(" ".join(ROW.findall(page.read_text(encoding="utf-8"))).replace(",", " ")))
            for page in pages if page.stem != "README"}


def wrong_flags(name, text, commands):
    """Yields what is wrong on a page: which flag, and why."""
    known = set().union(*commands.values()) | HIDDEN
    for flag in sorted(set(FLAG.findall(text)) - known - OTHERS):
        yield f"{name}: no command has {flag}"
    for command, rest in COMMAND.findall(text):
        if command not in commands:
            continue
        for flag in sorted(set(FLAG.findall(rest)) - commands[command] - HIDDEN):
            yield f"{name}: neardup {command} takes no {flag}: neardup {command}{rest}"
    if name in PAGES:
        own = commands[PAGES[name]] | OTHERS | HIDDEN
        for flag in sorted(set(FLAG.findall(COMMAND.sub("", text))) - own):
            yield f"{name}: the page is about neardup {PAGES[name]}, which takes no {flag}"


def pages_of(root):
    for page in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/**/*.md")]):
        if page.parent.name != "cli" and page.name != "CHANGELOG.md":  # what was so once
            yield page


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parents[2]
    commands = flags_of_commands(root)
    sample = "`neardup dedup --no-such` and `--pairs FILE`"
    if len(list(wrong_flags("docs/formats/labels.md", sample, commands))) != 3:
        sys.exit("flags: what is wrong in the sample was not found")
    wrong = [line for page in pages_of(root)
             for line in wrong_flags(str(page.relative_to(root)), page.read_text(encoding="utf-8"), commands)]
    print("\n".join(wrong) if wrong else f"flags: all that the pages name are there ({len(commands)} commands)")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

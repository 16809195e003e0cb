#!/usr/bin/env python3
"""Takes the programs out of the pages of the library, and runs them.

usage: api_examples.py extract PAGE FOLDER            writes FOLDER/NAME-N.cc for each ```cpp block of PAGE, prints the paths
       api_examples.py run PAGE FOLDER [--update]     runs FOLDER/NAME-N, built from it, and compares what it prints

A block is a whole program of at most 20 lines that are not blank, in lines of at most 120 characters. A ```text block right behind it is what
it prints, "..." standing for anything; --update writes that. Programs run in a copy of the root of the repository, with an empty out/.
"""
import re, subprocess, sys, tempfile
from pathlib import Path

import tutorial

MOST_LINES, MOST_COLUMNS = 20, 120
BLOCK = re.compile(r"^```cpp\n(.*?)^```\n(?:```text\n(.*?)^```$)?", re.M | re.S)


def blocks(page):
    """Returns (program, output) of each block; output is None where none is shown."""
    return [(match.group(1), match.group(2)) for match in BLOCK.finditer(page.read_text(encoding="utf8"))]


def name_of(page, number):
    return f"{page.stem}-{number}"


def num_lines(program):
    return sum(1 for line in program.split("\n") if line.strip())


def faults_of_form(page):
    for number, (program, _) in enumerate(blocks(page), 1):
        if num_lines(program) > MOST_LINES:
            yield f"{page.name}: program {number} has {num_lines(program)} lines; {MOST_LINES} are the most"
        for line in program.split("\n"):
            if len(line) > MOST_COLUMNS:
                yield f"{page.name}: program {number}: longer than {MOST_COLUMNS} characters: {line}"


def extract(page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for number, (program, _) in enumerate(blocks(page), 1):
        path = folder / f"{name_of(page, number)}.cc"
        if not path.exists() or path.read_text(encoding="utf8") != program:
            path.write_text(program, encoding="utf8")
        print(path)


def run_program(program):
    with tempfile.TemporaryDirectory(prefix="neardup-api-") as folder:
        tutorial.scratch_root(Path(folder), program)
        done = subprocess.run([program], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300)
    return done.returncode, done.stdout


def differs(shown, printed):
    pattern = ".*".join(re.escape(part) for part in shown.split("..."))
    return not re.fullmatch(pattern, printed, re.S)


def faults_of_runs(page, folder):
    for number, (_, shown) in enumerate(blocks(page), 1):
        status, printed = run_program(str((folder / name_of(page, number)).resolve()))
        if status != 0:
            yield f"{page.name}: program {number} ended with {status}\n{printed}"
        elif shown is None or differs(shown, printed):
            yield f"{page.name}: program {number} printed something else:\n{printed}--- the page says\n{shown}"


def update(page, folder):
    printed = [run_program(str((folder / name_of(page, number)).resolve()))[1] for number in range(1, len(blocks(page)) + 1)]
    numbers = iter(printed)
    text = BLOCK.sub(lambda match: f"```cpp\n{match.group(1)}```\n```text\n{next(numbers)}```", page.read_text(encoding="utf8"))
    page.write_text(text, encoding="utf8")


def main(what, page, folder, *flags):
    page, folder = Path(page), Path(folder)
    if what == "extract":
        return extract(page, folder)
    if "--update" in flags:
        return update(page, folder)
    faults = [*faults_of_form(page), *faults_of_runs(page, folder)]
    print("\n".join(faults), file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])

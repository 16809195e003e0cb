"""What the tests of the Python package share: the program beside it, and corpora of the repository."""
import gzip
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "examples" / "corpus"
LANGUAGES = ROOT / "tests" / "data" / "languages.jsonl"
HISTORY = CORPUS / "peps" / "history.jsonl.gz"
CURRENT = CORPUS / "peps" / "current.jsonl"

# Two that differ in one word, one that differs from both only in case, one that is another, and nothing.
FERRY = (
    "The harbour was closed yesterday morning because of thick fog, and the late ferry struck the northern pier. "
    "Nobody was hurt, but two of the crew were taken to hospital to be safe. Engineers look at the pier today and expect to "
    "open it again by the weekend, the office of the harbour said in the afternoon."
)
FERRY_EDITED = FERRY.replace("two of the crew", "three of the crew").replace("Nobody", "No one")
FERRY_LOUD = FERRY.upper()
OTHER = (
    "A library in the old town lends garden tools from this spring on: spades, shears and a wheelbarrow can be taken "
    "home for a week, and whoever brings them back clean may have them for another one without paying anything at all."
)
TEXTS = [FERRY, OTHER, FERRY_EDITED, FERRY_LOUD]


def rows_of(path):
    """Returns the documents of a JSONL file."""
    reader = gzip.open if str(path).endswith(".gz") else open
    with reader(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def lines_of(path):
    """Returns the objects of a JSONL file of results."""
    return [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]


def files_of(folder):
    """Returns the bytes of all files of a folder by name, without the reports, which hold times."""
    folder = pathlib.Path(folder)
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("report.")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def write_rows(path, rows):
    """Writes rows as JSONL; returns the path."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def named(duplicates):
    """Returns the rows of a list of duplicates as tuples of what dedup() and the program both tell."""
    return [tuple(row[name] for name in ("id", "duplicate_of", "kind", "distance", "similarity")) for row in duplicates]


def duplicates_of_program(run, folder, rows, *flags, others=None):
    """Returns the duplicates that the program finds, as named() has them."""
    flags = list(flags) + (["--reference", write_rows(folder / "others.jsonl", others)] if others else [])
    run("dedup", write_rows(folder / "rows.jsonl", rows), "-o", folder / "out", *flags)
    return named(lines_of(folder / "out" / "duplicates.jsonl"))


@pytest.fixture(scope="session")
def run():
    """Runs the program with some arguments; returns what it printed."""
    program = os.environ.get("NEARDUP_PROGRAM", str(ROOT / "build" / "release" / "neardup"))

    def call(*arguments):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


@pytest.fixture(scope="session")
def history():
    return rows_of(HISTORY)


@pytest.fixture(scope="session")
def current():
    return rows_of(CURRENT)

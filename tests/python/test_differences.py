"""Each command and flag of the program is there in Python, or the table of docs/python.md says what stands for it."""
import inspect
import re
import warnings

import neardup
import pytest
from conftest import FERRY, FERRY_EDITED, OTHER, ROOT

FUNCTIONS = {
    "dedup": neardup.dedup,
    "evaluate": neardup.evaluate,
    "explain": neardup.explain,
    "fingerprint": neardup.fingerprint,
    "lines": neardup.unique_lines,
    "pairs": neardup.pairs,
    "similar": neardup.similar_files,
}


@pytest.fixture(scope="module")
def table():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    return page[page.index("## What differs from the command line"):]


def test_every_command(run, table):
    commands = re.findall(r"^  ([a-z-]+)  +[A-Z]", run("help").partition("Commands:")[2].partition("Flags:")[0], re.MULTILINE)
    assert len(commands) > 15 and set(FUNCTIONS) <= set(commands)
    words = set(re.findall(r"[a-z-]+", "".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE))))
    assert [name for name in commands if name not in FUNCTIONS and name not in words] == []


@pytest.mark.parametrize("command", FUNCTIONS)
def test_every_flag(run, table, command):
    flags = set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", run(command, "--help-all"), re.MULTILINE)) - {"--help", "--help-all"}
    there = {"--" + name.replace("_", "-") for name in inspect.signature(FUNCTIONS[command]).parameters}
    assert len(flags & there) > 3
    assert flags - there - set(re.findall(r"--[a-z-]+", table)) == set()


def many(count=30):
    return [f"{number * 7919 % 10007} " + " ".join(f"{word}{number * 31 + place}" for place, word in enumerate("fog pier crew oar quay".split() * 4))
            for number in range(count)]


def rows(texts, **columns):
    return [{"text": text, **{name: value(row) for name, value in columns.items()}} for row, text in enumerate(texts)]


# What is warned of, and a call that brings it.
WARNED = {
    "There is no document: the data have no rows.": lambda: neardup.dedup([]),
    "25.0 % of all documents (10) hold no text and were rejected: `rejected` of the result lists them.": lambda: neardup.dedup([None] * 10 + many()),
    "90.2 % of all documents were removed.": lambda: neardup.dedup([FERRY] * 56 + many(5)),
    "One cluster holds 60 documents, 66.7 % of all. Its kept document is first.":
        lambda: neardup.dedup(rows([FERRY] * 60 + many(), id=lambda row: f"row {row}" if row else "first")),
    "One cluster holds 61 documents, 67.8 % of all. Its kept document is of the others.":
        lambda: neardup.dedup(rows([FERRY] * 60 + many(), id=str), against=[{"id": "of the others", "text": FERRY}]),
    "23 documents have the id of an earlier document, such as 0, 1, 2: duplicate_of does not tell these apart.":
        lambda: neardup.dedup(rows(many(), id=lambda row: row % 7)),
    "Verification is off: 1 near-duplicates were removed by their fingerprints alone.":
        lambda: neardup.dedup([FERRY, FERRY_EDITED, OTHER], verify="none"),
    "More than 90 % was removed of 1 value: harbour (39 of 40).":
        lambda: neardup.dedup(rows([FERRY] * 40 + many(), kind=lambda row: "harbour" if row < 40 else "sea"), group_key="kind"),
    "1 records were rejected; dedup() of the same data says why":
        lambda: neardup.evaluate(rows([FERRY, FERRY, None], cluster=lambda row: 1)),
}


@pytest.mark.parametrize("told", WARNED)
def test_each_warning_in_the_words_of_python(told):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        WARNED[told]()
    messages = [str(each.message) for each in heard]
    assert any(message.startswith(told) for message in messages), messages
    assert [each for each in messages if re.search(r"rejected\.jsonl|rows:|references:|--[a-z]|text key|FILE", each)] == []

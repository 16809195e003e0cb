"""Each command and flag of the program is there in Python, or the table of docs/python.md says what stands for it."""
import inspect
import re

import neardup
import pytest
from conftest import ROOT

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

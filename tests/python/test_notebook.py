"""examples/notebook.ipynb runs from its first cell to its last, and tells what is stored in it."""
import json
import re

import notebooks
import pytest
from conftest import ROOT

NOTEBOOK = ROOT / "examples" / "notebook.ipynb"

pytest.importorskip("matplotlib")


def _words(notebook):
    """Returns what each cell shows, pictures aside, which differ with the fonts of a machine."""
    shown = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {"text": output.get("text")})
            shown.append({kind: "".join(text) for kind, text in data.items() if kind != "image/png"})
    return shown


@pytest.fixture(scope="module")
def run():
    return notebooks.run(NOTEBOOK)


def test_the_notebook_says_what_a_run_of_it_says(run):
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert _words(run) == _words(stored), "after a change that is meant: tests/python/notebooks.py examples/notebook.ipynb"


def test_the_notebook_has_its_plots(run):
    pictures = [output["data"]["image/png"] for cell in run["cells"] for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    assert len(pictures) == 4 and all(len(picture) > 2000 for picture in pictures)


def test_the_notebook_is_one(run):
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (stored["nbformat"], stored["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in stored["cells"]]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", id) for id in ids)
    assert NOTEBOOK.stat().st_size < 200_000
    for cell in stored["cells"]:
        assert set(cell) == ({"cell_type", "id", "metadata", "source"} | ({"execution_count", "outputs"} if cell["cell_type"] == "code" else set()))

"""Every example for Python of README.md and the pages on Python does what it says."""
import doctest

import pytest
from conftest import ROOT


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "docs/cookbook.md", "docs/datasketch.md"])
def test_examples(tmp_path, monkeypatch, page):
    for library in ("pandas", "polars", "datasets"):
        pytest.importorskip(library)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(ROOT / page), module_relative=False)
    assert results.attempted > 3 and results.failed == 0

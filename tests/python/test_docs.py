"""Every example for Python of README.md and docs/python.md does what it says."""
import doctest

import pytest
from conftest import ROOT


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_examples(tmp_path, monkeypatch, page):
    pytest.importorskip("pandas")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(ROOT / page), module_relative=False)
    assert results.attempted > 4 and results.failed == 0

"""Every example of docs/python.md does what it says."""
import doctest

import pytest
from conftest import ROOT


def test_examples(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
    assert results.attempted > 25 and results.failed == 0

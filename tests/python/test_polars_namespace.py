"""df.neardup is what the functions are."""
import subprocess
import sys

import neardup
import pytest
from conftest import TEXTS

polars = pytest.importorskip("polars")

import neardup.polars  # noqa: E402

FRAME = polars.DataFrame({"url": list("wxyz"), "body": TEXTS})


def test_dedup_and_unique():
    result = FRAME.neardup.dedup(text="body", id="url")
    expected = neardup.dedup(FRAME, text="body", id="url")
    assert isinstance(result, neardup.DedupResult)
    assert result.kept.equals(expected.kept) and result.duplicates.equals(expected.duplicates)
    unique = FRAME.neardup.unique(text="body", keep="longest")
    assert unique.equals(neardup.dedup(FRAME, text="body", keep="longest").kept) and unique["url"].to_list() == ["x", "y"]
    assert FRAME.filter(polars.col("url") != "w").neardup.unique(text="body").height == 2


def test_pairs_and_evaluate():
    found = FRAME.neardup.pairs(text="body", id="url", distance=16)
    assert found.equals(neardup.pairs(FRAME, text="body", id="url", distance=16)) and found.height == 3
    labels = [("w", "y"), ("w", "z")]
    found = FRAME.neardup.evaluate(labels, text="body", id="url")
    assert found.data == neardup.evaluate(FRAME, labels, text="body", id="url").data


def test_it_is_registered_by_its_own_import_alone():
    code = "import neardup, sys; assert 'polars' not in sys.modules; import polars; assert not hasattr(polars.DataFrame(), 'neardup')"
    subprocess.run([sys.executable, "-c", code], check=True)

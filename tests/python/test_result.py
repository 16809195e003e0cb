"""What dedup() returns: mask, clusters, counts, report."""
import subprocess
import sys

import neardup
import numpy
import pytest
from conftest import FERRY, FERRY_EDITED, FERRY_LOUD, OTHER, TEXTS


@pytest.fixture
def result():
    return neardup.dedup([{"id": f"<{i}>", "text": text} for i, text in enumerate([*TEXTS, OTHER])])


def test_mask(result):
    assert result.mask.dtype == numpy.bool_ and result.mask.tolist() == [True, True, False, False, False]


def test_clusters(result):
    assert result.clusters == [
        {"kept": "<0>", "members": ["<0>", "<2>", "<3>"]},
        {"kept": "<1>", "members": ["<1>", "<4>"]},
    ]


def test_counts(result):
    assert result.counts == {"read": 5, "kept": 2, "exact": 2, "near": 1, "rejected": 0}
    assert repr(result) == "DedupResult(read=5, kept=2, exact=2, near=1, rejected=0)"


def test_report(result):
    assert "<2> repeats <0> (near, 0." in str(result.report)
    html = result.report._repr_html_()
    assert "&lt;2&gt;" in html and "<2>" not in html and html.count("<table>") == html.count("</table>") == 2


def test_report_of_nothing():
    assert "read" in str(neardup.dedup([]).report)


def test_distance_and_similarity(result):
    near, exact = result.duplicates[0], result.duplicates[1]
    assert 0 < near["distance"] < 128 and 0.4 < near["similarity"] < 1 and round(near["similarity"], 4) == near["similarity"]
    assert exact["distance"] == 0 and exact["similarity"] == 1


def test_what_was_looked_at_stays(result):
    assert result.kept is result.kept and result.duplicates is result.duplicates


def test_mask_without_numpy():
    code = """
import sys
sys.modules["numpy"] = None
import neardup
assert neardup.dedup(["a b c d e f", "a b c d e f"]).mask == [True, False]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_keep():
    texts = [FERRY, FERRY_LOUD + " And so on.", FERRY_EDITED]
    assert neardup.dedup(texts, keep="longest").kept == [texts[1]]
    with pytest.raises(neardup.InvalidArgument, match="keep"):
        neardup.dedup(texts, keep="nonsense")

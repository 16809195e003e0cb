"""What dedup() returns: mask, clusters, counts, report."""
import html
import json
import pickle
import re
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


HOSTILE = ['</script><img src=x onerror="alert(1)">', "a\u202eb", "\ud800", "x" * 100_000, ""]


def _hostile_result():
    rows = [{"id": id, "text": f"{FERRY} {'And so on. ' * number}"} for number, id in enumerate(HOSTILE)]
    return neardup.dedup([*rows, {"id": "z", "text": OTHER}])


def _page_in(notebook):
    return html.unescape(re.search(r'srcdoc="(.*?)" sandbox', notebook, re.S)[1])


def _explored(page):
    return json.loads(re.search(r'<script type="application/json" id="explore-data">(.*?)</script>', page, re.S)[1])


def test_the_page(result, tmp_path):
    page = result.report.html
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert "Read 5 documents, kept 2." in page and "&lt;2&gt;" in page and "<2>" not in page
    assert "jsonl" not in page.replace("duplicates.jsonl`", ""), "there are no files to look into, but in the script"
    result.report.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    with pytest.raises(OSError):
        result.report.save(tmp_path / "no" / "folder.html")


def test_the_page_names_rows_as_the_caller_does(result):
    assert sorted(_explored(result.report.html)["ids"]) == ["<0>", "<1>", "<2>", "<3>", "<4>"]
    numbered = neardup.dedup([text for text in [*TEXTS, OTHER]])
    assert sorted(_explored(numbered.report.html)["ids"]) == ["0", "1", "2", "3", "4"]


def test_the_page_names_references(tmp_path):
    against = [{"id": "old", "text": FERRY}]
    page = neardup.dedup([{"id": "new", "text": FERRY_EDITED}], against=against).report.html
    assert _explored(page)["ids"] == ["old", "new"]


def test_ids_are_never_markup():
    result = _hostile_result()
    notebook = result.report._repr_html_()
    assert "<img" not in notebook and "<script" not in notebook
    for text in (result.report.html, _page_in(notebook)):
        assert "<img" not in text and text.count("</script>") == text.count("<script")
    ids = _explored(result.report.html)["ids"]
    assert "a[U+202E]b" in ids and "" in ids and all(len(id) < 400 for id in ids)


def test_a_notebook_gets_a_small_page(result):
    text = result.report._repr_html_()
    assert 'sandbox="allow-scripts"' in text and len(text) < 300_000
    page = _page_in(text)
    assert page.startswith("<!DOCTYPE html>") and sorted(_explored(page)["ids"]) == ["<0>", "<1>", "<2>", "<3>", "<4>"]
    words = [f"word{number}" for number in range(60)]
    many = neardup.dedup([" ".join([f"start{row // 2}", *words[row // 2 % 30 :], f"n{row}"]) for row in range(8000)])
    assert many.counts["near"] + many.counts["exact"] > 3000
    assert len(many.report._repr_html_()) < 1_500_000


def test_a_result_that_was_sent_has_no_page(result):
    import pickle

    sent = pickle.loads(pickle.dumps(result))
    assert sent.duplicates == result.duplicates and "<table>" in sent.report._repr_html_()
    with pytest.raises(ValueError, match="another process"):
        sent.report.html


def test_a_result_that_a_version_of_before_has_pickled(result):
    state = result.__dict__
    for younger in ("_groups",):
        del state[younger]
    older = pickle.loads(pickle.dumps(result))
    assert older.groups == [] and older.counts == result.counts and "read" in str(older.report)
    assert older.duplicates == result.duplicates

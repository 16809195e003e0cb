"""Lists and tuples of str, bytes and dict; what is no text."""
import pickle
import subprocess
import sys
import warnings

import neardup
import pytest
from conftest import FERRY, FERRY_EDITED, OTHER, TEXTS


@pytest.mark.parametrize("make", [list, tuple])
def test_str(make):
    result = neardup.dedup(make(TEXTS))
    assert result.kept == make(TEXTS[:2])
    assert [(row["id"], row["duplicate_of"], row["kind"]) for row in result.duplicates] == [(2, 0, "near"), (3, 0, "exact")]


def test_bytes():
    texts = [text.encode() for text in TEXTS]
    assert neardup.dedup(texts).kept == texts[:2]


def test_no_utf8_and_half_a_pair_are_read():
    texts = [FERRY + " \udc80", FERRY.encode() + b" \xff", OTHER]
    assert neardup.dedup(texts).counts["read"] == 3


@pytest.mark.parametrize("make", [list, tuple])
def test_dict(make):
    rows = make({"id": f"n{i}", "text": text, "more": [i]} for i, text in enumerate(TEXTS))
    result = neardup.dedup(rows)
    assert result.kept == rows[:2] and result.kept[0] is rows[0]
    assert [row["duplicate_of"] for row in result.duplicates] == ["n0", "n0"]


def test_other_names():
    rows = [{"url": i, "body": text, "id": "same"} for i, text in enumerate(TEXTS)]
    assert [row["id"] for row in neardup.dedup(rows, text="body", id="url").duplicates] == [2, 3]


def test_nothing():
    for nothing in ([], ()):
        result = neardup.dedup(nothing)
        assert result.kept == nothing and result.duplicates == [] and result.counts["read"] == 0
        assert result.clusters == [] and len(result.mask) == 0


def test_no_text_is_rejected_and_counted():
    rows = [FERRY, None, FERRY_EDITED, float("nan")]
    result = neardup.dedup(rows)
    assert result.counts == {"read": 4, "kept": 1, "exact": 0, "near": 1, "rejected": 2}
    assert result.rejected == [1, 3] and result.kept == [FERRY]


def test_a_row_without_an_id_is_called_by_its_number():
    rows = [{"id": 9, "text": FERRY}, {"id": None, "text": OTHER}, {"text": OTHER}, {"id": 4}, {"id": 5, "text": FERRY_EDITED}]
    result = neardup.dedup(rows)
    assert result.rejected == [3]
    assert [(row["id"], row["duplicate_of"]) for row in result.duplicates] == [(2, 1), (5, 9)]
    assert result.kept == rows[:2]
    named = [{"text": FERRY}, {"id": "b", "text": OTHER}, {"text": FERRY_EDITED}]
    assert [(row["id"], row["duplicate_of"]) for row in neardup.dedup(named).duplicates] == [("2", "0")]
    assert neardup.dedup(named).clusters == [{"kept": "0", "members": ["0", "2"]}]


@pytest.mark.parametrize(
    "ids, expected",
    [
        (["2", "b", None, None, "3"], "row 2"),
        (["2", "row 2", None, None, "row 3"], "row row 2"),
        ([2, 1, None, None, 0], 7),  # after the numbers of all rows
        ([2, 8, None, None, float("nan")], 12),
        ([2.0, 8.0, None, None, None], 12),
        (["x", 2, None, None, None], "2"),
        ([b"2", b"b", None, None, b"3"], None),
    ],
    ids=str,
)
def test_no_row_is_called_by_the_id_of_another(ids, expected, monkeypatch):
    monkeypatch.setattr("neardup._frames.Ids._SLICE", 2)
    rows = [{"id": id, "text": f"{OTHER} {row}" if row != 2 else FERRY_EDITED} for row, id in enumerate(ids)]
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        result = neardup.dedup([*rows[:1], {"id": ids[1], "text": FERRY}, *rows[2:3]] + [{"id": id, "text": None} for id in ids[3:]])
    of_ids = [each for each in heard if "have no id" in str(each.message)]
    is_told = expected not in ("2", None)
    assert [(each.category, each.filename) for each in of_ids] == [(neardup.DedupWarning, __file__)] * is_told
    assert not is_told or f"as row 2 is {expected!r}" in str(of_ids[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [row["id"] for row in result.duplicates] == [expected] and result.clusters[0]["members"] == [ids[1], expected]


NAMED_BY_OTHERS = [{"id": "1", "text": FERRY}, {"id": None, "text": FERRY_EDITED}, {"id": "0", "text": None}]


def test_warnings_of_ids_come_with_the_result():
    """So that nothing that is asked of it raises where warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(neardup.DedupWarning, match="as row 1 is 'row 1'") as told:
            neardup.dedup(NAMED_BY_OTHERS[:2])
        result = told.value.result
        assert [row["id"] for row in result.duplicates] == ["row 1"]
        assert "row 1 repeats 1" in str(result.report) and "row 1" in result.report.html
        again = pickle.loads(pickle.dumps(result))
        assert again.clusters == [{"kept": "1", "members": ["1", "row 1"]}]
        with pytest.raises(neardup.DedupWarning, match="as row 1 is 'row 1'") as told:
            neardup.pairs(NAMED_BY_OTHERS[:2], distance=16)
        assert [(row["a"], row["b"]) for row in told.value.result] == [("1", "row 1")]


def test_ids_that_both_sides_of_pairs_lack_are_told_once():
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        found = neardup.pairs([*NAMED_BY_OTHERS[:2], {"id": "x", "text": FERRY}], distance=16)
    assert [(row["a"], row["b"]) for row in found] == [("1", "row 1"), ("1", "x"), ("row 1", "x")]
    assert sum("have no id" in str(each.message) for each in heard) == 1


@pytest.mark.parametrize("against", [False, True])
def test_warnings_of_ids_come_where_ids_are_told(against):
    """Not where all that are missing are of rows that nothing is like; of both tables, and of what is kept."""
    alone = [*NAMED_BY_OTHERS[:1], {"id": None, "text": OTHER}, {"id": "x", "text": FERRY_EDITED}]
    repeated = [{"id": "1", "text": OTHER}, {"id": None, "text": FERRY}, {"id": "x", "text": FERRY_EDITED}]
    for rows, is_told in ((alone, False), (repeated, True)):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            result = neardup.dedup([{"id": "y", "text": FERRY}], against=rows) if against else neardup.dedup(rows)
        assert any("have no id" in str(each.message) for each in heard) == is_told
        assert result.duplicates[0]["duplicate_of"] == ("row 1" if is_told else "1")


def tables_of(ids):
    """Returns tables of each library with a column of `ids` and texts that are all near each other."""
    columns = {"id": ids, "text": [FERRY, FERRY_EDITED, FERRY]}
    pandas, polars, pyarrow, datasets = map(pytest.importorskip, ("pandas", "polars", "pyarrow", "datasets"))
    table = pyarrow.table(columns)
    arrow = pandas.DataFrame({name: pandas.Series(table[name], dtype=pandas.ArrowDtype(table[name].type)) for name in columns})
    return [pandas.DataFrame(columns), arrow, polars.DataFrame(columns), table, datasets.Dataset.from_dict(columns)]


@pytest.mark.parametrize("ids", [["1", None, "x"], [1, None, 7], [1.0, float("nan"), 7.0]], ids=str)
def test_warnings_of_ids_of_tables_come_with_the_result(ids):
    for table in tables_of(ids):
        with pytest.warns(neardup.DedupWarning, match="as row 1 is "):
            neardup.dedup(table)


@pytest.mark.parametrize("ids", [["1", "2", "x"], [1, 2, 7]], ids=str)
def test_no_id_is_looked_at_where_none_is_missing(ids, monkeypatch):
    for table in tables_of(ids)[:4]:
        with monkeypatch.context() as patch:
            patch.setattr("neardup._frames.Ids._slices", lambda *_: pytest.fail("ids were looked at"))
            assert neardup.dedup(table).counts["kept"] == 1


def test_ids_are_looked_at_in_slices(monkeypatch):
    """No column comes whole into Python, however many rows have no id."""
    from neardup._frames import DictFrame, Ids

    asked = []
    values = DictFrame.values
    monkeypatch.setattr(DictFrame, "values", lambda self, name, rows: asked.append(len(rows)) or values(self, name, rows))
    monkeypatch.setattr(Ids, "_SLICE", 100)
    ids = Ids(DictFrame([{"id": None}] * 950 + [{"id": "a"}]), "id")
    assert ids.of([3, 950]) == ["3", "a"] and max(asked) <= 100 and sum(asked) > 950


def test_tables_of_which_one_has_no_ids():
    """What pandas.concat makes of them; the command line keeps all of them, too."""
    pandas = pytest.importorskip("pandas")
    table = pandas.concat([pandas.DataFrame({"id": ["1"], "text": [FERRY]}), pandas.DataFrame({"text": [OTHER, FERRY_EDITED]})])
    with pytest.warns(neardup.DedupWarning, match="as row 1 is 'row 1'"):
        result = neardup.dedup(table)
    assert result.counts == {"read": 3, "kept": 2, "exact": 0, "near": 1, "rejected": 0}
    assert result.duplicates.to_dict("records")[0]["id"] == "row 2"


@pytest.mark.parametrize("value", [7, 1.5, ["a"], object()], ids=str)
def test_wrong_type_names_its_row(value):
    with pytest.raises(TypeError, match="row 2"):
        neardup.dedup([FERRY, OTHER, value])
    with pytest.raises(TypeError, match="row 1"):
        neardup.dedup([{"text": FERRY}, {"text": value}])


def test_a_row_that_is_no_dict_is_named():
    with pytest.raises(TypeError, match="row 1"):
        neardup.dedup([{"text": FERRY}, FERRY])
    with pytest.raises(TypeError, match="row 1"):
        neardup.dedup([FERRY, {"text": FERRY}])


@pytest.mark.parametrize("data", [7, None, {"text": FERRY}, object(), iter([FERRY])], ids=lambda data: type(data).__name__)
def test_what_cannot_be_read(data):
    with pytest.raises(TypeError, match="cannot read"):
        neardup.dedup(data)


def test_a_column_that_is_not_there():
    with pytest.raises(neardup.InvalidArgument, match="no column 'body'; there are: text"):
        neardup.dedup([{"text": FERRY}], text="body")
    with pytest.raises(neardup.InvalidArgument, match="'url'"):
        neardup.dedup([{"text": FERRY}], id="url")


def test_a_key_of_late_rows_is_a_column():
    rows = [{"text": FERRY}] * 1200 + [{"text": OTHER, "late": "x"}]
    result = neardup.dedup(rows, id="late")
    assert result.rejected == [] and [row["id"] for row in result.duplicates] == [str(row) for row in range(1, 1200)]


def test_long_texts_are_read_whole():
    assert neardup.dedup(["word " * 4_000_000]).counts["kept"] == 1


def test_texts_that_are_not_ascii_are_not_all_copied():
    """40 MB of UTF-8: what is made of them goes with the batch that reads them."""
    code = """
import neardup

def memory_mb(field):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024

page = "\\u0433\\u0430\\u0432\\u0430\\u043d\\u044c " * 8000
texts = [f"{i} {page}" for i in range(400)]
assert sum(len(text.encode()) for text in texts) > 40_000_000
neardup.fingerprint(texts[:50])
before = memory_mb("VmHWM")
assert neardup.fingerprint(texts).shape == (400, 2)
assert memory_mb("VmHWM") - before < 25, memory_mb("VmHWM") - before
"""
    subprocess.run([sys.executable, "-c", code], check=True)

"""pandas: the frame comes back with its columns, order, dtypes and index."""
import subprocess
import sys

import neardup
import numpy
import pytest
from conftest import TEXTS

pandas = pytest.importorskip("pandas")

DTYPES = ["object", "string", "str", "string[python]", "string[pyarrow]", "category"]


def frame(**columns):
    return pandas.DataFrame({"id": ["a", "b", "c", "d"], "text": TEXTS, "more": [1.5, 2.5, 3.5, 4.5], **columns})


def test_frame():
    df = frame()
    result = neardup.dedup(df)
    pandas.testing.assert_frame_equal(result.kept, df.iloc[:2])
    assert list(result.duplicates.columns) == ["id", "duplicate_of", "kind", "distance", "similarity"]
    assert result.duplicates.duplicate_of.tolist() == ["a", "a"]
    pandas.testing.assert_frame_equal(df[result.mask], result.kept)


@pytest.mark.parametrize("index", [["x", "x", "x", "x"], [7, 7, 1, 1], [3, 2, 1, 0]], ids=str)
def test_any_index(index):
    df = frame().set_axis(index)
    pandas.testing.assert_frame_equal(neardup.dedup(df, id="id").kept, df.iloc[:2])


def test_multi_index():
    df = frame().set_index(["id", "more"])
    pandas.testing.assert_frame_equal(neardup.dedup(df).kept, df.iloc[:2])


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    df = frame(text=pandas.Series(TEXTS).astype(dtype))
    result = neardup.dedup(df)
    pandas.testing.assert_frame_equal(result.kept, df.iloc[:2])
    assert result.duplicates.id.tolist() == ["c", "d"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_text(dtype):
    df = frame(text=pandas.Series([TEXTS[0], None, TEXTS[2], TEXTS[1]]).astype(dtype))
    result = neardup.dedup(df)
    assert result.rejected == [1] and result.kept.id.tolist() == ["a", "d"]


@pytest.mark.parametrize("nothing", [None, numpy.nan, pandas.NA, pandas.NaT], ids=str)
def test_object_columns_with_nothing(nothing):
    df = frame(text=pandas.Series([TEXTS[0], nothing, TEXTS[2], TEXTS[1]], dtype=object))
    assert neardup.dedup(df).rejected == [1]
    df = frame(id=pandas.Series(["a", "b", nothing, "d"], dtype=object))
    result = neardup.dedup(df)
    assert result.rejected == [] and "2" in [*result.duplicates["id"], *result.duplicates["duplicate_of"]]


def test_arrow_dtype():
    pyarrow = pytest.importorskip("pyarrow")
    for dtype in (pyarrow.string(), pyarrow.large_string()):
        df = frame(text=pandas.Series([TEXTS[0], None, TEXTS[2], TEXTS[1]], dtype=pandas.ArrowDtype(dtype)))
        result = neardup.dedup(df)
        assert result.rejected == [1] and result.kept.id.tolist() == ["a", "d"]


def test_sliced():
    df = pandas.concat([frame(), frame()])
    for dtype in DTYPES:
        part = df.astype({"text": dtype}).iloc[3:7:1]
        pandas.testing.assert_frame_equal(neardup.dedup(part).kept, part.iloc[[0, 2]])
        assert neardup.dedup(df.astype({"text": dtype}).iloc[::-2]).counts["read"] == 4


@pytest.mark.parametrize("dtype", DTYPES)
def test_series(dtype):
    series = pandas.Series(TEXTS, index=[5, 5, 6, 7], name="t").astype(dtype)
    result = neardup.dedup(series)
    pandas.testing.assert_series_equal(result.kept, series.iloc[:2])
    assert result.duplicates.id.tolist() == [2, 3]


def test_numbers_as_ids():
    assert neardup.dedup(frame(id=[10, 11, 12, 13])).duplicates.duplicate_of.tolist() == [10, 10]


def test_wrong_type_names_its_row():
    with pytest.raises(TypeError, match="row 1"):
        neardup.dedup(frame(text=pandas.Series(["a", 7, "b", "c"], dtype=object)))
    with pytest.raises(TypeError, match="row 0"):
        neardup.dedup(frame(text=[1, 2, 3, 4]))


def test_keep_by_a_column():
    assert neardup.dedup(frame(), keep="max:more").kept.id.tolist() == ["b", "d"]
    assert neardup.dedup(frame(src=["x", "x", "y", "x"]), keep="priority:src=y,x").kept.id.tolist() == ["b", "c"]


def test_empty():
    df = frame().iloc[:0]
    result = neardup.dedup(df)
    pandas.testing.assert_frame_equal(result.kept, df)
    assert list(result.duplicates.columns) == ["id", "duplicate_of", "kind", "distance", "similarity"]


def test_two_columns_of_one_name_are_refused():
    df = pandas.DataFrame([["a", "b"]], columns=["text", "text"])
    with pytest.raises(neardup.InvalidArgument, match="twice"):
        neardup.dedup(df)


def test_against_another_library():
    polars = pytest.importorskip("polars")
    result = neardup.dedup(frame(), against=polars.DataFrame({"id": ["z"], "text": [TEXTS[1]]}))
    assert result.duplicates.duplicate_of.tolist() == ["z", "a", "a"]


def test_without_pyarrow():
    code = """
import sys
sys.modules["pyarrow"] = None
import pandas
import neardup
for dtype in ("str", "object", "string"):
    frame = pandas.DataFrame({"text": pandas.Series(["a b c d e f", None, "a b c d e f"], dtype=dtype)})
    assert neardup.dedup(frame).mask.tolist() == [True, False, False]
"""
    subprocess.run([sys.executable, "-c", code], check=True)

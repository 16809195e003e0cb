"""polars, which sends string_view."""
import neardup
import pytest
from conftest import TEXTS

polars = pytest.importorskip("polars")
from polars.testing import assert_frame_equal, assert_series_equal  # noqa: E402


def frame(**columns):
    return polars.DataFrame({"id": ["a", "b", "c", "d"], "text": TEXTS, "more": [[1], [2], None, [4]], **columns})


@pytest.mark.parametrize("dtype", [polars.String, polars.Categorical, polars.Binary])
def test_frame(dtype):
    df = frame().cast({"text": dtype})
    result = neardup.dedup(df)
    assert_frame_equal(result.kept, df[:2])
    assert result.duplicates["duplicate_of"].to_list() == ["a", "a"]
    assert_frame_equal(df.filter(result.mask), result.kept)


def test_no_text_and_no_id():
    result = neardup.dedup(frame(text=[TEXTS[0], None, TEXTS[2], TEXTS[1]], id=["a", "b", None, "d"]))
    assert result.rejected == [1] and result.kept["id"].to_list() == ["a", "d"]
    assert result.duplicates["id"].to_list() == ["2"]


def test_all_null():
    assert neardup.dedup(frame(text=[None] * 4)).counts["rejected"] == 4


def test_sliced_and_of_many_chunks():
    df = polars.concat([frame(), frame(), frame()], rechunk=False)
    assert df.n_chunks() > 1
    part = df[3:9]
    assert_frame_equal(neardup.dedup(part).kept, part[[0, 2]])


def test_series():
    series = polars.Series("t", TEXTS)
    result = neardup.dedup(series)
    assert_series_equal(result.kept, series[:2])
    assert result.duplicates["id"].to_list() == [2, 3]


def test_empty():
    result = neardup.dedup(frame()[:0])
    assert result.kept.height == 0 and result.duplicates.columns == ["id", "duplicate_of", "kind", "distance", "similarity"]


def test_numbers_are_no_texts():
    with pytest.raises(TypeError, match="holds no texts"):
        neardup.dedup(frame(), text="more")


def test_a_lazy_frame_holds_no_rows():
    with pytest.raises(TypeError, match="collect"):
        neardup.dedup(frame().lazy())


def test_keep_by_a_column():
    assert neardup.dedup(frame(rank=[1, 2, 3, 4]), keep="max:rank").kept["id"].to_list() == ["b", "d"]

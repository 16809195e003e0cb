"""datasets.Dataset, whose rows lie behind indices after filter() and shuffle()."""
import neardup
import pytest
from conftest import TEXTS

datasets = pytest.importorskip("datasets")


def dataset():
    return datasets.Dataset.from_dict({"id": list("abcdef"), "text": ["short one", *TEXTS, None], "more": list(range(6))})


def test_whole():
    result = neardup.dedup(dataset())
    assert isinstance(result.kept, datasets.Dataset) and result.kept["id"][:] == ["a", "b", "c"]
    assert result.rejected == [5]
    assert result.duplicates["id"][:] == ["d", "e"] and result.duplicates["duplicate_of"][:] == ["b", "b"]


def test_after_filter():
    part = dataset().filter(lambda row: row["more"] in (2, 3, 4))
    result = neardup.dedup(part)
    assert result.kept["id"][:] == ["c", "d"] and result.duplicates["duplicate_of"][:] == ["d"]


@pytest.mark.parametrize("seed", range(5))
def test_after_shuffle(seed):
    part = dataset().shuffle(seed=seed).select(range(1, 6))
    result = neardup.dedup(part)
    order = part["id"][:]
    alike = [id for id in order if id in "bde"]
    assert result.kept["id"][:] == [id for id in order if id not in "f" and id not in alike[1:]]
    assert result.duplicates["id"][:] == alike[1:]


def test_sorted_and_keep_by_a_column():
    part = dataset().sort("more", reverse=True)
    assert neardup.dedup(part, keep="max:more").kept["id"][:] == ["e", "c", "a"]


def test_a_format_stays():
    part = dataset().with_format("numpy", columns=["id", "more"])
    result = neardup.dedup(part)
    assert result.kept.format["type"] == "numpy"
    assert sorted(result.kept.with_format(None)["id"][:]) == ["a", "b", "c"]


def test_empty():
    result = neardup.dedup(dataset().select([]))
    assert len(result.kept) == 0 and len(result.duplicates) == 0

"""pyarrow: every type that holds texts, in every form that arrays come in."""
import neardup
import pytest
from conftest import FERRY, FERRY_EDITED, OTHER, TEXTS
from neardup import _native

pyarrow = pytest.importorskip("pyarrow")

TYPES = [
    pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(), pyarrow.binary(), pyarrow.large_binary(),
    pyarrow.binary_view(), pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
    pyarrow.dictionary(pyarrow.uint32(), pyarrow.large_string()),
]  # fmt: skip


def array_of(values, kind):
    """Returns an array of a type, for which pyarrow has no cast in some cases."""
    plain = kind.value_type if pyarrow.types.is_dictionary(kind) else kind
    is_binary = "binary" in str(plain)
    array = pyarrow.array([value.encode() if is_binary and value else value for value in values], plain)
    if not pyarrow.types.is_dictionary(kind):
        return array
    places = [None if value is None else place for place, value in enumerate(values)]
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(places, kind.index_type), array)


def table_of(texts, **columns):
    return pyarrow.table({"id": list("abcd"), "text": texts, "more": [{"x": 1}, None, {"x": 3}, {"x": 4}], **columns})


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_types(kind):
    table = table_of(array_of(TEXTS, kind)).replace_schema_metadata({"a": "b"})
    result = neardup.dedup(table)
    assert result.kept.equals(table.slice(0, 2), check_metadata=True)
    assert result.duplicates.to_pylist()[0] == {
        "id": "c", "duplicate_of": "a", "kind": "near",
        "distance": result.duplicates["distance"][0].as_py(), "similarity": result.duplicates["similarity"][0].as_py(),
    }  # fmt: skip
    assert result.mask.tolist() == [True, True, False, False]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_nulls(kind):
    result = neardup.dedup(table_of(array_of([FERRY, None, FERRY_EDITED, OTHER], kind)))
    assert result.rejected == [1] and result.kept["id"].to_pylist() == ["a", "d"]


@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.parametrize("before", [1, 7, 8, 9, 64])
def test_sliced_with_offset_and_validity(kind, before):
    texts = [OTHER, None] * (before // 2) + [OTHER] * (before % 2) + [None, FERRY, FERRY_EDITED, None, OTHER, FERRY]
    part = array_of(texts, kind).slice(before, 5)
    assert part.offset == before or kind in (pyarrow.string_view(),)
    result = neardup.dedup(part)
    assert result.counts == {"read": 5, "kept": 2, "exact": 0, "near": 1, "rejected": 2}
    assert result.rejected == [0, 3] and result.kept.equals(pyarrow.concat_arrays([part[1:2], part[4:5]]))


def test_nulls_in_the_dictionary():
    dictionary = pyarrow.array([FERRY, None, FERRY_EDITED])
    for index in (pyarrow.int8(), pyarrow.uint16(), pyarrow.int64()):
        texts = pyarrow.DictionaryArray.from_arrays(pyarrow.array([1, 0, None, 2, 1], index), dictionary)
        assert neardup.dedup(texts).rejected == [0, 2, 4]
        assert neardup.dedup(texts.slice(1, 3)).rejected == [1]
        table = pyarrow.table({"id": texts, "text": [OTHER, FERRY, OTHER, OTHER, FERRY]})
        assert neardup.dedup(table).rejected == []  # the numbers of the rows stand in for their ids


def test_a_dictionary_that_is_sliced():
    dictionary = pyarrow.array(["x", "y", FERRY, FERRY_EDITED, OTHER]).slice(2)
    texts = pyarrow.DictionaryArray.from_arrays(pyarrow.array([2, 0, 1]), dictionary)
    assert neardup.dedup(texts).mask.tolist() == [True, True, False]


def test_an_index_beyond_its_dictionary_is_refused():
    texts = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 5]), pyarrow.array([FERRY]), safe=False)
    with pytest.raises(ValueError, match="dictionary index"):
        neardup.dedup(texts)


def test_chunked():
    texts = pyarrow.chunked_array([[], TEXTS[:1], TEXTS[1:3], [], [None, TEXTS[3]]], pyarrow.string())
    result = neardup.dedup(texts)
    assert result.rejected == [3] and result.kept.to_pylist() == TEXTS[:2]
    table = pyarrow.concat_tables([table_of(TEXTS), table_of(TEXTS)])
    assert neardup.dedup(table).kept.equals(table.slice(0, 2))


def test_dictionaries_that_differ_between_chunks():
    chunks = [pyarrow.array([text, OTHER]).dictionary_encode() for text in (FERRY, FERRY_EDITED)]
    assert neardup.dedup(pyarrow.chunked_array(chunks)).mask.tolist() == [True, True, False, False]


def test_zero_chunks_and_zero_rows():
    for nothing in (
        pyarrow.chunked_array([], pyarrow.string()), pyarrow.array([], pyarrow.string_view()), table_of(TEXTS).slice(4),
        pyarrow.schema({"id": pyarrow.string(), "text": pyarrow.string()}).empty_table(),
    ):  # fmt: skip
        result = neardup.dedup(nothing)
        assert len(result.kept) == 0 and result.duplicates.num_rows == 0 and result.kept.equals(nothing)


def test_all_null():
    assert neardup.dedup(pyarrow.nulls(3)).counts["rejected"] == 3
    assert neardup.dedup(pyarrow.nulls(3, pyarrow.string())).counts["rejected"] == 3


def test_record_batch():
    batch = table_of(TEXTS).to_batches()[0]
    result = neardup.dedup(batch.slice(0, 3))
    assert isinstance(result.kept, pyarrow.RecordBatch) and result.kept.equals(batch.slice(0, 2))


class Stream:
    """What has __arrow_c_stream__ and nothing else."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def test_a_bare_stream():
    table = table_of(TEXTS)
    assert neardup.dedup(Stream(table)).kept.equals(table.slice(0, 2))
    assert neardup.dedup(table.to_reader()).kept.equals(table.slice(0, 2))


@pytest.mark.parametrize("values", [[1, 2], [1.5], [["a"]], [{"a": "b"}], [True]], ids=str)
def test_other_types_are_no_texts(values):
    with pytest.raises(TypeError, match="holds no texts"):
        neardup.dedup(pyarrow.array(values))


def test_dictionaries_of_other_types_are_no_texts():
    with pytest.raises(TypeError, match="holds no texts"):
        neardup.dedup(pyarrow.array([1, 1, 2]).dictionary_encode())


@pytest.mark.parametrize(
    "ids", [[1, None, 3, 4], [[1], None, [], [4]], [{"a": 1}, None, {"a": None}, {"a": 2}], [True, None, False, True]], ids=str
)
def test_ids_of_any_type(ids):
    result = neardup.dedup(table_of(TEXTS, id=ids))
    assert result.rejected == []
    assert result.duplicates["duplicate_of"].to_pylist() == [ids[0], ids[0]]


def test_keep_by_a_column():
    table = table_of(TEXTS, rank=pyarrow.array([1, 2, 3, 4], pyarrow.int16()))
    assert neardup.dedup(table, keep="max:rank").kept["id"].to_pylist() == ["b", "d"]


def test_the_column_has_no_copy():
    before = pyarrow.total_allocated_bytes()
    texts = pyarrow.array([FERRY * 100] * 1000)
    size = pyarrow.total_allocated_bytes() - before
    column = _native.column_of_arrow(texts)
    assert len(column) == 1000 and pyarrow.total_allocated_bytes() - before < size + 4096
    del texts
    assert pyarrow.total_allocated_bytes() - before >= size  # the column keeps them
    del column
    assert pyarrow.total_allocated_bytes() - before < 4096

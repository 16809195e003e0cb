"""What Spark's tasks do with their Arrow batches: every class here is handed to mapInArrow.

Batches come in and go out as pyarrow's; the native part reads their buffers in place. Objects are sent to the tasks
pickled, so they hold words and numbers alone; what takes long to make is made once in a process.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pyspark.sql.types import BinaryType, IntegerType, LongType

from neardup import _native
from neardup._options import matching_of
from neardup._recipe import Recipe
from neardup._spark_sent import Sent

#: Texts of more than so many bytes are worked on in several pieces, as no column of a batch may reach 2 GB.
_PIECE_BYTES = 128 << 20


@dataclass(frozen=True)
class Matching:
    """What makes two texts duplicates, as words; idf and commonness as files that were sent."""

    recipe: Recipe
    family: str
    verify: str
    distance: int | None
    idf: Sent | None
    commonness: Sent | None
    memory: int

    def load(self, make: Any) -> Any:
        """Returns make(native matching, memory), which reads the files."""
        with ExitStack() as files:
            paths = [sent and files.enter_context(sent.as_file()) for sent in (self.idf, self.commonness)]
            return make(matching_of(self.recipe, self.family, self.verify, self.distance, *paths), self.memory)


# One each: a process of Python outlives its tasks, and holds them until another call needs its own.


@lru_cache(maxsize=1)
def _texts(matching: Matching) -> _native.SparkTexts:
    return matching.load(_native.SparkTexts)


@lru_cache(maxsize=1)
def _judge(matching: Matching) -> _native.SparkJudge:
    return matching.load(_native.SparkJudge)


@lru_cache(maxsize=1)
def _shared_keys(counts: Sent | None) -> _native.SparkSharedKeys:
    if counts is None:
        return _native.SparkSharedKeys("")
    with counts.as_file() as path:
        return _native.SparkSharedKeys(path)


_CODES = {"int64": "q", "int32": "i", "int8": "b", "double": "d"}


def _numbers(column: Any) -> memoryview:
    """Returns the numbers of a column without nulls, in the memory of Arrow."""
    width = column.type.bit_width // 8
    data = memoryview(column.buffers()[1])
    return data[column.offset * width : (column.offset + len(column)) * width].cast(_CODES[str(column.type)])


def _number_array(type: Any, data: bytes) -> Any:
    import pyarrow

    return pyarrow.Array.from_buffers(type, len(data) * 8 // type.bit_width, [None, pyarrow.py_buffer(data)])


def _int64(data: bytes) -> Any:
    import pyarrow

    return _number_array(pyarrow.int64(), data)


def _binary(columns: tuple[bytes, bytes]) -> Any:
    import pyarrow

    offsets, data = map(pyarrow.py_buffer, columns)
    return pyarrow.Array.from_buffers(pyarrow.binary(), offsets.size // 4 - 1, [None, offsets, data])


def _lists(columns: tuple[bytes, bytes]) -> Any:
    import pyarrow

    offsets, values = columns
    return pyarrow.ListArray.from_arrays(_number_array(pyarrow.int32(), offsets), _int64(values))


def _batch(**columns: Any) -> Any:
    import pyarrow

    return pyarrow.RecordBatch.from_arrays(list(columns.values()), names=list(columns))


def _native_column(column: Any) -> _native.Column:
    return _native.column_of_arrow(column)


class MakeRows:
    """Texts become what is compared. in: rank, id, text; out: SCHEMA, with the id as it is."""

    SCHEMA = {
        "high": LongType(), "low": LongType(), "num_tokens": IntegerType(), "signature": BinaryType(),
        "keys": BinaryType(), "families": BinaryType(), "body": BinaryType(),
    }

    def __init__(self, matching: Matching):
        self._matching = matching

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            for piece in _pieces(batch):
                yield self._make(piece)

    def _make(self, batch: Any) -> Any:
        import pyarrow

        made = _texts(self._matching).make(_native_column(batch.column("text")))
        return _batch(
            rank=batch.column("rank"),
            id=batch.column("id"),
            high=_int64(made["high"]),
            low=_int64(made["low"]),
            num_tokens=_number_array(pyarrow.int32(), made["num_tokens"]),
            signature=_binary(made["signature"]),
            keys=_binary(made["keys"]),
            families=_binary(made["families"]),
            body=_binary(made["body"]),
        )


def _pieces(batch: Any) -> Iterator[Any]:
    if batch.num_rows == 0:
        return
    rows = max(1, batch.num_rows * _PIECE_BYTES // max(batch.nbytes, _PIECE_BYTES))
    for first in range(0, batch.num_rows, rows):
        yield batch.slice(first, rows)


class CountKeys:
    """Documents become counts of their keys. in: keys, families; out: CountNgrams.SCHEMA."""

    def __init__(self, num_counters: int):
        self._num_counters = num_counters

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        counts = _native.SparkKeyCounts(self._num_counters)
        for batch in batches:
            if batch.num_rows > 0:
                columns = (_native_column(batch.column(name)) for name in ("keys", "families"))
                yield from _counted(counts.add(*columns, False))
        empty = _native.column_of_list([])
        yield from _counted(counts.add(empty, empty, True))


class KeepShared:
    """Of keys those are left that several documents have, and few others. in: rank, keys; out: SCHEMA."""

    SCHEMA = "rank long, keys array<long>"

    def __init__(self, counts: Sent | None):
        self._counts = counts

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            if batch.num_rows > 0:
                shared = _shared_keys(self._counts).keep(_native_column(batch.column("keys")))
                yield _batch(rank=batch.column("rank"), keys=_lists(shared))


class ListPairs:
    """Buckets become pairs. in: bucket, rank, state, sorted by bucket and rank; out: SCHEMA.

    kind PAIR: a is better, b worse; UNSEEN: b was not paired with a and those behind it; LEFT: the rank b stays in
    bucket a with its state, for a round with a greater limit.
    """

    SCHEMA = "kind tinyint, a long, b long, state tinyint"
    PAIR, UNSEEN, LEFT = range(3)

    def __init__(self, limit: int):
        self._limit = limit

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        buckets = _native.SparkBuckets(self._limit)
        for batch in batches:
            if batch.num_rows > 0:
                yield from self._list(buckets, batch)

    def _list(self, buckets: _native.SparkBuckets, batch: Any) -> Iterator[Any]:
        columns = [_numbers(batch.column(name)) for name in ("bucket", "rank", "state")]
        row, has_more = 0, True
        while has_more:
            row, has_more, pairs, unseen, left = buckets.next(*columns, row)
            for kind, found in ((self.PAIR, pairs), (self.UNSEEN, unseen), (self.LEFT, left)):
                if found[0]:
                    yield _found(kind, *found)


def _found(kind: int, a: bytes, b: bytes, state: bytes | None = None) -> Any:
    import pyarrow

    size = len(a) // 8
    tiny = pyarrow.int8()
    return _batch(
        kind=_number_array(tiny, bytes([kind]) * size), a=_int64(a), b=_int64(b),
        state=_number_array(tiny, bytes(size) if state is None else state),
    )


class ComparePairs:
    """Candidates become similar pairs. in: better, worse, and what of both is compared; out: SCHEMA."""

    SCHEMA = "better long, worse long, similarity double, distance int"

    def __init__(self, matching: Matching):
        self._matching = matching

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            if batch.num_rows > 0:
                yield _similar(self._compare(*_two_sides(batch)))

    def _compare(self, *sides: Any) -> tuple[bytes, ...]:
        return _judge(self._matching).compare(*sides)


class CompareFamilies(ComparePairs):
    """The same of texts of one family."""

    def _compare(self, *sides: Any) -> tuple[bytes, ...]:
        return _native.family_pairs(*sides)


def _two_sides(batch: Any) -> tuple:
    numbers = (_numbers(batch.column(name)) for name in ("better", "worse"))
    return *numbers, *(_native_column(batch.column(name)) for name in ("better_side", "worse_side"))


def _similar(columns: tuple[bytes, ...]) -> Any:
    import pyarrow

    better, worse, similarity, distance = columns
    return _batch(
        better=_int64(better), worse=_int64(worse), similarity=_number_array(pyarrow.float64(), similarity),
        distance=_number_array(pyarrow.int32(), distance),
    )


class MakeStars:
    """Similar pairs become fates. in: better, worse, unseen, similarity, distance, sorted by worse, better, unseen, in
    one partition; out: SCHEMA. What is not there is kept."""

    SCHEMA = "rank long, kind tinyint, kept long, similarity double, distance int"
    REMOVED, FOLLOWER, UNDECIDED = range(3)

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        stars = _native.StarStream()
        names = ("better", "worse", "unseen", "similarity", "distance")
        for batch in batches:
            if batch.num_rows > 0:
                yield _fates(stars.add(*(_numbers(batch.column(name)) for name in names)))
        yield _fates(stars.finish())


def _fates(columns: tuple[bytes, ...]) -> Any:
    import pyarrow

    rank, kind, kept, similarity, distance = columns
    return _batch(
        rank=_int64(rank), kind=_number_array(pyarrow.int8(), kind), kept=_int64(kept),
        similarity=_number_array(pyarrow.float64(), similarity), distance=_number_array(pyarrow.int32(), distance),
    )


class CountNgrams:
    """Texts become counts of their n-grams. in: body; out: SCHEMA: pieces of the counts of each section, and with the
    section TOTALS the numbers of texts and n-grams."""

    SCHEMA = "section int, piece binary, texts long, ngrams long"
    TOTALS = -1

    def __init__(self, num_counters: int):
        self._num_counters = num_counters

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        counts = _native.SparkCounts(self._num_counters)
        for batch in batches:
            if batch.num_rows > 0:
                yield from _counted(counts.add(_native_column(batch.column("body")), False))
        yield from _counted(counts.add(_native.column_of_list([]), True))
        yield from _counted([(self.TOTALS, b"")], counts.num_texts, counts.num_ngrams)


def _counted(pieces: list[tuple[int, bytes]], texts: int = 0, ngrams: int = 0) -> Iterator[Any]:
    import pyarrow

    for section, piece in pieces:
        yield _batch(
            section=pyarrow.array([section], pyarrow.int32()), piece=pyarrow.array([piece], pyarrow.binary()),
            texts=pyarrow.array([texts], pyarrow.int64()), ngrams=pyarrow.array([ngrams], pyarrow.int64()),
        )


class AddCounts:
    """Pieces are added up. in: section, piece, sorted by section; out: SCHEMA: the counters of whole sections."""

    SCHEMA = "section int, counters binary"

    def __init__(self, num_counters: int):
        self._num_counters = num_counters

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        section, counters = None, None
        for batch in batches:
            for number, piece in zip(batch.column("section").to_pylist(), batch.column("piece").to_pylist()):
                if number != section:
                    yield from self._section(section, counters)
                    section, counters = number, _native.CommonnessSection(self._num_counters)
                counters.add(piece)
        yield from self._section(section, counters)

    def _section(self, section: int | None, counters: Any) -> Iterator[Any]:
        import pyarrow

        if counters is not None:
            yield _batch(
                section=pyarrow.array([section], pyarrow.int32()),
                counters=pyarrow.array([counters.counters()], pyarrow.binary()),
            )

"""What Spark's tasks do with their Arrow batches: every class here is handed to mapInArrow.

Batches come in and go out as pyarrow's; the native part reads their buffers in place. Objects are sent to the tasks
pickled, so they hold words and numbers alone; what takes long to make is made once in a process.
"""

from __future__ import annotations

import array
import functools
import itertools
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from pyspark.sql.types import BinaryType, IntegerType, LongType

from neardup import _native
from neardup._options import matching_of
from neardup._recipe import Recipe
from neardup._spark_arrow import batch_of, binary_of, int32_of, int64_of, native_column, number_array, numbers_of, value_of
from neardup._spark_sent import Sent
from neardup._spark_worker import forget_archives

#: Texts of about so many bytes become a block, which Spark moves as one value.
_PIECE_BYTES = 512 << 10


@dataclass(frozen=True)
class Words:
    """What makes two texts duplicates, but for files."""

    recipe: Recipe
    family: str
    verify: str
    distance: int | None
    templates: bool

    def native(self, idf: Any, commonness: Any) -> _native.Matching:
        """Returns them as the native part takes them, with the paths of files, or None."""
        return matching_of(
            self.recipe, self.family, self.verify, self.distance, idf, commonness, templates=self.templates
        )


@dataclass(frozen=True)
class Matching:
    """What makes two texts duplicates; idf and commonness as files that were sent."""

    words: Words
    idf: Sent | None
    commonness: Sent | None
    memory: int

    def load(self, make: Any) -> Any:
        """Returns make(native matching, memory), which reads the files."""
        with ExitStack() as files:
            paths = [sent and files.enter_context(sent.as_file()) for sent in (self.idf, self.commonness)]
            return make(self.words.native(*paths), self.memory)


# One each: a process of Python outlives its tasks, and holds them until another call needs its own.


@functools.lru_cache(maxsize=1)
def _texts(matching: Matching) -> _native.SparkTexts:
    return matching.load(_native.SparkTexts)


@functools.lru_cache(maxsize=1)
def _sketches(matching: Matching, keys: int) -> _native.SparkSketches:
    return matching.load(lambda *words: _native.SparkSketches(*words, keys))


@functools.lru_cache(maxsize=1)
def _judge(matching: Matching) -> _native.SparkJudge:
    return matching.load(_native.SparkJudge)


_ints, _longs = functools.partial(array.array, "i"), functools.partial(array.array, "q")


class Task:
    """What is handed to mapInArrow."""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        try:
            yield from self.run(batches)
        finally:
            forget_archives()

    def run(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yields batches for those that come in."""
        raise NotImplementedError


class MakeRows(Task):
    """Texts become what is compared. in: id, text, and what else stays as it is; out: these but `text`, and SCHEMA.

    A document is a row: its checksum, its sketch as `data`. Behind so many bytes of texts comes a row of their block,
    with `row` BLOCK, whose `data` is the bodies; documents name it, and their place in it.
    """

    SCHEMA = {
        "high": LongType(), "low": LongType(), "num_tokens": IntegerType(), "block": LongType(), "row": IntegerType(),
        "data": BinaryType(),
    }
    BLOCK = -1

    def __init__(self, matching: Matching):
        self._matching = matching

    def run(self, batches: Iterable[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        blocks = itertools.count((context.partitionId() if context else 0) << 33)
        for batch in batches:
            for piece in _pieces(batch):
                yield from self._make(piece, next(blocks))

    def _make(self, batch: Any, block: int) -> Iterator[Any]:
        import pyarrow

        made = _texts(self._matching).make(native_column(batch.column("text")))
        size, long, int32 = batch.num_rows, pyarrow.int64(), pyarrow.int32()
        others = {name: batch.column(name) for name in batch.schema.names if name != "text"}
        yield batch_of(
            **others,
            high=int64_of(made["high"]),
            low=int64_of(made["low"]),
            num_tokens=int32_of(made["num_tokens"]),
            block=int64_of(_longs([block]) * size),
            row=int32_of(_ints(range(size))),
            data=binary_of(made["sketch"]),
        )
        none = {name: pyarrow.nulls(1, column.type) for name, column in others.items()}
        empty = {"high": pyarrow.nulls(1, long), "low": pyarrow.nulls(1, long), "num_tokens": pyarrow.nulls(1, int32)}
        number, row = int64_of(_longs([block])), int32_of(_ints([self.BLOCK]))
        yield batch_of(**none, **empty, block=number, row=row, data=binary_of(made["block"]))


def _pieces(batch: Any) -> Iterator[Any]:
    if batch.num_rows == 0:
        return
    rows = max(1, batch.num_rows * _PIECE_BYTES // max(batch.nbytes, _PIECE_BYTES))
    for first in range(0, batch.num_rows, rows):
        yield batch.slice(first, rows)


class CutKeys(Task):
    """Documents become pieces of the parts that their keys are in. in: rank, data, their sketches; out: SCHEMA.

    So keys cross Spark in blocks, and are sorted by the native part: of most there is one.
    """

    SCHEMA = "part int, piece binary"
    CANDIDATES, FAMILIES, BOTH = range(3)  # whose keys

    def __init__(self, matching: Matching, keys: int, part_bits: int):
        self._words, self._part_bits = (matching, keys), part_bits

    def run(self, batches: Iterable[Any]) -> Iterator[Any]:
        parts = _native.SparkKeyParts(self._part_bits)
        for batch in batches:
            if batch.num_rows > 0:
                ranks, column = numbers_of(batch.column("rank")), native_column(batch.column("data"))
                yield from _cut(parts.add(_sketches(*self._words), ranks, column))
        yield from _cut(parts.take())


def _cut(pieces: list[tuple[int, bytes]]) -> Iterator[Any]:
    for part, piece in pieces:
        yield batch_of(part=int32_of(_ints([part])), piece=value_of(piece))


class ListKeys(Task):
    """Parts become pairs of the documents that share a key. in: part, piece, in order of the parts; out:
    ListPairs.SCHEMA. Memory: 16 bytes for each key of one part."""

    def __init__(self, limit: int):
        self._limit = limit

    def run(self, batches: Iterable[Any]) -> Iterator[Any]:
        buckets, part = _native.SparkKeyBuckets(self._limit), None
        for batch in batches:
            for number, piece in zip(batch.column("part").to_pylist(), batch.column("piece")):
                if number != part:
                    yield from self._list(buckets)
                    part = number
                buckets.add(piece.as_py())
        yield from self._list(buckets)

    def _list(self, buckets: _native.SparkKeyBuckets) -> Iterator[Any]:
        buckets.sort()
        has_more = True
        while has_more:
            has_more, *found = buckets.next()
            yield from _all_found(*found)


class ListPairs(Task):
    """Buckets become pairs. in: bucket, rank, state, sorted by bucket and rank; out: SCHEMA.

    kind PAIR: a is better, b worse; UNSEEN: b was not paired with a and those behind it, and `state` is 1 where that is
    so in a bucket of families; LEFT: the rank b stays in bucket a with its state, for a round with a greater limit.
    Buckets of families are those of odd numbers: each is one of candidates, too.
    """

    SCHEMA = "kind tinyint, a long, b long, state tinyint"
    PAIR, UNSEEN, LEFT = range(3)

    def __init__(self, limit: int):
        self._limit = limit

    def run(self, batches: Iterable[Any]) -> Iterator[Any]:
        buckets = _native.SparkBuckets(self._limit)
        for batch in batches:
            if batch.num_rows > 0:
                yield from self._list(buckets, batch)

    def _list(self, buckets: _native.SparkBuckets, batch: Any) -> Iterator[Any]:
        columns = [numbers_of(batch.column(name)) for name in ("bucket", "rank", "state")]
        row, has_more = 0, True
        while has_more:
            row, has_more, *found = buckets.next(*columns, row)
            yield from _all_found(*found)


def _all_found(pairs: tuple, unseen: tuple, left: tuple) -> Iterator[Any]:
    for kind, found in ((ListPairs.PAIR, pairs), (ListPairs.UNSEEN, unseen), (ListPairs.LEFT, left)):
        if found[0]:
            yield _found(kind, *found)


def _found(kind: int, a: bytes, b: bytes, state: bytes | None = None) -> Any:
    import pyarrow

    size = len(a) // 8
    tiny = pyarrow.int8()
    return batch_of(
        kind=number_array(tiny, bytes([kind]) * size), a=int64_of(a), b=int64_of(b),
        state=number_array(tiny, bytes(size) if state is None else state),
    )


class MeetPairs(Task):
    """Of pairs those are left that meet. in: better, worse, and the sketches of both; out: SCHEMA."""

    SCHEMA = "better long, worse long, meets tinyint"
    FAMILY, CANDIDATES = 1, 2  # bits of `meets`

    def __init__(self, matching: Matching, keys: int):
        self._words = matching, keys

    def run(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            if batch.num_rows > 0:
                _, _, *sides = _two_sides(batch)
                meets = number_array(pyarrow.int8(), _sketches(*self._words).meet(*sides))
                pairs = batch_of(better=batch.column("better"), worse=batch.column("worse"), meets=meets)
                yield pairs.filter(meets.cast(pyarrow.bool_()))


class ComparePairs(Task):
    """Candidates become similar pairs. in: better, worse, and the bodies of both; out: SCHEMA."""

    SCHEMA = "better long, worse long, similarity double, distance int"

    def __init__(self, matching: Matching):
        self._matching = matching

    def run(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            if batch.num_rows > 0:
                yield _similar(_judge(self._matching).compare(*_two_sides(batch)))


def _two_sides(batch: Any) -> tuple:
    numbers = (numbers_of(batch.column(name)) for name in ("better", "worse"))
    return *numbers, *(native_column(batch.column(name)) for name in ("better_side", "worse_side"))


def _similar(columns: tuple[bytes, ...]) -> Any:
    import pyarrow

    better, worse, similarity, distance = columns
    return batch_of(
        better=int64_of(better), worse=int64_of(worse), similarity=number_array(pyarrow.float64(), similarity),
        distance=int32_of(distance),
    )


class MakeStars(Task):
    """Similar pairs become fates. in: better, worse, unseen, similarity, distance, sorted by worse, better, unseen, in
    one partition; out: SCHEMA. What is not there is kept."""

    SCHEMA = "rank long, kind tinyint, kept long, similarity double, distance int"
    REMOVED, FOLLOWER, UNDECIDED = range(3)

    def run(self, batches: Iterable[Any]) -> Iterator[Any]:
        stars = _native.StarStream()
        names = ("better", "worse", "unseen", "similarity", "distance")
        for batch in batches:
            if batch.num_rows > 0:
                yield _fates(stars.add(*(numbers_of(batch.column(name)) for name in names)))
        yield _fates(stars.finish())


def _fates(columns: tuple[bytes, ...]) -> Any:
    import pyarrow

    rank, kind, kept, similarity, distance = columns
    return batch_of(
        rank=int64_of(rank), kind=number_array(pyarrow.int8(), kind), kept=int64_of(kept),
        similarity=number_array(pyarrow.float64(), similarity), distance=int32_of(distance),
    )


class ReadBlocks(Task):
    """Blocks become counts of the n-grams of their texts, and bodies. in: block, data, and as `wanted` a list of (row,
    what, rank, low), in order of the rows; out: SCHEMA: pieces of the counts of each section, with the section TOTALS
    the numbers of texts and n-grams, with BODY the body of a rank."""

    SCHEMA = "section int, rank long, data binary, texts long, ngrams long"
    TOTALS, BODY = -1, -2
    WANT_BODY, NOT_COUNTED = range(2)  # `what`; one row may be both

    def __init__(self, num_counters: int):
        self._num_counters = num_counters  # 0: nothing is counted

    def run(self, batches: Iterable[Any]) -> Iterator[Any]:
        blocks = _native.SparkBlocks(self._num_counters)
        for batch in batches:
            data = native_column(batch.column("data"))
            for row in range(batch.num_rows):
                yield from self._read(blocks, data, row, batch.column("wanted")[row])
                if blocks.has_many:
                    yield from _counted(blocks.take())
        yield from _counted(blocks.take())
        yield from _counted([(self.TOTALS, b"")], blocks.num_texts, blocks.num_ngrams)

    def _read(self, blocks: _native.SparkBlocks, data: Any, row: int, wanted: Any) -> Iterator[Any]:
        import pyarrow

        entries = pyarrow.nulls(0, wanted.type.value_type) if wanted.values is None else wanted.values
        ranks, bodies = blocks.read(data, row, *map(numbers_of, entries.flatten()))
        size = len(ranks) // 8
        if size:
            none = int64_of(bytes(8 * size))
            section = int32_of(_ints([self.BODY]) * size)
            yield batch_of(section=section, rank=int64_of(ranks), data=binary_of(bodies), texts=none, ngrams=none)


def _counted(pieces: list[tuple[int, bytes]], texts: int = 0, ngrams: int = 0) -> Iterator[Any]:
    for section, piece in pieces:
        yield batch_of(
            section=int32_of(_ints([section])), rank=int64_of(_longs([0])), data=value_of(piece),
            texts=int64_of(_longs([texts])), ngrams=int64_of(_longs([ngrams])),
        )


class AddCounts(Task):
    """Pieces are added up. in: section, data, sorted by section; out: SCHEMA: the counters of whole sections."""

    SCHEMA = "section int, counters binary"

    def __init__(self, num_counters: int):
        self._num_counters = num_counters

    def run(self, batches: Iterable[Any]) -> Iterator[Any]:
        section, counters = None, None
        for batch in batches:
            for number, piece in zip(batch.column("section").to_pylist(), batch.column("data").to_pylist()):
                if number != section:
                    yield from self._section(section, counters)
                    section, counters = number, _native.CommonnessSection(self._num_counters)
                counters.add(piece)
        yield from self._section(section, counters)

    def _section(self, section: int | None, counters: Any) -> Iterator[Any]:
        if counters is not None:
            yield batch_of(section=int32_of(_ints([section])), counters=value_of(counters.counters()))

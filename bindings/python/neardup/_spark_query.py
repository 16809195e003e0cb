"""Queries of a DataFrame against an index in a folder: what the driver checks, and what the tasks do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pyspark.sql.types import ArrayType, BinaryType, DataType, DecimalType, LongType, StringType

from neardup import _native
from neardup._spark_arrow import batch_of, binary_of, int32_of, native_column
from neardup._spark_sent import Sent
from neardup._spark_tasks import Task

#: So many queries are asked at once, so that their answers take little room.
_QUERIES_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class StoredQuestion:
    """What is asked of which index: words and numbers, for the tasks."""

    folder: str  # that all machines can read
    identity: str  # of what the index held when it was asked
    distance: int
    takes_texts: bool
    idf: Sent | None


@lru_cache(maxsize=1)  # a process of Python outlives its tasks
def _index(question: StoredQuestion) -> _native.StoredIndex:
    index = _native.StoredIndex(question.folder, True)
    if index.identity != question.identity:
        raise _native.Mismatch(
            f"the index {question.folder} changed since it was asked; ask a copy that stays as it is, or ask again"
        )
    if question.takes_texts:
        with question.idf.as_file() if question.idf else nullcontext("") as path:
            index.take_texts(path)
    return index


def check_distance(distance: int | None, most: int) -> int:
    """Returns the distance to ask for: `most` where none is given."""
    if distance is None:
        return most
    if type(distance) is not int or not 0 <= distance <= most:
        raise _native.InvalidArgument(
            f"the index finds what differs in 0 to {most} bits, not {distance!r}; another one finds more: "
            "neardup index create --distance"
        )
    return distance


def check_values(name: str, type: DataType, num_columns: int) -> None:
    """Raises InvalidArgument where a column of this type has no fingerprints such as the index holds."""
    of_one = type.elementType if isinstance(type, ArrayType) else type
    is_number = isinstance(of_one, LongType) or of_one == DecimalType(20, 0)
    if is_number and (isinstance(type, ArrayType) or num_columns <= 1):
        return
    wanted = "bigint or decimal(20,0)" if num_columns <= 1 else f"array<bigint>, {num_columns} for each document"
    raise _native.InvalidArgument(
        f"the column '{name}' of fingerprints is of type {type.simpleString()}; the index holds {wanted}; "
        "for texts give text="
    )


def check_texts(name: str, type: DataType) -> None:
    if not isinstance(type, (StringType, BinaryType)):
        raise _native.InvalidArgument(
            f"the column '{name}' of texts is of type {type.simpleString()}; it must be string or binary: cast it"
        )


class FindNeighbours(Task):
    """Queries become matches. in: query, value; out: query, id, distance: of each query by distance, then in the order
    in which they were stored. Who has no value, or only zeros, asks for nothing."""

    def __init__(self, question: StoredQuestion):
        self._question = question

    def run(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            asked = batch.filter(batch.column("value").is_valid())
            for first in range(0, asked.num_rows, _QUERIES_AT_ONCE):
                yield self._answer(asked.slice(first, _QUERIES_AT_ONCE))

    def _answer(self, batch: Any) -> Any:
        import pyarrow

        index, distance, values = _index(self._question), self._question.distance, batch.column("value")
        if self._question.takes_texts:
            rows, ids, distances = index.of_texts(native_column(values), distance)
        else:
            rows, ids, distances = index.of_fingerprints(_fingerprints(values, index.num_columns), distance)
        return batch_of(
            query=batch.column("query").take(int32_of(rows)),
            id=binary_of(ids).cast(pyarrow.string()),
            distance=int32_of(distances),
        )


def _fingerprints(column: Any, num_columns: int) -> memoryview:
    """Returns the fingerprints of a column without nulls, those of one row side by side."""
    import pyarrow.compute

    if pyarrow.types.is_list(column.type):
        sizes = set(pyarrow.compute.list_value_length(column).unique().to_pylist())
        if num_columns > 0 and sizes - {num_columns}:
            raise _native.InvalidArgument(
                f"a query has {(sizes - {num_columns}).pop()} fingerprints, the index {num_columns} for each document"
            )
        column = column.flatten()
    if column.null_count > 0:
        raise _native.InvalidArgument("an array of fingerprints holds a null")
    words = column.type.bit_width // 64  # of a decimal two: the lower one first
    data = memoryview(column.buffers()[1]).cast("B").cast("Q")
    data = data[column.offset * words : (column.offset + len(column)) * words]
    return data if words == 1 else memoryview(bytes(data[::2])).cast("Q")

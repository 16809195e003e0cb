"""fingerprint() and Index: values that stand for texts, and which of them lie near each other."""

from __future__ import annotations

import os
from typing import Any, Iterator

from neardup import _native
from neardup._frames import frame_of
from neardup._options import Progress, bytes_of, kept_recipe, matching_of, progress_of, threads_of
from neardup._warnings import tells_at_end


@tells_at_end
def fingerprint(
    texts: Any,
    *,
    text: str = "text",
    recipe: Any = None,
    family: str = "simhash",
    idf: str | os.PathLike | None = None,
    with_valid: bool = False,
    memory: int | str = "4G",
    threads: int = 0,
    progress: Progress = None,
) -> Any:
    """Returns what stands for each text, as `neardup fingerprint` prints it.

    texts: as dedup() takes them.
    recipe: by default "grams", which learns nothing from the texts, so that values of any two calls can be compared;
        for family="minhash" "default".

    Returns a numpy array: family "simhash" gives uint64 of shape (n,), or (n, 2) where the recipe makes two
    fingerprints of a text; "minhash" gives uint16 of shape (n, 128), or as many values as the recipe has. Rows without
    text, and those of too few words, are 0; with_valid=True returns (array, bool array of shape (n,)), False for them.
    """
    import numpy

    frame = frame_of(texts)
    recipe = kept_recipe(recipe, family, idf)
    matching = matching_of(recipe, family, idf=idf)
    values, width, dtype, valid = _native.fingerprints(
        frame.text_column(text), matching, bytes_of(memory), threads_of(threads), progress_of(progress)
    )
    found = numpy.frombuffer(values, dtype=dtype)
    found = found.reshape(-1, width) if width > 1 else found
    return (found, numpy.frombuffer(valid, dtype=numpy.bool_)) if with_valid else found


class Neighbours:
    """Answers of many queries: those of query i are ids[offsets[i]:offsets[i + 1]], nearest first; found[i] has them."""

    def __init__(self, offsets: Any, ids: Any, distances: Any):
        self.offsets = offsets  #: int64, shape (n + 1,)
        self.ids = ids  #: int64: positions in the array that was indexed
        self.distances = distances  #: int32: bits that differ

    def __getitem__(self, query: int) -> list[tuple[int, int]]:
        """Returns (id, distance) of each answer to one query."""
        begin, end = self.offsets[range(len(self))[query] :][:2]
        return list(zip(self.ids[begin:end].tolist(), self.distances[begin:end].tolist()))

    def __len__(self) -> int:
        """How many queries there were."""
        return len(self.offsets) - 1


class Index:
    """All fingerprints within k bits of a query: none is missed, none is beyond.

    fingerprints: numpy uint64 of shape (n,), not copied while the index is made, and not needed afterwards; or (n, m),
        as fingerprint() makes of most recipes: then two texts are near where any of their m fingerprints are.
    k: 0 to 16 bits. A query may ask for less.

    Raises InvalidArgument for another array, or k.
    """

    def __init__(self, fingerprints: Any, k: int = 3, *, threads: int = 0, progress: Progress = None):
        self._shape = _checked(fingerprints).shape
        self._columns = [
            _native.FingerprintIndex(column, k, threads_of(threads), progress_of(progress))
            for column in _columns(fingerprints)
        ]

    def query(self, fingerprints: Any, k: int | None = None, *, progress: Progress = None) -> Neighbours:
        """Returns what lies within k bits of each of `fingerprints`: uint64 of shape (n,), or (n, m) as indexed."""
        if _checked(fingerprints).shape[1:] != self._shape[1:]:
            raise _native.InvalidArgument("the queries have not as many fingerprints each as the index")
        answers = [
            _arrays(index.query(column, k, progress_of(progress)))
            for index, column in zip(self._columns, _columns(fingerprints))
        ]
        return answers[0] if len(answers) == 1 else _merged(answers)

    @property
    def k(self) -> int:
        """The widest distance that it can be asked for, in bits."""
        return self._columns[0].k

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes."""
        return sum(index.nbytes for index in self._columns)

    def __len__(self) -> int:
        return len(self._columns[0])

    def __repr__(self) -> str:
        return f"Index({len(self):,} fingerprints, k={self.k})"


def _checked(fingerprints: Any) -> Any:
    import numpy

    numbers = numpy.asarray(fingerprints)
    if numbers.dtype != numpy.uint64 or numbers.ndim not in (1, 2) or 0 in numbers.shape[1:]:
        raise _native.InvalidArgument(
            f"fingerprints are uint64 of shape (n,) or (n, m), not {numbers.dtype} of shape {numbers.shape}"
        )
    return numbers


def _columns(fingerprints: Any) -> Iterator[Any]:
    import numpy

    for column in numpy.atleast_2d(numpy.asarray(fingerprints).T):
        yield numpy.ascontiguousarray(column)


def _arrays(answer: tuple[bytes, bytes, bytes]) -> Neighbours:
    import numpy

    return Neighbours(*(numpy.frombuffer(data, dtype) for data, dtype in zip(answer, ("int64", "int64", "int32"))))


def _merged(answers: list[Neighbours]) -> Neighbours:
    """Returns what is in any of the answers, once, with its smallest distance."""
    import numpy

    num_queries = len(answers[0])
    queries = numpy.concatenate([numpy.repeat(numpy.arange(num_queries), numpy.diff(each.offsets)) for each in answers])
    ids = numpy.concatenate([each.ids for each in answers])
    distances = numpy.concatenate([each.distances for each in answers])
    by_id = numpy.lexsort((distances, ids, queries))
    is_first = numpy.ones(len(by_id), dtype=bool)
    is_first[1:] = (numpy.diff(queries[by_id]) != 0) | (numpy.diff(ids[by_id]) != 0)
    chosen = by_id[is_first]
    chosen = chosen[numpy.lexsort((ids[chosen], distances[chosen], queries[chosen]))]
    offsets = numpy.searchsorted(queries[chosen], numpy.arange(num_queries + 1))
    return Neighbours(offsets, ids[chosen], distances[chosen])

"""fingerprint() and Index: values that stand for texts, and which of them lie near each other."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from neardup import _native
from neardup._frames import frame_of
from neardup._options import Progress, bytes_of, matching_of, progress_of


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
    if recipe is None:
        recipe = "default" if family == "minhash" or idf else "grams"
    values, width, dtype, valid = _native.fingerprints(
        frame.column(text), matching_of(recipe, family, idf=idf), bytes_of(memory), threads, progress_of(progress)
    )
    found = numpy.frombuffer(values, dtype=dtype)
    found = found.reshape(-1, width) if width > 1 else found
    return (found, numpy.frombuffer(valid, dtype=numpy.bool_)) if with_valid else found


class Neighbours(NamedTuple):
    """Answers of many queries: those of query i are ids[offsets[i]:offsets[i + 1]], nearest first."""

    offsets: Any  #: int64, shape (n + 1,)
    ids: Any  #: int64: positions in the array that was indexed
    distances: Any  #: int32: bits that differ

    def __getitem__(self, query):  # of a query; names still work
        begin, end = self.offsets[query], self.offsets[query + 1]
        return list(zip(self.ids[begin:end].tolist(), self.distances[begin:end].tolist()))

    def __len__(self) -> int:
        return len(self.offsets) - 1


class Index:
    """All fingerprints within k bits of a query: none is missed, none is beyond.

    fingerprints: numpy uint64 of shape (n,), not copied while the index is made, and not needed afterwards.
    k: 0 to 16 bits. A query may ask for less.
    """

    def __init__(self, fingerprints: Any, k: int = 3, *, threads: int = 0, progress: Progress = None):
        self._native = _native.FingerprintIndex(_numbers(fingerprints), k, threads, progress_of(progress))

    def query(self, fingerprints: Any, k: int | None = None, *, progress: Progress = None) -> Neighbours:
        """Returns what lies within k bits of each of `fingerprints`, uint64 of shape (n,)."""
        import numpy

        offsets, ids, distances = self._native.query(_numbers(fingerprints), k, progress_of(progress))
        return Neighbours(
            numpy.frombuffer(offsets, numpy.int64), numpy.frombuffer(ids, numpy.int64), numpy.frombuffer(distances, numpy.int32)
        )

    @property
    def k(self) -> int:
        return self._native.k

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes."""
        return self._native.nbytes

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"Index({len(self):,} fingerprints, k={self.k})"


def _numbers(fingerprints: Any) -> Any:
    import numpy

    numbers = numpy.ascontiguousarray(fingerprints)
    if numbers.dtype != numpy.uint64 or numbers.ndim != 1:
        raise _native.InvalidArgument(
            f"fingerprints are uint64 of shape (n,), not {numbers.dtype} of shape {numbers.shape}"
        )
    return numbers

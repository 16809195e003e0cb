"""pairs(): all pairs of texts, fingerprints or signatures that are near each other."""

from __future__ import annotations

import os
from array import array
from typing import Any, Callable

from neardup import _native
from neardup._frames import Frame, Ids, frame_of, id_column_of
from neardup._options import (
    Progress, bytes_of, distance_of, kept_recipe, matching_of, progress_of, threads_of, word,
)
from neardup._warnings import hold, tells_at_end


class _Side:
    """One of the two that are joined: what stands for its documents, and their ids."""

    def __init__(
        self, table: _native.PairTable, frame: Frame | None = None, ids: Ids | None = None, is_array: bool = False
    ):
        self.table = table
        self.frame = frame
        self.is_array = is_array
        self._ids = ids

    def ids(self, found: list | bytes) -> list:
        rows = found if isinstance(found, list) else array("q", found).tolist()
        if self._ids is None:
            return rows
        for message in self._ids.settle(rows):
            hold(message)
        return self._ids.of(rows)


@tells_at_end
def pairs(
    data: Any,
    other: Any = None,
    *,
    text: str = "text",
    id: str | None = None,
    distance: int | None = None,
    verify: str = "",
    clusters: str = "none",
    recipe: Any = None,
    family: str = "simhash",
    idf: str | os.PathLike | None = None,
    memory: int | str = "4G",
    threads: int = 0,
    progress: Progress = None,
) -> Any:
    """Returns all pairs of documents that are near each other, of `data` or between it and `other`, each once.

    data, other: numpy arrays as fingerprint() makes them, uint64 of shape (n,) or (n, m), or signatures, uint16 of
        shape (n, m), whose rows of zeros stand for nothing and are in no pair; or texts as dedup() takes them, of which
        fingerprint() is made by `recipe`, `family` and `idf`; or the path of a file that `neardup fingerprint` wrote.
    text, id: the columns with the text and the id, as in dedup(); rows without a text are in no pair. Rows without
        an id, and those of arrays, are called by their numbers, from 0.
    distance: of fingerprints: bits in which a pair may differ, 0 to 16; 3 by default. Of documents with several
        fingerprints the smallest distance counts.
    verify: of signatures: "origin" (the default), "jaccard:0.8", "code" or "none". The pairs are those that meet in a
        band of the recipe and that the rule accepts.
    clusters: "star" or "components" for clusters instead of pairs, of `data` alone and of documents with one
        fingerprint each, such as those of recipe="paper".

    Returns a table as dedup().duplicates is: of a, b and distance (bits), or a, b, similarity (estimated, 0 to 1) and
    error (its standard error); with `clusters` id, duplicate_of and distance. The table is of the library of data, else
    of other, where one of them has texts. Of numpy arrays alone it is a structured array of fields a and b (int64),
    distance (int32) or similarity and error (float32); of files a list of dict. Order: by the rows of data, then of
    other. The result is the same for any number of threads.
    Raises InvalidArgument, NotFound, Mismatch where the two cannot be compared, OutOfMemory where the pairs do not fit.
    """
    side_of = _side_maker(text, id, recipe, family, idf, memory, threads, progress)
    left = side_of(data, "data")
    right = None if other is None else side_of(other, "other")
    found = _native.find_pairs(
        left.table, None if right is None else right.table, distance_of(distance), word(verify, "verify", "origin"),
        word(clusters, "clusters", "star"), bytes_of(memory), threads_of(threads), progress_of(progress),
    )
    names = ("a", "b") if clusters == "none" else ("id", "duplicate_of")
    return _table(left, left if right is None else right, names, *found)


def _side_maker(
    text: str, id: str | None, recipe: Any, family: str, idf: Any, memory: Any, threads: int, progress: Progress
) -> Callable[[Any, str], _Side]:
    recipe = kept_recipe(recipe, family, idf)

    def side_of(data: Any, name: str) -> _Side:
        if isinstance(data, (str, os.PathLike)):
            return _Side(_native.table_of_file(os.fspath(data), bytes_of(memory), progress_of(progress)))
        if type(data).__module__.partition(".")[0] == "numpy":
            return _Side(_table_of_array(data, name), is_array=True)
        frame = frame_of(data)
        frame.check_names(id)
        ids = id_column_of(frame, id)
        table = _native.table_of_texts(
            frame.text_column(text), matching_of(recipe, family, idf=idf), bytes_of(memory), threads_of(threads), name,
            progress_of(progress),
        )
        return _Side(table, frame, Ids(frame, ids))

    return side_of


def _table_of_array(values: Any, name: str) -> _native.PairTable:
    import numpy

    makers = {"uint64": _native.table_of_fingerprints, "uint16": _native.table_of_signatures}
    maker = makers.get(values.dtype.name)
    if maker is None or values.ndim not in (1, 2) or 0 in values.shape[1:]:
        raise _native.InvalidArgument(
            f"{name} is uint64 of shape (n,) or (n, m), or signatures, uint16 of shape (n, m), not {values.dtype} of "
            f"shape {values.shape}"
        )
    rows = values.reshape(len(values), -1 if values.size else 1)
    return maker(numpy.ascontiguousarray(rows, dtype=values.dtype.newbyteorder("=")), name)


def _table(
    left: _Side, right: _Side, names: tuple[str, str], a: Any, b: Any, distance: bytes, similarity: bytes, error: bytes
) -> Any:
    if left.table.is_of_signatures:
        measures = {"similarity": array("f", similarity), "error": array("f", error)}
    else:
        measures = {"distance": array("i", distance)}
    ids = dict(zip(names, (left.ids(a), right.ids(b))))
    if left.is_array and right.is_array:
        return _structured({**ids, **measures})
    columns = {name: [round(value, 4) for value in values] for name, values in measures.items()}
    frames = [side.frame for side in (left, right) if side.frame is not None]
    return (frames[0] if frames else Frame(None)).table({**ids, **columns})


def _structured(columns: dict[str, Any]) -> Any:
    import numpy

    types = {"distance": "int32", "similarity": "float32", "error": "float32"}
    made = numpy.empty(len(next(iter(columns.values()))), [(name, types.get(name, "int64")) for name in columns])
    for name, values in columns.items():
        made[name] = values
    return made

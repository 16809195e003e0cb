"""Deduplicator and Store: documents that come one after the other, each with its verdict at once."""

from __future__ import annotations

import os
from typing import Any, Iterable, NamedTuple

from neardup import _native
from neardup._options import matching_of, contained_of


class Deduplicator:
    """Tells of each document whether it repeats one that came before; in memory.

        seen = neardup.Deduplicator()
        hit = seen.add("id", text)     # None: new; else a Match: duplicate_of, kind, similarity, distance

    Documents with ids of their own, in the same order, get the verdicts of dedup(keep="first") by the same commonness,
    a file or "none"; without it what is common is learnt from what came before. An id names one document: the id of
    one that was new, with the same text again, is new again (it was tried twice), so documents that may share ids are
    given numbers. Any number of threads may add; of two duplicates that come together exactly one is new. Parameters:
    as in dedup(). With `contained` a text goes for a longer new one before it that holds this share; a quote that comes
    before the text that quotes it is new, and stays.
    """

    def __init__(
        self,
        *,
        recipe: Any = "default",
        family: str = "auto",
        verify: str = "",
        templates: bool = False,
        distance: int | None = None,
        idf: str | os.PathLike | None = None,
        commonness: str | os.PathLike | None = None,
        contained: float | None = None,
    ):
        matching = matching_of(recipe, family, verify, distance, idf, commonness, templates=templates)
        self._native = _native.NativeDeduplicator(matching, contained_of(contained))

    def add(self, id: str | bytes, text: str | bytes) -> _native.Match | None:
        """Returns what the document repeats, or None; it is remembered either way. Bytes are UTF-8."""
        return self._native.add(id, text)

    def __len__(self) -> int:
        """How many documents were new."""
        return len(self._native)

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes."""
        return self._native.nbytes


class StoredNeighbour(NamedTuple):
    id: str
    similarity: float
    distance: int
    is_exact: bool
    is_estimate: bool
    is_container: bool = False  #: longer, and contains the text: similarity is the share that it holds


class Store:
    """A Deduplicator that lasts: a folder, the same as `neardup index` and `neardup serve` have.

        with neardup.Store("seen") as seen:
            hit = seen.add("id", text)             # None: new; on the disk when it returns
            hits = seen.add_many(ids, texts)       # one sync for all

    A folder that is not there, or empty, becomes a store of these parameters, of the recipe "default" that keeps
    "tokens" and no texts where they are None. A store that is there keeps its own: what is given (is not as here) must
    be as it was made, else neardup.Mismatch says what it has. One process has it open. In the place of the folder,
    redis://[user:password@]host:port/prefix or hbase://host:port/table names a store that a server keeps, as durably as
    it is set to; any number of processes have it open, and a call that failed is made again as it was. An id names one
    document: with another text it takes the place of the one before. With `contained` a text is told, as by a
    Deduplicator, that a longer new one before it holds this share.
    """

    def __init__(
        self,
        folder: str | os.PathLike,
        *,
        recipe: Any = None,
        family: str = "auto",
        verify: str = "",
        templates: bool = False,
        distance: int | None = None,
        idf: str | os.PathLike | None = None,
        commonness: str | os.PathLike | None = None,
        records: str | None = None,
        keep_texts: bool | None = None,
        contained: float | None = None,
    ):
        folder = os.fspath(folder)
        named = "default" if recipe is None else recipe
        matching = matching_of(named, family, verify, distance, idf, commonness, templates=templates)
        share, kept = contained_of(contained), "tokens" if records is None else records

        def opened() -> Any:
            texts = None if keep_texts is None else bool(keep_texts)
            return _native.NativeStore.open(folder, matching, recipe is None, records, texts, share or None)

        if (os.path.isdir(folder) and os.listdir(folder)) or _native.NativeStore.is_there(folder):
            self._native = opened()
            return
        try:
            self._native = _native.NativeStore.create(folder, matching, kept, bool(keep_texts), share)
        except _native.InvalidArgument:
            if "://" not in folder or not _native.NativeStore.is_there(folder):
                raise
            self._native = opened()  # another process made it at the same moment

    def add(self, id: str, text: str, *, tag: str = "", html: bool = False) -> _native.Match | None:
        """Returns what the document repeats, or None, and keeps it: check and insert in one."""
        return self.add_many([id], [text], tag=tag, html=html)[0]

    def add_many(
        self, ids: Iterable[str], texts: Iterable[str], *, tag: str = "", html: bool = False
    ) -> list[_native.Match | None]:
        """The same of many, in order; those before a document count for it. In a folder all or nothing."""
        return self._native.check_and_insert(_column(ids), _column(texts), tag, html)

    def check(self, text: str, *, id: str = "?", html: bool = False) -> _native.Match | None:
        """Returns what the document would repeat; nothing is kept."""
        return self._native.check(_column([id]), _column([text]), html)[0]

    def insert_many(self, ids: Iterable[str], texts: Iterable[str], *, tag: str = "", html: bool = False) -> None:
        """Keeps all, whatever they repeat."""
        self._native.insert(_column(ids), _column(texts), tag, html)

    def query(self, text: str, limit: int = 10, *, html: bool = False) -> list[StoredNeighbour]:
        """Returns the kept documents that are equal or similar to a text, or contain it, most similar first, at most `limit`."""
        found, _ = self._native.query(text, limit, html)
        return [StoredNeighbour(*each) for each in found]

    def delete(self, ids: Iterable[str]) -> int:
        """Erases the documents with these ids that are there; returns how many."""
        return self._native.erase(list(ids))

    def delete_tag(self, tag: str) -> int:
        """Erases the documents that came with a tag; returns how many."""
        return self._native.erase_tag(tag)

    def expire(self, before: int) -> int:
        """Erases what came before a time, in seconds since 1970; returns how many."""
        return self._native.expire(before)

    def begin_tag(self, tag: str) -> bool:
        """Begins a crawl: its documents count for each other alone until commit_tag(); see docs/crawlers.md."""
        return self._native.begin_tag(tag)

    def commit_tag(self, tag: str) -> bool:
        """Makes the documents of a crawl count for all others; returns whether it had begun."""
        return self._native.commit_tag(tag)

    def cancel_tag(self, tag: str) -> bool:
        """Forgets the documents of a crawl that has begun; returns whether it had."""
        return self._native.cancel_tag(tag)

    def __len__(self) -> int:
        """How many documents it knows, duplicates counted."""
        return len(self._native)

    def close(self) -> None:
        """Closes the folder, which another process may open then; `with` does it."""
        self._native.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _column(values: Iterable[Any]) -> _native.Column:
    return _native.column_of_list(values if isinstance(values, list) else list(values))

"""neardup.datatrove: a step for datatrove's pipelines that drops documents which repeat earlier ones.

    from neardup.datatrove import NeardupFilter

    pipeline = [JsonlReader("in/"), NeardupFilter(exclusion_writer=JsonlWriter("dropped/")), JsonlWriter("kept/")]
    LocalPipelineExecutor(pipeline, tasks=1).run()

Needs datatrove 0.10 or later.
"""

from __future__ import annotations

import inspect
import os
from typing import Any

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.pipeline.writers.disk_base import DiskWriter

import neardup
from neardup._options import matching_of

__all__ = ["NeardupFilter"]


class NeardupFilter(BaseFilter):
    """Drops each document that repeats one that came before, exactly or nearly.

    store: a folder that becomes, or is, a neardup.Store: what earlier runs put there counts, too, and a run that is
        repeated drops nothing that it kept. In a store an id names one document: of documents with one id and one text
        none repeats the other (they were tried again), so ids must differ. Without a store documents are remembered for
        the run alone, in memory, and may share ids.
    exclusion_writer: where the dropped ones go. Their metadata get "duplicate_of", "similarity" and, from datatrove,
        "filter_reason": "exact" or "near".
    batch_size: documents that are looked at together; with a store they share a sync.
    words: those of neardup.Deduplicator: recipe, family, verify, distance, idf, commonness; with a store those of
        neardup.Store.

    The documents of a shard are compared with each other alone, so the step asks for tasks=1; for more, run
    neardup.dedup() over the files, which takes all cores, between two pipelines. Raises InvalidArgument for more tasks,
    NotFound or TypeError at once for a recipe or a word that there is not, TypeError for a document without text.
    """

    name = "\N{BROOM} Neardup"

    def __init__(
        self,
        store: str | os.PathLike | None = None,
        exclusion_writer: DiskWriter | None = None,
        batch_size: int = 1000,
        **words: Any,
    ):
        super().__init__(exclusion_writer, batch_size)
        self.store = None if store is None else os.fspath(store)
        self.words = words
        self._check_words()
        self._seen: _Memory | _Kept | None = None  # while it runs

    def _check_words(self) -> None:
        """Raises what a run would raise at its start."""
        takes = neardup.Deduplicator if self.store is None else neardup.Store
        given = [] if self.store is None else [self.store]
        bound = inspect.signature(takes).bind(*given, **self.words)
        bound.apply_defaults()
        takes = inspect.signature(matching_of).parameters
        words = {name: bound.arguments[name] for name in takes if name in bound.arguments}
        if self.store is not None and words["recipe"] is None:  # that of the store
            del words["recipe"]
        matching_of(**words)

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Yields the documents that stay, in their order."""
        if world_size != 1:
            raise neardup.InvalidArgument(
                f"NeardupFilter sees one of {world_size} shards: run it with tasks=1, or neardup.dedup() over the files"
            )
        self._seen = _Memory(self.words) if self.store is None else _Kept(self.store, self.words)
        try:
            yield from super().run(data, rank, world_size)
        finally:
            self._seen.close()
            self._seen = None

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        """Returns whether a document stays, or False and "exact" or "near". Only while run() goes on."""
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Document]) -> list[bool | tuple[bool, str]]:
        """The same of many, in order; those before a document count for it."""
        if self._seen is None:
            raise neardup.InvalidArgument(
                "NeardupFilter remembers documents while run() goes on, which calls filter(); to ask about single ones "
                "take neardup.Deduplicator"
            )
        for doc in batch:
            if not isinstance(doc.text, str):
                raise TypeError(f"the text of document {doc.id!r} is {type(doc.text).__name__}, not str")
        return [_result(doc, hit) for doc, hit in zip(batch, self._seen.hits(batch))]


class _Memory:
    """What a run remembers. Numbers stand for ids, which documents may share."""

    def __init__(self, words: dict[str, Any]):
        self._native = neardup.Deduplicator(**words)
        self._ids: dict[str, Any] = {}  # of the documents that stay
        self._count = 0

    def hits(self, batch: list[Document]) -> list[tuple[Any, neardup.Match] | None]:
        """Returns what each document repeats: its id, and how; None where it is new."""
        return [self._hit(doc) for doc in batch]

    def _hit(self, doc: Document) -> tuple[Any, neardup.Match] | None:
        number, self._count = str(self._count), self._count + 1
        match = self._native.add(number, doc.text)
        if match is not None:
            return self._ids[match.duplicate_of], match
        self._ids[number] = doc.id
        return None

    def close(self) -> None:
        pass


class _Kept:
    """What lasts."""

    def __init__(self, folder: str, words: dict[str, Any]):
        self._store = neardup.Store(folder, **words)

    def hits(self, batch: list[Document]) -> list[tuple[Any, neardup.Match] | None]:
        matches = self._store.add_many([str(doc.id) for doc in batch], [doc.text for doc in batch])
        return [None if match is None else (match.duplicate_of, match) for match in matches]

    def close(self) -> None:
        self._store.close()


def _result(doc: Document, hit: tuple[Any, neardup.Match] | None) -> bool | tuple[bool, str]:
    if hit is None:
        return True
    id, match = hit
    doc.metadata |= {"duplicate_of": id, "similarity": round(match.similarity, 4)}
    return False, match.kind

"""neardup.datatrove: a step for datatrove's pipelines that drops documents which repeat earlier ones.

    from neardup.datatrove import NeardupFilter

    pipeline = [JsonlReader("in/"), NeardupFilter(exclusion_writer=JsonlWriter("dropped/")), JsonlWriter("kept/")]
    LocalPipelineExecutor(pipeline, tasks=1).run()

Needs datatrove 0.10 or later.
"""

from __future__ import annotations

import os
from typing import Any

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.pipeline.writers.disk_base import DiskWriter

import neardup

__all__ = ["NeardupFilter"]


class NeardupFilter(BaseFilter):
    """Drops each document that repeats one that came before, exactly or nearly.

    store: a folder that becomes, or is, a neardup.Store: what earlier runs put there counts, too, and a run that is
        repeated drops nothing that it kept. Without one documents are remembered for the run alone, in memory.
    exclusion_writer: where the dropped ones go. Their metadata get "duplicate_of", "similarity" and, from datatrove,
        "filter_reason": "exact" or "near".
    batch_size: documents that are looked at together; with a store they share a sync.
    words: those of neardup.Deduplicator: recipe, family, verify, distance, idf, commonness.

    The documents of a shard are compared with each other alone, so the step asks for tasks=1; for more, run
    neardup.dedup() over the files, which takes all cores, between two pipelines. Raises InvalidArgument for more tasks.
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
        self._seen: neardup.Deduplicator | neardup.Store | None = None  # while it runs

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Yields the documents that stay, in their order."""
        if world_size != 1:
            raise neardup.InvalidArgument(
                f"NeardupFilter sees one of {world_size} shards: run it with tasks=1, or neardup.dedup() over the files"
            )
        in_memory = self.store is None
        self._seen = neardup.Deduplicator(**self.words) if in_memory else neardup.Store(self.store, **self.words)
        try:
            yield from super().run(data, rank, world_size)
        finally:
            if self.store is not None:
                self._seen.close()
            self._seen = None

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        """Returns whether a document stays, or False and "exact" or "near"."""
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Document]) -> list[bool | tuple[bool, str]]:
        """The same of many, in order; those before a document count for it."""
        ids, texts = [doc.id for doc in batch], [doc.text for doc in batch]
        if self.store is None:
            matches = [self._seen.add(id, text) for id, text in zip(ids, texts)]
        else:
            matches = self._seen.add_many(ids, texts)
        return [_result(doc, match) for doc, match in zip(batch, matches)]


def _result(doc: Document, match: neardup.Match | None) -> bool | tuple[bool, str]:
    if match is None:
        return True
    doc.metadata |= {"duplicate_of": match.duplicate_of, "similarity": round(match.similarity, 4)}
    return False, match.kind

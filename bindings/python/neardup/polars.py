"""neardup.polars: importing it gives every polars.DataFrame the namespace `neardup`.

    import neardup.polars

    df.neardup.dedup(text="text", id="url").kept
    df.neardup.unique(text="text")                # the rows that stay, as DataFrame.unique() returns them

The words are those of neardup.dedup(), and so are the results.
"""

from __future__ import annotations

from typing import Any

import polars

import neardup

__all__ = ["DataFrameNamespace"]


@polars.api.register_dataframe_namespace("neardup")
class DataFrameNamespace:
    """Near-duplicates of a polars.DataFrame."""

    def __init__(self, frame: polars.DataFrame):
        self._frame = frame

    def dedup(self, **words: Any) -> neardup.DedupResult:
        """Returns neardup.dedup(df, **words): kept, duplicates, clusters, mask, rejected, report."""
        return neardup.dedup(self._frame, **words)

    def unique(self, **words: Any) -> polars.DataFrame:
        """Returns dedup(**words).kept: the rows that stay, in their order, with all columns."""
        return self.dedup(**words).kept

    def pairs(self, other: Any = None, **words: Any) -> polars.DataFrame:
        """Returns neardup.pairs(df, other, **words): a, b, distance, or similarity and error."""
        return neardup.pairs(self._frame, other, **words)

    def evaluate(self, labels: Any = None, **words: Any) -> neardup.Evaluation:
        """Returns neardup.evaluate(df, labels, **words)."""
        return neardup.evaluate(self._frame, labels, **words)

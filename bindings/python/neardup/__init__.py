"""neardup: near-duplicate texts, found completely, verified, each with the document it repeats.

    import neardup

    r = neardup.dedup(df, text="text", id="url")   # list, pandas, polars, pyarrow, datasets, any Arrow stream
    r.kept                                         # the type that came in: all columns, order and index
    r.duplicates                                   # id, duplicate_of, kind, distance, similarity

The words and their defaults are those of the command line; `neardup dedup --help-all` explains each.
"""

from neardup._dedup import DedupResult, dedup
from neardup._evaluate import Evaluation, evaluate
from neardup._explain import Contained, Explanation, contained, explain
from neardup._fingerprint import Index, Neighbours, fingerprint
from neardup._lines import UniqueLines, unique_lines
from neardup._native import (
    Cancelled,
    Corruption,
    DiskFull,
    Error,
    InvalidArgument,
    IoError,
    Match,
    Mismatch,
    NotFound,
    OutOfMemory,
    Unsupported,
    __version__,
)
from neardup._online import Deduplicator, Store, StoredNeighbour
from neardup._pairs import pairs
from neardup._recipe import Recipe, recipe_names
from neardup._similar import FileRange, SharedPassage, SimilarFiles, SimilarPair, similar_files
from neardup._text import text_of
from neardup._warnings import DedupWarning

__all__ = [
    "Cancelled",
    "Contained",
    "Corruption",
    "DedupResult",
    "DedupWarning",
    "Deduplicator",
    "DiskFull",
    "Error",
    "Evaluation",
    "Explanation",
    "FileRange",
    "Index",
    "InvalidArgument",
    "IoError",
    "Match",
    "Mismatch",
    "Neighbours",
    "NotFound",
    "OutOfMemory",
    "Recipe",
    "SharedPassage",
    "SimilarFiles",
    "SimilarPair",
    "Store",
    "StoredNeighbour",
    "UniqueLines",
    "Unsupported",
    "__version__",
    "contained",
    "dedup",
    "evaluate",
    "explain",
    "fingerprint",
    "pairs",
    "recipe_names",
    "similar_files",
    "text_of",
    "unique_lines",
]

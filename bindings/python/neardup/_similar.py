"""similar_files(): which files share passages, and how much of each is in the other."""

import os
from typing import Any, Iterable, NamedTuple

from neardup import _native
from neardup._options import Progress, bytes_of, progress_of, threads_of, whole, word
from neardup._warnings import tells_at_end

Paths = str | os.PathLike | Iterable[str | os.PathLike]


class FileRange(NamedTuple):
    """A piece of a file: bytes [begin, end), and the lines that they are part of, counted from 1."""

    begin: int
    end: int
    first_line: int
    last_line: int


class SharedPassage(NamedTuple):
    """A passage that both files of a pair have."""

    a: FileRange
    b: FileRange


class SimilarPair(NamedTuple):
    """Two files, and which share of the one is in the other."""

    a: str
    b: str
    a_in_b: float  #: 0 to 1: how much of a is in b
    b_in_a: float  #: how much of b is in a
    basis: str  #: "equal": the same bytes; "exact": counted; "estimate": by fingerprints
    a_bytes: int
    b_bytes: int
    passages: tuple[SharedPassage, ...] | None = ()  #: the longest ones, where `show` asked for some; None: see below
    passages_reason: str | None = None  #: why there are none to show: a file is gone, has changed or is too large

    @property
    def similarity(self) -> float:
        """The greater of the two shares."""
        return max(self.a_in_b, self.b_in_a)


class SimilarFiles:
    """What similar_files() found.

    pairs         list of SimilarPair: equal files first, then the most similar
    groups        lists of files that are connected by pairs, the largest first
    skipped       dict of files that were not compared, each with the reason
    num_files     how many were compared; num_reused: of these, that the index knew and that were not read
    read_bytes    of all files that were read
    """

    def __init__(self, pairs: list[SimilarPair], groups: list[list[str]], skipped: dict[str, str], num_files: int,
                 num_reused: int, read_bytes: int):
        self.pairs = pairs
        self.groups = groups
        self.skipped = skipped
        self.num_files = num_files
        self.num_reused = num_reused
        self.read_bytes = read_bytes

    def columns(self) -> dict[str, list[Any]]:
        """The pairs as columns, for pandas.DataFrame, polars.DataFrame or pyarrow.table."""
        names = ("a", "b", "a_in_b", "b_in_a", "basis", "a_bytes", "b_bytes")
        return {name: [getattr(pair, name) for pair in self.pairs] for name in names}

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return f"SimilarFiles({self.num_files:,} files, {len(self.pairs):,} pairs, {len(self.groups):,} groups)"


@tells_at_end
def similar_files(
    paths: Paths,
    *,
    reference: Paths = (),
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    hidden: bool = False,
    binary: bool = False,
    index: str | os.PathLike | None = None,
    threshold: float = 0.25,
    verify: bool = False,
    fold: str = "space",
    common: str = "count",
    common_files: int = 0,
    select: str = "winnow",
    substring: int = 50,
    window: int = 64,
    zero_bits: int = 6,
    anchor: str | Iterable[str] = (),
    show: int = 0,
    memory: int | str = "4G",
    threads: int = 0,
    progress: Progress = None,
) -> SimilarFiles:
    """Lists all pairs of files that share passages, and how much of each is in the other: `neardup similar`.

    paths: files, and folders with all that is in them; reference: compare with these, not with each other.
    include, exclude: patterns of paths below folders, such as "*.py" or "src/**"; hidden, binary: also such files.
    index: a folder that keeps fingerprints: the next run over the same files reads only those that have changed.
    threshold: least share of one file that is in the other, 0 to 1. verify: count all pairs; else those within .03 of
        the threshold, others are estimated.
    fold: "space": white space in a row is one blank; "none": bytes as they are; "code": source files without white space, comments
        and names of identifiers; by the endings of names.
    common: "count", "weigh", "ignore": what becomes of passages that more than `common_files` files hold.
    select: "winnow" (one of `window` substrings in a row), "sample" (one of 2**zero_bits), "anchors" (those that begin
        with one of `anchor`); substring: their length in bytes.
    show: so many of the longest passages of each pair, with their bytes and lines.

    Returns SimilarFiles. A file that equals an earlier one has one pair, with that.
    Raises NotFound, InvalidArgument, OutOfMemory; Mismatch where the index was made with other settings, Corruption
    where it is damaged; DiskFull.
    """
    if index is not None and not os.fspath(index):
        raise _native.InvalidArgument("index is empty; give the folder of the index, or None")
    found = _native.similar_files(
        paths=_names(paths, "paths"), reference=_names(reference, "reference"), include=_names(include, "include"),
        exclude=_names(exclude, "exclude"), hidden=bool(hidden), binary=bool(binary),
        index=b"" if index is None else os.fsencode(index), threshold=float(threshold), verify=bool(verify),
        fold=word(fold, "fold", "code"), common=word(common, "common", "ignore"),
        common_files=_count(common_files, "common_files"), select=word(select, "select", "winnow"),
        substring=_count(substring, "substring", 32), window=_count(window, "window", 32),
        zero_bits=_count(zero_bits, "zero_bits", 32), anchor=_names(anchor, "anchor"), show=_count(show, "show"),
        memory=bytes_of(memory), threads=threads_of(threads), progress=progress_of(progress),
    )
    pairs, groups, skipped, num_files, num_reused, read_bytes = found
    return SimilarFiles(
        pairs=[_pair(*pair) for pair in pairs],
        groups=[[os.fsdecode(name) for name in group] for group in groups],
        skipped={os.fsdecode(path): os.fsdecode(reason) for path, reason in skipped},
        num_files=num_files, num_reused=num_reused, read_bytes=read_bytes,
    )


def _names(given: Paths, name: str) -> list[bytes]:
    if isinstance(given, (str, bytes, os.PathLike)):
        return [os.fsencode(given)]
    try:
        return [os.fsencode(one) for one in given]
    except TypeError:
        raise TypeError(f"{name} is a str, a path, or a list of these, not {given!r}") from None


def _count(value: Any, name: str, bits: int = 64) -> int:
    number = whole(value, name)
    if not 0 <= number < 1 << bits:
        raise _native.InvalidArgument(f"{name} is 0 or more, and less than 2^{bits}, not {number}")
    return number


def _pair(a, b, a_in_b, b_in_a, basis, a_bytes, b_bytes, passages, reason) -> SimilarPair:
    shown = tuple(SharedPassage(FileRange(*of_a), FileRange(*of_b)) for of_a, of_b in passages)
    return SimilarPair(os.fsdecode(a), os.fsdecode(b), a_in_b, b_in_a, basis, a_bytes, b_bytes,
                       shown if reason is None else None, None if reason is None else os.fsdecode(reason))

"""unique_lines(): duplicate lines removed, those that are the same or nearly so."""

from __future__ import annotations

import os
from array import array
from functools import cached_property
from typing import Any

from neardup import _native
from neardup._frames import Frame, frame_of, paths_of
from neardup._options import Progress, bytes_of, half_or_more, progress_of, threads_of, whole, word
from neardup._warnings import tells_at_end


class UniqueLines:
    """What unique_lines() left.

    kept    the lines that stay, as the type that came in
    rows    their numbers, from 0: a list of int
    times   how often each of them comes, those that are removed for it included: a list of int
    duplicates  with `similar`: a table of the lines that went for a similar one: row, duplicate_of (the row that stays),
                of_minus (that is one of minus), similarity
    counts  {"read", "kept", "removed", "minus", "without_key", "similar"}; read = kept + removed
    """

    def __init__(self, frame: Frame, rows: bytes, times: bytes, similar: list[tuple], counts: dict[str, int]):
        self._frame = frame
        self._similar = similar
        self.rows = array("q", rows).tolist()
        self.times = array("q", times).tolist()
        self.counts = counts

    @cached_property
    def kept(self) -> Any:
        """The lines that stay, as the type that came in; of a table whole rows."""
        return self._frame.take(self.rows)

    @cached_property
    def duplicates(self) -> Any:
        """A table of the lines that went for a similar one: row, duplicate_of, of_minus, similarity."""
        names = ("row", "duplicate_of", "of_minus", "similarity")
        columns = {name: [line[i] for line in self._similar] for i, name in enumerate(names)}
        columns["similarity"] = [round(similarity, 4) for similarity in columns["similarity"]]
        return self._frame.table(columns)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"UniqueLines(read={self.counts['read']:,}, kept={self.counts['kept']:,})"


@tells_at_end
def unique_lines(
    data: Any,
    *,
    text: str = "text",
    minus: Any = None,
    only: str = "all",
    order: str = "first",
    ignore_case: bool = False,
    ignore_space: bool = False,
    ignore_punctuation: bool = False,
    field: int | None = None,
    delimiter: str = "",
    regex: str = "",
    similar: float | None = None,
    verify: str = "content",
    fast: bool = False,
    out: str | os.PathLike | None = None,
    duplicates: str | os.PathLike | None = None,
    count: bool = False,
    zero_terminated: bool = False,
    compression: str = "auto",
    overwrite: bool = False,
    memory: int | str = "4G",
    threads: int = 0,
    progress: Progress = None,
) -> Any:
    """Removes duplicate lines: those whose bytes, or what is asked of them, were there before, or nearly so with `similar`.

    data: a list or tuple of str or bytes; a column or table as dedup() takes it, of which `text` names the column. Each
        element is a line, whatever is in it; str counts as its UTF-8. With `out`, a path or a list of paths of files,
        plain, gzip or Zstandard.
    minus: lines (or paths) that are only read: those of data that are the same as one of them go, too.
    only: "all", each different line once; "duplicates", those that come more than once; "uniques", those that come once.
    order: "first", as they first came, or "sorted", by their bytes.
    ignore_case, ignore_space, ignore_punctuation: what does not count, in all scripts.
    field: only field N counts, from 1; delimiter: between fields, blanks and tabs by default. regex: only what this
        expression (RE2) finds counts, its first group or all of it. A line without it is like no other, and stays.
    similar: 0.5 to 1, such as 0.7: lines go, too, that have this share of their character n-grams in common with one that
        stays. verify, only with it: "content", and the same digits, signs, negations and words but for misprints; "origin",
        and the same digits.
    fast: 128-bit hashes decide, not the bytes: a line is lost with a chance of 1 in 10^19 among a billion.
    out: the file for the lines, which is there whole or not at all; duplicates: a file of JSON, of the lines that went for a
        similar one; count: "COUNT<TAB>LINE"; zero_terminated: lines end
        with NUL; compression: "auto" (by the name), "none", "gzip", "zstd"; overwrite: replace the file.
    memory: bytes, or "4G"; of files, what is more is compared on disk. threads: 0 is one for each core. progress: as in
        dedup().

    Returns UniqueLines; with `out` the counts, a dict. The result is the same for any number of threads.
    Raises InvalidArgument, NotFound, OutOfMemory, DiskFull, ... (all of them neardup.Error); Ctrl-C stops the work.
    """
    rules = _rules(only, order, ignore_case, ignore_space, ignore_punctuation, field, delimiter, regex, fast)
    rules.similar, rules.verify = half_or_more(similar, "similar", "a line"), word(verify, "verify", "origin")
    if out is not None:
        inputs = paths_of(data)
        others = [] if minus is None else paths_of(minus)
        if inputs is None or others is None:
            raise TypeError("with out= data and minus are paths")
        return _native.unique_files(
            inputs, others, os.fspath(out), os.fspath(duplicates or ""), rules, count, zero_terminated, word(compression, "compression", "zstd"),
            overwrite, bytes_of(memory), threads_of(threads), progress_of(progress),
        )
    if isinstance(data, (str, os.PathLike)):
        raise TypeError("a path needs out=, the file for the lines")
    if duplicates is not None:
        raise TypeError("duplicates= is a file beside out=; of lines in memory the result has them")
    _check_file_options(count=count, zero_terminated=zero_terminated, compression=compression != "auto", overwrite=overwrite)
    frame, others = frame_of(data), None
    if minus is not None:
        others = frame_of(minus).text_column(text)
    found = _native.unique_texts(
        frame.text_column(text), others, rules, bytes_of(memory), threads_of(threads), progress_of(progress)
    )
    return UniqueLines(frame, *found)


def _check_file_options(**given: bool) -> None:
    for name, is_given in given.items():
        if is_given:
            raise TypeError(f"{name}= is about the file of out=")


def _rules(
    only: str, order: str, ignore_case: bool, ignore_space: bool, ignore_punctuation: bool, field: int | None,
    delimiter: str, regex: str, fast: bool,
) -> _native.LineRules:
    rules = _native.LineRules()
    rules.only, rules.order = word(only, "only", "duplicates"), word(order, "order", "sorted")
    rules.ignore_case, rules.ignore_space = bool(ignore_case), bool(ignore_space)
    rules.ignore_punctuation, rules.fast = bool(ignore_punctuation), bool(fast)
    if field is not None:
        rules.field = _field(whole(field, "field"))
    rules.delimiter, rules.regex = word(delimiter, "delimiter", ","), word(regex, "regex", "id=([0-9]+)")
    return rules


def _field(field: int) -> int:
    if not 1 <= field <= 1_000_000:
        raise _native.InvalidArgument(f"fields are numbered from 1, up to 1000000; found {field}")
    return field

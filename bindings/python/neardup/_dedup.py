"""dedup(): one call, the same type back, every removed row explained."""

from __future__ import annotations

import os
from array import array
from functools import cached_property
from typing import Any, Iterator, NamedTuple, Sequence

from neardup import _native
from neardup._frames import Frame, Ids, frame_of, id_column_of, paths_of
from neardup._options import Progress, bytes_of, contained_of, matching_of, progress_of, share_of, threads_of, word
from neardup._warnings import hold, tells_at_end

_KEPT, _EXACT, _NEAR, _REJECTED, _CONTAINED = range(5)
_KINDS = {_EXACT: "exact", _NEAR: "near", _CONTAINED: "contained"}


class DedupResult:
    """What dedup() found.

    kept          the rows that stay, as the type that came in
    duplicates    a table of the same library: id, duplicate_of, kind ("exact", "near", "contained"), distance,
                  similarity
    mask          bool for each row: whether it stays (a numpy array where numpy is there, else a list)
    clusters      a list of {"kept": id, "members": [ids, the kept one first]}, of two and more
    rejected      the rows that hold no text: neither kept nor duplicates
    groups        counts for each value of the column group_key
    counts        {"read", "kept", "exact", "near", "rejected"}, and "contained" where asked; read is their sum
    """

    def __init__(
        self, frame: Frame, fates: dict[str, bytes], ids: Ids, reference_ids: Ids | None, has_contained: bool = False
    ):
        self._frame = frame
        self._ids = ids
        self._reference_ids = reference_ids
        self._kind = fates["kind"]
        self._of_reference = fates["of_reference"]
        self._duplicate_of = array("q", fates["duplicate_of"])
        self._cluster = array("q", fates["cluster"])
        self._distance = array("i", fates["distance"])
        self._similarity = array("d", fates["similarity"])
        self._run_report = fates["report"]
        self._groups = fates["groups"]
        self._has_contained = has_contained
        told = ids.settle(self._told_rows(False))
        if reference_ids is not None:
            told += reference_ids.settle(self._told_rows(True))
        self._hold_warnings(told)

    def _hold_warnings(self, of_ids: list[str]) -> None:
        """Keeps what there is to warn of for the end of the call, in the words of Python."""
        row = self._run_report.largest_kept_row()
        kept = "" if row is None else (self._ids if row >= 0 else self._reference_ids).of([row if row >= 0 else -row - 1])
        of_report = self._run_report.warnings(_shown(kept[0]) if kept else "", *self._ids.repeated())
        for message in [*of_report, *of_ids]:
            hold(message)

    def _told_rows(self, of_reference: bool) -> Iterator[int]:
        """Yields the rows whose ids are told, of data or of `against`: the removed ones and what they repeat."""
        for row in self._removed:
            if not of_reference:
                yield row
            if bool(self._of_reference[row]) == of_reference:
                yield self._duplicate_of[row]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_run_report": None}  # what goes to another process has no page

    @cached_property
    def kept(self) -> Any:
        """The rows that stay, as the type that came in: all columns, their order and index."""
        return self._frame.take([row for row, kind in enumerate(self._kind) if kind == _KEPT])

    @cached_property
    def mask(self) -> Any:
        """Of each row whether it stays: a numpy array of bool, shape (n,); a list where numpy is not there."""
        mask = self._kind.translate(_IS_KEPT)
        try:
            import numpy
        except ImportError:
            return [kept == 1 for kept in mask]
        return numpy.frombuffer(mask, dtype=numpy.bool_)

    @cached_property
    def rejected(self) -> list[int]:
        """The numbers of the rows without text, from 0, ascending."""
        return [row for row, kind in enumerate(self._kind) if kind == _REJECTED]

    @cached_property
    def counts(self) -> dict[str, int]:
        """{"read", "kept", "exact", "near", "rejected"}, and "contained" where asked; read is their sum."""
        names = ("kept", "exact", "near", "rejected", "contained")[: 5 if self._has_contained else 4]
        return {"read": len(self._kind)} | {name: self._kind.count(kind) for kind, name in enumerate(names)}

    @property
    def groups(self) -> list[dict[str, Any]]:
        """Of each value of the column group_key: {"value", "read", "kept", "exact", "near", "rejected"}, and "contained"
        where asked, those with the most removed first; [] without group_key."""
        return self.__dict__.get("_groups", [])  # a result that another version has pickled has none

    @cached_property
    def _removed(self) -> list[int]:
        return [row for row, kind in enumerate(self._kind) if kind in _KINDS]

    @cached_property
    def duplicates(self) -> Any:
        """A table of the removed rows: id, duplicate_of (kept), kind ("exact", "near", "contained"), distance,
        similarity."""
        rows = self._removed
        return self._frame.table(
            {
                "id": self._ids.of(rows),
                "duplicate_of": self._kept_ids(rows),
                "kind": [_KINDS[self._kind[row]] for row in rows],
                "distance": [self._distance[row] if self._distance[row] >= 0 else None for row in rows],
                "similarity": [self._similarity[row] for row in rows],
            }
        )

    def _kept_ids(self, rows: Sequence[int]) -> list:
        own = [row for row in rows if not self._of_reference[row]]
        others = [row for row in rows if self._of_reference[row]]
        found = dict(zip(own, self._ids.of([self._duplicate_of[row] for row in own])))
        if others:
            found |= zip(others, self._reference_ids.of([self._duplicate_of[row] for row in others]))
        return [found[row] for row in rows]

    @cached_property
    def clusters(self) -> list[dict[str, Any]]:
        """A list of {"kept": id, "members": [ids, the kept one first]}, of clusters of two and more."""
        members: dict[int, list[int]] = {}
        kept: dict[int, Any] = {}
        rows = self._removed
        for row, kept_id in zip(rows, self._kept_ids(rows)):
            members.setdefault(self._cluster[row], []).append(row)
            kept[self._cluster[row]] = kept_id
        return [
            {"kept": kept[cluster], "members": [kept[cluster], *self._ids.of(members[cluster])]}
            for cluster in sorted(members)
        ]

    @property
    def report(self) -> Report:
        """Figures and examples of what was removed; a notebook shows them as a page, save() writes it to a file."""
        return Report(self)

    def __repr__(self) -> str:
        figures = ", ".join(f"{name}={count:,}" for name, count in self.counts.items())
        return f"DedupResult({figures})"


_IS_KEPT = bytes(1 if kind == _KEPT else 0 for kind in range(256))


class Report:
    """The figures of a DedupResult, for people."""

    MOST_SHOWN = 10

    def __init__(self, result: DedupResult):
        self._result = result

    def _examples(self) -> list[tuple]:
        rows = self._result._removed[: self.MOST_SHOWN]
        similarity = [f"{self._result._similarity[row]:.4f}" for row in rows]
        kinds = [_KINDS[self._result._kind[row]] for row in rows]
        return list(zip(self._result._ids.of(rows), self._result._kept_ids(rows), kinds, similarity))

    def __str__(self) -> str:
        lines = [f"{name:>9} {count:>12,}" for name, count in self._result.counts.items()]
        lines += [
            f"  {group['value']}: {group['read'] - group['kept'] - group['rejected']:,} of {group['read']:,} removed"
            for group in self._result.groups[: self.MOST_SHOWN]
        ]
        lines += [f"  {one} repeats {other} ({kind}, {figure})" for one, other, kind, figure in self._examples()]
        return "\n".join(lines)

    __repr__ = __str__

    @property
    def html(self) -> str:
        """The page: one file for any browser that loads nothing else; figures, what a higher threshold would change,
        clusters as a graph, pairs side by side. Of more than 120,000 documents in clusters it says what it leaves out.
        Raises ValueError of a result that came from another process."""
        return self._page(self._run_report())

    def save(self, path: str | os.PathLike) -> None:
        """Writes the page to a file, which appears as a whole. Raises ValueError as html does, OSError."""
        text, path = self.html, os.fspath(path)
        part = f"{path}.{os.getpid()}.tmp"
        try:
            with open(part, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            os.replace(part, path)
        except BaseException:
            if os.path.exists(part):
                os.unlink(part)
            raise

    def _run_report(self) -> Any:
        if self._result._run_report is None:
            raise ValueError("this result came from another process, without its page; ask where dedup() ran")
        return self._result._run_report

    def _page(self, report: Any) -> str:
        rows = array("q", report.shown_rows())
        own, others = [row for row in rows if row >= 0], [-row - 1 for row in rows if row < 0]
        own_ids = iter(self._result._ids.of(own))
        other_ids = iter(self._result._reference_ids.of(others)) if others else iter(())
        return report.html([_shown(next(own_ids if row >= 0 else other_ids)) for row in rows])

    def _repr_html_(self) -> str:
        import html

        table = self._table()
        if self._result._run_report is None or not self._result._removed:
            return table
        page = html.escape(self._page(self._run_report().shortened()))
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="neardup: what was removed" '
            'style="width: 100%; height: 760px; border: 0; border-radius: 12px"></iframe>'
            f"<details><summary>As a table; the whole page: <code>result.report.save(PATH)</code></summary>{table}</details>"
        )

    def _table(self) -> str:
        import html

        figures = "".join(f"<th>{name}</th><td>{count:,}</td>" for name, count in self._result.counts.items())
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(value))}</td>" for value in row) + "</tr>"
            for row in self._examples()
        )
        head = "<tr><th>id</th><th>duplicate of</th><th>kind</th><th>similarity</th></tr>"
        return f"<table><tr>{figures}</tr></table><table>{head}{rows}</table>"


def _shown(id: Any) -> str:
    """An id as text. What UTF-8 cannot hold (lone surrogates) is replaced."""
    return str(id).encode("utf-8", "replace").decode("utf-8")


def _keep_values(frame: Frame, keep: str) -> _native.Column | None:
    """Returns the field that "max:FIELD" or "priority:FIELD=..." asks for, as JSON."""
    import json

    kind, _, rest = keep.partition(":")
    if kind not in ("max", "priority") or not frame.has_columns:
        return None
    name = rest.partition("=")[0] if kind == "priority" else rest
    frame.check_names(name)
    values = frame.values(name, range(len(frame)))
    return _native.column_of_list([None if value is None else json.dumps(value, default=str) for value in values])


class _Columns(NamedTuple):
    """What the native part is given of documents."""

    texts: _native.Column
    within: _native.Column | None
    groups: _native.Column | None
    ids: Ids


def _columns(frame: Frame, text: str, id: str | None, within: str | None, group_key: str | None = None) -> _Columns:
    frame.check_names(id, within, group_key)
    id = id_column_of(frame, id) if frame.has_columns else None
    categories = None if within is None else frame.words(within)
    groups = frame.words(group_key) if group_key else None
    return _Columns(frame.text_column(text), categories, groups, Ids(frame, id))


def _load_arrow() -> None:
    """Where the module that reads Parquet is there, loads pyarrow before it: so that there is one Arrow in the process, and
    another version than the module's is told by an error."""
    if not os.path.exists(os.path.join(os.path.dirname(__file__), "libneardup_parquet.so")):
        return
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        pass


@tells_at_end
def dedup(
    data: Any,
    *,
    text: str = "text",
    id: str | None = None,
    against: Any = None,
    out: str | os.PathLike | None = None,
    table: str | None = None,
    keep: str = "first",
    cluster: str = "star",
    contained: float | None = None,
    verify: str = "",
    templates: bool = False,
    recipe: Any = "default",
    family: str = "auto",
    distance: int | None = None,
    bands: int | None = None,
    within: str | None = None,
    size_within: float | None = None,
    group_key: str | None = None,
    idf: str | os.PathLike | None = None,
    commonness: str | os.PathLike | None = None,
    into: str | os.PathLike | None = None,
    overwrite: bool = False,
    memory: int | str = "4G",
    threads: int = 0,
    progress: Progress = None,
) -> Any:
    """Removes near-duplicates; every removed document names a kept one that it was compared with.

    data: a list of str or dict; a pandas or polars DataFrame or Series; a pyarrow Table, RecordBatch or array; a
        datasets.Dataset; anything with __arrow_c_stream__. With `out`, a path or a list of paths: files, folders and
        patterns, as the command line reads them.
    text, id: the columns with the text and the id. Without an id column, or where a row has none, a document's id
        is the number of its row, from 0; where other rows have such ids it is one that no row has, with a warning.
        Rows without text are rejected: counted, in `rejected`, and in neither table.
    against: documents of the same columns (or paths) that are only read: data is reduced against them.
    out: folder for the results of files, the same bytes as `neardup dedup DATA -o OUT` writes.
    table: how CSV and TSV files are written, in the words of --table: "separator=semicolon", "quotes=none",
        "escape=backslash,spaces=skip".
    keep: "first", "longest", "max:COLUMN" or "priority:COLUMN=a,b": which document of a cluster stays.
    cluster: "star": each removed document is similar to the kept one; "components": to any of its cluster.
    contained: 0.5 to 1, such as 0.8: documents of which a longer one holds this share go, too (kind "contained").
    verify: "content" (what readers call the same, the default), "origin", "jaccard:0.8", "code", "none".
    templates: with verify="origin": texts of one template whose numbers differ are no duplicates.
    recipe: a name, a file, or a Recipe; family: "auto", "minhash", "simhash"; distance: bits, of simhash; bands: of
        minhash, candidates agree in one of so many (more find less similar texts).
    within: a column (of files a field): only documents with equal values of it are compared, such as a language.
    size_within: 0 to 1: texts whose sizes differ by a larger share of the larger one are no duplicates.
    group_key: a column (of files a field): the report counts what was removed for each value of it, such as a source.
    idf, commonness: files of earlier runs; into: a store (with `out`).
    memory: bytes, or "4G": the most that is taken beside the data; what is more goes to the disk.
    threads: 0 is one for each core. progress: True for tqdm, or a callable(stage, done, total, unit).

    Returns a DedupResult; with `out` a dict of counts. The result is the same for any number of threads.
    Raises InvalidArgument, NotFound, OutOfMemory, DiskFull, ... (all of them neardup.Error); Ctrl-C stops the work.
    Warns by DedupWarning when all is done.
    """
    matching = matching_of(recipe, family, verify, distance, idf, commonness, bands, templates)
    asked = _native.Asked(
        keep=keep, cluster=word(cluster, "cluster", "star"), contained=contained_of(contained),
        within=word(within or "", "within", "language"), group_key=word(group_key or "", "group_key", "source"),
        size_within=None if size_within is None else share_of(size_within, "size_within"),
    )
    limits = _native.Limits(memory=bytes_of(memory), threads=threads_of(threads))
    if out is not None:
        inputs = paths_of(data)
        references = [] if against is None else paths_of(against)
        if inputs is None or references is None:
            raise TypeError("with out= data and against are paths")
        _load_arrow()
        return _native.dedup_files(
            inputs, references, os.fspath(into or ""), os.fspath(out), matching, text, id or "id",
            word(table or "", "table", "separator=semicolon"), asked, overwrite, limits, progress_of(progress),
        )
    if isinstance(data, (str, os.PathLike)):
        raise TypeError("a path needs out=, the folder for the results")
    if table is not None:
        raise TypeError("table= tells how CSV and TSV files are written: with it data is a path, and out= the folder")
    if into is not None:
        raise TypeError("into= takes files: with it data is a path, and out= the folder for the results")
    import tempfile  # takes a third of the time of an import of neardup

    frame = frame_of(data)
    own = _columns(frame, text, id, within, group_key)
    others = None if against is None else _columns(frame_of(against), text, id, within)
    fates = _native.dedup_columns(
        own.texts, _keep_values(frame, keep), own.within, own.groups,
        others and others.texts, others and others.within, matching, asked, limits, tempfile.gettempdir(),
        progress_of(progress),
    )
    return DedupResult(frame, fates, own.ids, others and others.ids, contained is not None)

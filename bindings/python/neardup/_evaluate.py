"""evaluate(): how right are a recipe and its rules, held against labels?"""

from __future__ import annotations

import os
import re
from typing import Any, Iterable

from neardup import _native
from neardup._frames import Frame, frame_of, id_column_of, paths_of
from neardup._options import Progress, bytes_of, matching_of, progress_of, share_of, threads_of, whole, word
from neardup._warnings import tells_at_end


class Evaluation:
    """What evaluate() found; a notebook shows it as a page with curves.

    advice        list of str: what is recommended, how it compares with the defaults, and the command
    recommended   {"bands" or "distance", "verify", "found", "right", "precision", "recall", "f1", "ari"}
    standard      the same of what dedup() takes by itself
    settings      a list of the same of every setting
    figures       the settings that matter, with intervals, by their roles
    data          all of it, as `neardup evaluate --json` prints it (docs/formats/labels.md)
    page          str: the page of `neardup evaluate --html`
    """

    def __init__(self, data: dict[str, Any], page: str):
        self.data = data
        self.page = page

    @property
    def advice(self) -> list[str]:
        """Sentences: what is recommended, how it compares with the defaults, and the command."""
        return self.data["advice"]

    @property
    def recommended(self) -> dict[str, Any]:
        """The setting to take: "bands" or "distance", "verify", "precision", "recall", "f1", ..."""
        return self.data["recommended"]

    @property
    def standard(self) -> dict[str, Any]:
        """The same of what dedup() takes by itself."""
        return self.data["standard"]

    @property
    def settings(self) -> list[dict[str, Any]]:
        """The same of every setting."""
        return self.data["settings"]

    @property
    def figures(self) -> list[dict[str, Any]]:
        """The settings that matter, by their roles, with intervals where the labels are a sample."""
        return self.data["figures"]

    def __str__(self) -> str:
        return "\n".join(self.advice)

    def __repr__(self) -> str:
        figures = ", ".join(f"{name}={self.standard[name]:.4f}" for name in ("precision", "recall", "f1")
                            if self.standard[name] is not None)
        return f"Evaluation({self.data['documents']:,} documents, {figures})"

    def _repr_html_(self) -> str:
        import html

        return f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="700"></iframe>'


@tells_at_end
def evaluate(
    data: Any,
    labels: Any = None,
    *,
    text: str = "text",
    id: str | None = None,
    table: str | None = None,
    cluster: str = "cluster",
    duplicate_from: int = 1,
    stratum: str = "stratum",
    least_similarity: float = 0,
    verify: str | Iterable[str] = (),
    recipe: Any = "default",
    family: str = "auto",
    distance: int | None = None,
    bands: int | None = None,
    idf: str | os.PathLike | None = None,
    within: str | None = None,
    size_within: float | None = None,
    templates: bool = False,
    least_precision: float = 0,
    memory: int | str = "4G",
    threads: int = 0,
    progress: Progress = None,
) -> Evaluation:
    """Measures precision, recall, F1 and the adjusted Rand index of every setting, and recommends one.

    data: documents with their labels, as dedup() takes them, or a path: a file, a folder or a pattern.
    labels: where it is not given, documents with one value in the column `cluster` are duplicates of each other. Else
        pairs: the path of a file (docs/formats/labels.md), or a list of (a, b), of (a, b, similarity), or of dicts with
        "a", "b" and perhaps "similarity", "duplicate", "label", "stratum", "weight". a and b are ids, or without a
        column of ids the numbers of rows, from 0. With "duplicate" or "label" only the judged pairs count.
    table: how CSV and TSV files are written, such as "separator=semicolon" (dedup()).
    duplicate_from: judged pairs with this label or a higher one are duplicates; stratum: the member with the part of
        the sample; least_similarity: of pairs with a similarity, those with less are no duplicates.
    verify: rules to compare with what dedup() takes by itself. distance: of simhash, the widest to look at; bands:
        of minhash, the most to look at.
    within: a column: only documents with equal values of it are compared, such as a language.
    size_within: 0 to 1: texts whose sizes differ by a larger share of the larger one are no duplicates.
    templates: also measure the rule "origin" with templates. least_precision: recommend nothing with a lower one.

    Returns an Evaluation. Rows without text or id are passed over with a warning.
    Raises InvalidArgument where labels are missing, contradict each other, or name what is not there; OutOfMemory.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="neardup-") as folder:
        listed = os.path.join(folder, "labels.jsonl")
        words = _native.EvaluateWords(
            labels_file=_labels_file(labels, listed), duplicate_from=_label_of(duplicate_from),
            stratum=word(stratum, "stratum", "stratum"), least_similarity=share_of(least_similarity, "least_similarity"),
            verify=[verify] if isinstance(verify, str) else [word(rule, "verify", "origin") for rule in verify],
            size_within=None if size_within is None else share_of(size_within, "size_within"),
            within=word(within or "", "within", "language"),
            least_precision=share_of(least_precision, "least_precision"), memory=bytes_of(memory),
            threads=threads_of(threads),
        )
        matching = matching_of(recipe, family, distance=distance, idf=idf, bands=bands, templates=templates)
        word(cluster, "cluster", "cluster")
        try:
            if isinstance(data, (str, os.PathLike)):
                found = _native.evaluate_files(
                    paths_of(data), text, id or "id", word(table or "", "table", "separator=semicolon"), cluster,
                    matching, words, folder, progress_of(progress),
                )
            else:
                if table is not None:
                    raise TypeError("table= tells how CSV and TSV files are written: with it data is a path")
                columns = _columns(frame_of(data), text, id, cluster if labels is None else None, within)
                found = _native.evaluate_columns(*columns, cluster, matching, words, folder, progress_of(progress))
        except _native.Error as error:
            if listed not in str(error):
                raise
            raise type(error)(_without_file(str(error), listed)) from None
    import json

    return Evaluation(json.loads(found[0]), found[1])


def _label_of(duplicate_from: Any) -> int:
    return min(max(whole(duplicate_from, "duplicate_from"), -1), 1 << 16)  # what is beyond is refused with the rest


def _without_file(message: str, path: str) -> str:
    """Returns what a message says of a line of the file as what it says of the label that was written there."""
    lines = re.compile(re.escape(path) + r":(\d+)")
    return lines.sub(lambda found: f"labels[{int(found[1]) - 1}]", message).replace(path, "labels")


def _columns(frame: Frame, text: str, id: str | None, cluster: str | None, within: str | None) -> tuple:
    frame.check_names(id, cluster, within)
    if cluster is not None and not frame.has_columns:
        raise TypeError("texts alone have no column of labels: give labels=, or rows with columns")
    id = id_column_of(frame, id)
    ids = _native.column_of_list([str(row) for row in range(len(frame))]) if id is None else frame.words(id)
    return frame.text_column(text), ids, *(None if name is None else frame.words(name) for name in (cluster, within))


def _labels_file(labels: Any, path: str) -> str:
    if labels is None:
        return ""
    if isinstance(labels, (str, os.PathLike)):
        return _checked_path(os.fspath(labels))
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(_label_line(number, label) for number, label in enumerate(labels))
    return path


def _checked_path(path: str) -> str:
    if path:
        return path
    raise _native.InvalidArgument("labels is the path of a file or a list of labels, not ''")


def _label_line(number: int, label: Any) -> str:
    import json

    if not isinstance(label, dict):
        if not isinstance(label, (list, tuple)) or len(label) not in (2, 3):
            raise TypeError(f"labels[{number}] is neither (a, b), (a, b, similarity) nor a dict with a and b")
        label = dict(zip(("a", "b", "similarity"), label))
    try:
        return json.dumps(label, default=_plain, allow_nan=False) + "\n"
    except ValueError:
        raise _native.InvalidArgument(f"labels[{number}] has a number that is none, NaN or infinite: {label}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return value.item() if hasattr(value, "item") else str(value)

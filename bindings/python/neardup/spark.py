"""neardup.spark: deduplication of Spark DataFrames, with the result of neardup.dedup() on the same rows.

    from neardup.spark import dedup

    found = dedup(df, text="text", id="url")      # df: a pyspark.sql.DataFrame
    found.kept.write.parquet("clean/")            # the rows that stay, all columns
    found.duplicates.show()                       # id, duplicate_of, kind, distance, similarity

PySpark 3.5 or 4, Spark Connect from 4 on, no jar: neardup must be installed on all machines. docs/spark.md tells what
runs where.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

try:
    from pyspark.sql import DataFrame
    from pyspark.sql import functions as F
    from pyspark.sql.types import IntegerType, StringType, StructType
except ImportError as error:
    raise ImportError("neardup.spark needs PySpark: pip install 'pyspark[sql]>=3.5,<5'") from error

from neardup import _native
from neardup._options import bytes_of, recipe_of
from neardup._spark_columns import Source, column, field_of, order_of, source_of, unused_name
from neardup._spark_plan import Counted, Plan, Texts
from neardup._spark_query import FindNeighbours, StoredQuestion, check_distance, check_texts, check_values
from neardup._spark_session import Session, check_frame, session_of
from neardup._spark_tasks import Matching, Words

__all__ = ["DedupResult", "dedup", "near_duplicate_pairs", "query"]

_LEAST_MEMORY = 64 << 20

#: The ids of so many documents that go are sent to all machines, rather than all documents moved.
_MOST_NAMED = 500_000

#: Parameters of neardup.dedup() that are not there, and what is.
_ELSEWHERE = {
    "keep": "order= says which document of a cluster stays, the first in it: order=[F.desc(F.length('text'))] for the longest",
    "cluster": "clusters are stars; near_duplicate_pairs() gives the pairs of which components are made",
    "clusters": "group `duplicates` by duplicate_of",
    "group_key": "join `duplicates` with df by the id, and count",
    "pairs": "near_duplicate_pairs() gives all pairs",
    "mask": "the rows of `kept` and `duplicates` are told by their ids",
    "out": "write `kept` and `duplicates` with Spark",
    "into": "a store is made on one machine: neardup.dedup(into=)",
    "threads": "Spark divides the work: partitions=",
    "progress": "Spark shows its jobs",
}


class DedupResult:
    """What dedup() found.

    kept          the rows that stay, all columns
    duplicates    id, duplicate_of, kind ("exact", "near"), distance, similarity: one row for each that goes
    rejected      the rows without text, or without id: neither kept nor duplicates

    `duplicates` is held by Spark (in memory and on disk) until unpersist(), and so are rows that were numbered; the
    others are worked out from these and from the DataFrame that was given, which is read again.
    """

    def __init__(
        self,
        source: Source,
        num_read: int,
        duplicates: DataFrame,
        held: list[DataFrame],
        session: Session,
        send: Callable[[DataFrame], DataFrame],
    ):
        self._source, self._held, self._session, self._send = source, held, session, send
        self._num_read = num_read  # rows that are not rejected
        self.duplicates = duplicates

    @cached_property
    def kept(self) -> DataFrame:
        name = unused_name("_neardup_id", self._source.rows)
        removed = self.duplicates.select(F.col("id").alias(name))
        rows = self._source.rows.where(self._source.is_read)
        return self._shown(rows.join(self._send(removed), self._source.id == F.col(name), "left_anti"))

    @cached_property
    def rejected(self) -> DataFrame:
        return self._shown(self._source.rows.where(~self._source.is_read))

    def _shown(self, rows: DataFrame) -> DataFrame:
        return rows if self._source.number is None else rows.drop(self._source.number)

    @cached_property
    def counts(self) -> dict[str, int]:
        """{"read", "kept", "exact", "near", "rejected"}; read is the sum of the others. Counts the rows of df again."""
        of_kind = {row["kind"]: row["count"] for row in self.duplicates.groupBy("kind").count().collect()}
        exact, near = of_kind.get("exact", 0), of_kind.get("near", 0)
        kept, read = self._num_read - exact - near, self._source.rows.count()
        return {"read": read, "kept": kept, "exact": exact, "near": near, "rejected": read - self._num_read}

    def unpersist(self) -> None:
        """Gives back what Spark holds; `kept` and `duplicates` cannot be used any more. What is in a checkpoint folder
        stays there: it is yours. Over Spark Connect it is given back when nothing refers to it any more."""
        self.duplicates.unpersist()
        self._session.release(self._held)
        self._held = []


def dedup(
    df: DataFrame,
    *,
    text: str = "text",
    id: str | None = None,
    order: Any = None,
    against: DataFrame | None = None,
    verify: str = "",
    templates: bool = False,
    recipe: Any = "default",
    family: str = "auto",
    distance: int | None = None,
    idf: str | os.PathLike | None = None,
    commonness: str | os.PathLike | None = None,
    memory: int | str = "4G",
    partitions: int | None = None,
    **absent: Any,
) -> DedupResult:
    """Removes near-duplicates; every removed document names a kept one that it was compared with.

    df: a DataFrame of a classic session, or of Spark Connect from PySpark 4 on. It is read several times and must be deterministic: the
        same rows each time. Where it is not (rand(), a source that changes), checkpoint it first.
    text, id: its columns with the text (string or binary) and the id, which no two rows may share. Without an id column
        a document's id is the number of its row, from 0, in the order in which Spark has them: the rows are then
        checkpointed first (where the checkpoint folder is, else on the executors).
    order: which document of a cluster stays: the first in this order. A column or a list of columns, names or
        expressions: "fetched", [F.desc("score"), "url"]. By default the id. Documents that are equal in it are in order
        of their ids.
    against: documents with such columns that are only read: df is reduced against them. Without id they are numbered,
        too: `duplicate_of` is then the number of a row of df or of `against`.
    verify, templates, recipe, family, distance, idf, commonness, memory: as in neardup.dedup(). SimHash takes
        a distance, of 3 at most: the keys of k bits are blocks of 64 / (k + 1) bits. memory is what one machine would
        be given: it says how exactly n-grams are counted, which changes verdicts, and is no bound here.
    partitions: of what is shuffled; by default one for each 512 MB of texts, two for each core at least.

    Returns a DedupResult. It is that of neardup.dedup(rows, ...) where rows are those of df sorted by `order`, whatever
    the partitions. To the driver come a table of counts (a share of `memory`), up to 2,000,000 ranks and 500,000
    ids. While it runs spark.sql.execution.arrow.maxRecordsPerBatch of the session is lower where texts are large: no
    two calls at once on one session.
    Raises InvalidArgument, Unsupported, NotFound, ... (all of them neardup.Error) before the first job where it can;
    what goes wrong in a task is raised by Spark.
    """
    _check_call(df, against, partitions, absent)
    matching = _matching(recipe, family, verify, distance, templates, idf, commonness, memory)
    with _plan_of(df, matching, partitions) as plan:
        work = _prepared(plan, _Input(df, against, text, id, order), idf, commonness, verify)
        near = plan.near(work.texts)
        send = F.broadcast if near.num_rows + work.copies.num_rows <= _MOST_NAMED else _as_it_is
        duplicates = plan.result(_duplicates(work.documents, work.copies.frame, near.frame, send))
        held = plan.hand_over({work.source.number})
        return DedupResult(work.source, work.num_read, duplicates, held, session_of(df.sparkSession), send)


def near_duplicate_pairs(
    df: DataFrame,
    *,
    text: str = "text",
    id: str | None = None,
    order: Any = None,
    verify: str = "",
    templates: bool = False,
    recipe: Any = "default",
    family: str = "auto",
    distance: int | None = None,
    idf: str | os.PathLike | None = None,
    commonness: str | os.PathLike | None = None,
    memory: int | str = "4G",
    partitions: int | None = None,
    **absent: Any,
) -> DataFrame:
    """Returns all pairs of df whose texts are equal or similar: a, b, kind ("exact", "near"), distance, similarity.

    Those of `neardup dedup --pairs` on the same rows. In an exact pair `a` comes before `b` in `order`; in a near pair the
    first document with the text of `a` comes before the first with that of `b`. Of m documents that are all alike these
    are m * (m - 1) / 2, and of m different ones with a common key as many are compared, listed by one task.
    Parameters are those of dedup(). The DataFrame is held by Spark until unpersist().
    """
    _check_call(df, None, partitions, absent)
    matching = _matching(recipe, family, verify, distance, templates, idf, commonness, memory)
    with _plan_of(df, matching, partitions) as plan:
        work = _prepared(plan, _Input(df, None, text, id, order), idf, commonness, verify)
        return plan.result(_all_pairs(work.documents, work.copies.frame, plan.pairs(work.texts)))


def query(
    df: DataFrame,
    index: str | os.PathLike,
    *,
    id: str = "id",
    fingerprint: str = "fingerprint",
    text: str | None = None,
    distance: int | None = None,
    idf: str | os.PathLike | None = None,
) -> DataFrame:
    """Returns all stored documents within `distance` bits of each row of df: query (its id), id, distance.

    Those of `neardup index query` on the same fingerprints: none is missed, none is beyond, none is verified. Of one
    query the nearest come first, then those that were stored first. Nothing is shuffled.

    index: a folder of `neardup index create`, on a path that the driver and all machines can read. Each Python worker
        maps it into memory, which those of a machine share, after it has checked every byte. It must stay as it is
        until the result is worked out: else a task raises Mismatch. Stores of texts are not asked: one process has a
        store open.
    fingerprint: the column with what is asked for, made under the recipe of the index: bigint (the 64 bits as they
        are) or decimal(20,0), an array of them where a document has several. Null, and zeros alone, ask for nothing.
    text: the column with texts instead, string or binary: tasks fingerprint them under the recipe of the index. Batches
        of texts are as large as spark.sql.execution.arrow.maxRecordsPerBatch says.
    distance: bits, as many as the index finds at most, which is the default.
    idf: of an index whose recipe weighs words by their rarity, with text=: the file that it was made with.

    Nothing is worked out yet: the result is a DataFrame like any other.
    """
    check_frame(df, "df")
    folder = os.fspath(index)
    stored = _native.StoredIndex(folder, False)
    id_field = field_of(df, id, "id")
    value_field = field_of(df, fingerprint, "fingerprint") if text is None else field_of(df, text, "text")
    if text is None:
        check_values(value_field.name, value_field.dataType, stored.num_columns)
    else:
        check_texts(value_field.name, value_field.dataType)
        stored.take_texts("" if idf is None else os.fspath(idf))  # what is wrong is told here
    sent = None if text is None or idf is None else session_of(df.sparkSession).send(os.fspath(idf))
    most = check_distance(distance, stored.max_distance)
    question = StoredQuestion(folder, stored.identity, most, text is not None, sent)
    schema = StructType().add("query", id_field.dataType).add("id", StringType()).add("distance", IntegerType())
    asked = df.select(column(id_field.name).alias("query"), column(value_field.name).alias("value"))
    return asked.mapInArrow(FindNeighbours(question), schema)


@dataclass(frozen=True)
class _Input:
    """What the caller gave."""

    rows: DataFrame
    against: DataFrame | None
    text: str
    id: str | None
    order: Any


@dataclass(frozen=True)
class _Work:
    """What dedup() and near_duplicate_pairs() begin with."""

    source: Source
    num_read: int
    documents: DataFrame  # of Plan.read()
    copies: Counted  # of Plan.copies()
    texts: Texts  # the documents without copies


def _check_call(df: Any, against: Any, partitions: Any, absent: dict[str, Any]) -> None:
    for name in absent:
        if name not in _ELSEWHERE:
            raise TypeError(f"there is no parameter '{name}'")
        raise _native.Unsupported(f"{name}= is not there on Spark; {_ELSEWHERE[name]}")
    check_frame(df, "df")
    if against is not None:
        check_frame(against, "against")
    if partitions is not None and (type(partitions) is not int or partitions < 1):
        raise _native.InvalidArgument(f"partitions is 1 or more, not {partitions!r}")


def _matching(
    recipe: Any, family: str, verify: str, distance: int | None, templates: bool, idf: Any, commonness: Any,
    memory: int | str,
) -> Matching:
    """What is wrong is told here, not by a task: files are read, too."""
    words, size = Words(recipe_of(recipe), family, verify, distance, bool(templates)), bytes_of(memory)
    if words.recipe._idf:
        raise _native.InvalidArgument("the recipe names a file by idf=: give it as idf=, which sends it to the tasks")
    if size < _LEAST_MEMORY:
        raise _native.InvalidArgument(f"{size} bytes of memory are too little; {_LEAST_MEMORY} is the least")
    _native.SparkJudge(words.native(idf, commonness), size)
    return Matching(words, None, None, size)


@contextmanager
def _plan_of(df: DataFrame, matching: Matching, partitions: int | None) -> Iterator[Plan]:
    plan = Plan(df.sparkSession, session_of(df.sparkSession), matching, partitions)
    try:
        yield plan
    finally:
        plan.close()


def _prepared(plan: Plan, given: _Input, idf: Any, commonness: Any, verify: str) -> _Work:
    sources, order = _sources(plan, given)
    if idf is not None:
        plan.send_idf(os.fspath(idf))
    documents = plan.read(sources, order)
    copies = plan.copies(documents)
    if commonness is not None:
        plan.send_commonness(os.fspath(commonness))
    learns = commonness is None and verify in ("", "content")
    return _Work(sources[0], documents.num_documents, documents.rows, copies, plan.texts(documents, copies, learns))


def _sources(plan: Plan, given: _Input) -> tuple[list[Source], list[list[Any]]]:
    """Returns the documents and, behind them, those of `against`; and by what each is sorted."""
    frames = [given.rows] if given.against is None else [given.rows, given.against]
    number = None if given.id is not None else unused_name("_neardup_row", *frames)
    order = [order_of(frame, given.order) for frame in frames]
    for frame in frames:  # what is wrong with `against` is told before the first job, too
        source_of(frame, given.text, given.text if given.id is None else given.id)
    if number is not None:
        frames = [plan.numbered(frame, number) for frame in frames]
    sources = [source_of(frame, given.text, number or given.id, number) for frame in frames]
    types = [source.id_type for source in sources]
    if types[-1] != types[0]:
        raise _native.InvalidArgument(
            f"ids of df are of type {types[0].simpleString()}, those of against of {types[-1].simpleString()}; cast one"
        )
    return sources, order


def _as_it_is(frame: DataFrame) -> DataFrame:
    return frame


def _duplicates(
    documents: DataFrame, copies: DataFrame, near: DataFrame, send: Callable[[DataFrame], DataFrame]
) -> DataFrame:
    """Returns the table of duplicates: copies go where the one that was compared went. `send`: what to do with rows of
    those that go, so that they are joined."""
    ids = documents.select("rank", "id")
    near = near.select("rank", "kept", "similarity", "distance")
    followed = copies.join(send(near.withColumnRenamed("rank", "best")), "best", "left").select(
        "rank",
        F.coalesce("kept", "best").alias("kept"),
        F.coalesce("similarity", F.lit(1.0)).alias("similarity"),
        F.coalesce("distance", F.lit(0)).alias("distance"),
        F.when(F.col("kept").isNull(), "exact").otherwise("near").alias("kind"),
    )
    removed = near.withColumn("kind", F.lit("near")).unionByName(followed).where("rank >= 0")
    kept_ids = ids.select(F.col("rank").alias("kept"), F.col("id").alias("duplicate_of"))
    named = kept_ids.join(send(ids.join(send(removed), "rank")), "kept")
    return named.select("id", "duplicate_of", "kind", "distance", "similarity")


def _all_pairs(documents: DataFrame, copies: DataFrame, near: DataFrame) -> DataFrame:
    """Returns the pairs of documents that pairs of texts stand for."""
    ids = documents.select("rank", "id")
    members = ids.join(copies, "rank", "left").select("rank", "id", F.coalesce("best", "rank").alias("best"))
    one = members.select(F.col("best").alias("better"), F.col("rank").alias("a_rank"), F.col("id").alias("a"))
    other = members.select(F.col("best").alias("worse"), F.col("rank").alias("b_rank"), F.col("id").alias("b"))
    heads = copies.select("best").distinct().select(F.col("best").alias("better"), F.col("best").alias("worse"))
    same = heads.join(one, "better").join(other, "worse").where("a_rank < b_rank")
    exact = same.select("a", "b", F.lit("exact").alias("kind"), F.lit(0).alias("distance"), F.lit(1.0).alias("similarity"))
    alike = near.join(one, "better").join(other, "worse")
    return exact.unionByName(alike.select("a", "b", F.lit("near").alias("kind"), "distance", "similarity"))

"""neardup.spark: deduplication of Spark DataFrames, with the result of neardup.dedup() on the same rows.

    from neardup.spark import dedup

    found = dedup(df, text="text", id="url")      # df: a pyspark.sql.DataFrame
    found.kept.write.parquet("clean/")            # the rows that stay, all columns
    found.duplicates.show()                       # id, duplicate_of, kind, distance, similarity

PySpark 3.5 or 4, no jar: neardup must be installed on all machines. docs/spark.md tells what runs where.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from neardup import _native
from neardup._options import bytes_of, matching_of, recipe_of
from neardup._spark_plan import REFERENCE, Plan, checkpointed
from neardup._spark_tasks import Matching

__all__ = ["DedupResult", "dedup", "near_duplicate_pairs"]

_INTEGERS = ("tinyint", "smallint", "int", "bigint")


class DedupResult:
    """What dedup() found.

    kept          the rows that stay, all columns
    duplicates    id, duplicate_of, kind ("exact", "near"), distance, similarity: one row for each that goes
    rejected      the rows without text, or without id: neither kept nor duplicates

    `duplicates` is held by Spark (in memory and on disk) until unpersist(); the others are worked out from it.
    """

    def __init__(self, rows: DataFrame, text: str, id: str, columns: list[str], duplicates: DataFrame):
        self._rows, self._id, self._columns = rows, id, columns
        self._is_read = F.col(_quoted(text)).isNotNull() & F.col(_quoted(id)).isNotNull()
        self.duplicates = duplicates

    @cached_property
    def kept(self) -> DataFrame:
        removed = self.duplicates.select(F.col("id").alias("_neardup_id"))
        rows = self._rows.where(self._is_read)
        return self._shown(rows.join(removed, rows[_quoted(self._id)] == removed["_neardup_id"], "left_anti"))

    @cached_property
    def rejected(self) -> DataFrame:
        return self._shown(self._rows.where(~self._is_read))

    def _shown(self, rows: DataFrame) -> DataFrame:
        return rows if rows.columns == self._columns else rows.drop(self._id)  # the number of the row

    @cached_property
    def counts(self) -> dict[str, int]:
        """{"read", "kept", "exact", "near", "rejected"}; read is the sum of the others. Works them out."""
        of_kind = {row["kind"]: row["count"] for row in self.duplicates.groupBy("kind").count().collect()}
        read, whole = self._rows.agg(F.count(F.lit(1)), F.count(F.when(self._is_read, 1))).first()
        exact, near = of_kind.get("exact", 0), of_kind.get("near", 0)
        return {"read": read, "kept": whole - exact - near, "exact": exact, "near": near, "rejected": read - whole}

    def unpersist(self) -> None:
        """Gives back what Spark holds; `kept` and `duplicates` cannot be used any more."""
        self.duplicates.unpersist()


def dedup(
    df: DataFrame,
    *,
    text: str = "text",
    id: str | None = None,
    order: Any = None,
    against: DataFrame | None = None,
    verify: str = "",
    recipe: Any = "default",
    family: str = "auto",
    distance: int | None = None,
    idf: str | os.PathLike | None = None,
    commonness: str | os.PathLike | None = None,
    memory: int | str = "4G",
    partitions: int | None = None,
) -> DedupResult:
    """Removes near-duplicates; every removed document names a kept one that it was compared with.

    df: any DataFrame. text, id: its columns with the text (string or binary) and the id, which no two rows may share.
        Without an id column a document's id is the number of its row, from 0, in the order in which Spark has them:
        the rows are then checkpointed first (where the checkpoint folder is, else on the executors).
    order: which document of a cluster stays: the first in this order. A column or a list of columns, names or
        expressions: "fetched", [F.desc("score"), "url"]. By default the id. Documents that are equal in it are in order
        of their ids.
    against: documents of the same columns that are only read: df is reduced against them.
    verify, recipe, family, distance, idf, commonness, memory: as in neardup.dedup(). family "auto" is MinHash wherever
        the recipe has it, as memory bounds no cluster; SimHash takes a distance, at best of 3 or less: the keys of k
        bits are blocks of 64 / (k + 1) bits. memory is what one machine would be given: it says how exactly
        n-grams are counted, which changes verdicts, and is no bound here.
    partitions: of what is shuffled; by default four for each core.

    Returns a DedupResult. It is that of neardup.dedup(rows, ...) where rows are those of df sorted by `order`, whatever
    the partitions. Nothing but counts comes to the driver.
    Raises InvalidArgument, Unsupported, ... (all of them neardup.Error); what goes wrong in a task is raised by Spark.
    """
    matching = _matching(recipe, family, verify, distance, idf, memory)
    _check_columns(df, text, *([] if id is None else [id]))
    rows, id = (df, id) if id is not None else _numbered(df)
    plan = Plan(df.sparkSession, matching, partitions or _default_partitions(df.sparkSession))
    try:
        if idf is not None:
            plan.send_idf(os.fspath(idf))
        documents = _documents(plan, rows, against, text, id, order)
        copies = plan.copies(documents)
        texts = plan.without(documents, copies)
        plan.count_keys(texts)
        _provide_commonness(plan, texts, verify, commonness)
        near = plan.near(texts)
        duplicates = plan.result(_duplicates(documents, copies, near))
    finally:
        plan.close()
    return DedupResult(rows, text, id, df.columns, duplicates)


def near_duplicate_pairs(
    df: DataFrame,
    *,
    text: str = "text",
    id: str | None = None,
    order: Any = None,
    verify: str = "",
    recipe: Any = "default",
    family: str = "auto",
    distance: int | None = None,
    idf: str | os.PathLike | None = None,
    commonness: str | os.PathLike | None = None,
    memory: int | str = "4G",
    partitions: int | None = None,
) -> DataFrame:
    """Returns all pairs of df whose texts are equal or similar: a, b, kind ("exact", "near"), distance, similarity.

    Those of `neardup dedup --pairs` on the same rows; `a` comes before `b` in `order`. Of m documents that are all
    alike these are m * (m - 1) / 2. Parameters are those of dedup(). The DataFrame is held by Spark until unpersist().
    """
    matching = _matching(recipe, family, verify, distance, idf, memory)
    _check_columns(df, text, *([] if id is None else [id]))
    rows, id = (df, id) if id is not None else _numbered(df)
    plan = Plan(df.sparkSession, matching, partitions or _default_partitions(df.sparkSession))
    try:
        if idf is not None:
            plan.send_idf(os.fspath(idf))
        documents = _documents(plan, rows, None, text, id, order)
        copies = plan.copies(documents)
        texts = plan.without(documents, copies)
        plan.count_keys(texts)
        _provide_commonness(plan, texts, verify, commonness)
        pairs = plan.result(_all_pairs(documents, copies, plan.pairs(texts)))
    finally:
        plan.close()
    return pairs


def _matching(
    recipe: Any, family: str, verify: str, distance: int | None, idf: str | os.PathLike | None, memory: int | str
) -> Matching:
    words = (recipe_of(recipe), family, verify, distance)
    _native.SparkJudge(matching_of(*words, idf), bytes_of(memory))  # what is wrong is told here, not by a task
    return Matching(*words, None, None, bytes_of(memory))


def _provide_commonness(plan: Plan, texts: DataFrame, verify: str, commonness: str | os.PathLike | None) -> None:
    if commonness is not None:
        plan.send_commonness(os.fspath(commonness))
    elif verify in ("", "content"):
        plan.learn_commonness(texts)


def _default_partitions(spark: Any) -> int:
    try:
        return 4 * spark.sparkContext.defaultParallelism
    except Exception:  # Spark Connect has no context
        return int(spark.conf.get("spark.sql.shuffle.partitions"))


def _quoted(name: str) -> str:
    return f"`{name}`"


def _check_columns(rows: DataFrame, *names: str) -> None:
    for name in names:
        if name not in rows.columns:
            raise _native.InvalidArgument(f"there is no column '{name}'; there are: {', '.join(rows.columns)}")


def _numbered(df: DataFrame) -> tuple[DataFrame, str]:
    """Returns df with the number of each row, and held so that it stays the same; and the name of that column."""
    name = "row"
    while name in df.columns:
        name += "_"
    stable = checkpointed(df.withColumn(name, F.monotonically_increasing_id()))
    within = F.col(name) % F.lit(2**33)
    part = F.shiftright(F.col(name), 33)
    counts = {row["part"]: row["count"] for row in stable.groupBy(part.alias("part")).count().collect()}
    before, sum_before = [], 0
    for number in range(max(counts, default=-1) + 1):
        before.append(F.lit(sum_before).cast("long"))
        sum_before += counts.get(number, 0)
    if not before:
        return stable, name
    return stable.withColumn(name, F.element_at(F.array(*before), (part + 1).cast("int")) + within), name


def _documents(plan: Plan, rows: DataFrame, against: DataFrame | None, text: str, id: str, order: Any) -> DataFrame:
    ranked = _ranked(plan, rows, text, id, order)
    if against is not None:
        _check_columns(against, text, id)
        others = _ranked(plan, against, text, id, order).withColumn("rank", F.col("rank") + F.lit(REFERENCE))
        ranked = others.unionByName(ranked)
    documents = plan.documents(ranked)
    repeated = documents.where("rank >= 0").groupBy("id").count().where("count > 1").first()
    if repeated is not None:
        raise _native.InvalidArgument(
            f"{repeated['count']} rows have the id '{repeated['id']}'; each row needs its own: "
            "without id= the rows are numbered"
        )
    return documents


def _ranked(plan: Plan, rows: DataFrame, text: str, id: str, order: Any) -> DataFrame:
    given = order if isinstance(order, (list, tuple)) else [] if order is None else [order]
    columns = [F.col(column) if isinstance(column, str) else column for column in given]
    rows = rows.where(F.col(_quoted(text)).isNotNull() & F.col(_quoted(id)).isNotNull())
    ordered = plan.ranked(rows, [*columns, F.col(_quoted(id))])
    return ordered.select("rank", F.col(_quoted(id)).alias("id"), F.col(_quoted(text)).alias("text"))


def _duplicates(documents: DataFrame, copies: DataFrame, near: DataFrame) -> DataFrame:
    """Returns the table of duplicates: copies go where the one that was compared went."""
    ids = documents.select("rank", "id")
    near = near.select("rank", "kept", "similarity", "distance")
    followed = copies.join(near.withColumnRenamed("rank", "best"), "best", "left").select(
        "rank",
        F.coalesce("kept", "best").alias("kept"),
        F.coalesce("similarity", F.lit(1.0)).alias("similarity"),
        F.coalesce("distance", F.lit(0)).alias("distance"),
        F.when(F.col("kept").isNull(), "exact").otherwise("near").alias("kind"),
    )
    removed = near.withColumn("kind", F.lit("near")).unionByName(followed).where("rank >= 0")
    kept_ids = ids.select(F.col("rank").alias("kept"), F.col("id").alias("duplicate_of"))
    named = removed.join(ids, "rank").join(kept_ids, "kept")
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

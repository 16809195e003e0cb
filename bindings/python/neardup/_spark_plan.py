"""The stages of a deduplication on Spark, as DataFrames. docs/spark.md tells them in their order.

Everywhere a document is its rank: a long that is smaller the earlier the document comes in the order of keeping; below
0 for references. What comes to the driver is bounded by MOST_SENT and by the memory that a call is given.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from typing import Any

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StructType

from neardup import _native
from neardup._spark_columns import Source, numbered
from neardup._spark_sent import Sent
from neardup._spark_session import Session
from neardup._spark_tasks import (
    AddCounts,
    CompareFamilies,
    ComparePairs,
    CountKeys,
    CountNgrams,
    KeepShared,
    ListPairs,
    MakeRows,
    MakeStars,
    Matching,
)

_UNDECIDED, _KEPT, _FOLLOWER = range(3)  # cluster::MemberState

#: Of each bucket so many members are paired with all others in the first round; in each further one so many times more.
FIRST_LIMIT, MORE = 8, 32
#: The ranks of so many documents (16 MB) are sent to all machines by way of the driver, rather than the documents moved.
_MOST_SENT = 2_000_000
#: Batches of Arrow hold about so many bytes of texts, and no more than _MOST_BYTES.
_BATCH_BYTES, _MOST_BYTES = 64 << 20, 128 << 20
_ROWS_OF_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"

#: With more keys the counts would tell little: they take 256 MiB at most.
_MOST_KEYS = 2**30

REFERENCE = -(2**63)  # what is added to the ranks of references


class Plan:
    """One deduplication: what it is asked, and what it keeps on the machines until close()."""

    def __init__(self, spark: SparkSession, session: Session, matching: Matching, partitions: int):
        self._spark = spark
        self._session = session
        self._matching = matching
        self._partitions = partitions
        self._kept: list[DataFrame] = []
        self._worked_out: list[DataFrame] = []
        self._key_counts: Sent | None = None
        self._rows_of_batch = spark.conf.get(_ROWS_OF_BATCH)  # the session's

    def keep(self, frame: DataFrame) -> DataFrame:
        """Returns `frame`, which is worked out once, when it is first needed: by columns, on the executors' disks."""
        frame = frame.persist(StorageLevel.DISK_ONLY)
        self._kept.append(frame)
        return frame

    def work_out(self, frame: DataFrame) -> DataFrame:
        """Returns `frame`, which is worked out now, without its plan: plans of stages upon stages are written out by
        Spark for each job, and grow by a factor with every stage."""
        frame = self._session.checkpointed(frame)
        self._worked_out.append(frame)
        return frame

    def result(self, frame: DataFrame) -> DataFrame:
        """Returns `frame`, which is worked out now, without its plan, and held until its unpersist(); in the checkpoint
        folder if there is one. Spark's own persist() would work it out anew after other tables were given back."""
        frame = self._session.checkpointed(frame)

        def unpersist(blocking: bool = False) -> DataFrame:
            self._session.release([frame])
            return frame

        frame.unpersist = unpersist
        return frame

    def numbered(self, rows: DataFrame, name: str) -> DataFrame:
        """Returns `rows` with the number of each in the new column `name`, held so that they stay the same."""
        return numbered(self.work_out(rows.withColumn(name, F.monotonically_increasing_id())), name)

    def hand_over(self, names: set[str]) -> list[DataFrame]:
        """Returns what was worked out that has one of these columns: close() leaves it, release() gives it back."""
        handed = [frame for frame in self._worked_out if names & set(frame.columns)]
        self._worked_out = [frame for frame in self._worked_out if not names & set(frame.columns)]
        return handed

    def close(self) -> None:
        """Gives back what is kept, and sets the session as it was."""
        self._spark.conf.set(_ROWS_OF_BATCH, self._rows_of_batch)
        for frame in self._kept:
            frame.unpersist()
        self._session.release(self._worked_out)
        self._session.close()

    def bound_batches(self, num_rows: int, sum_bytes: int, most_bytes: int) -> None:
        """From now on batches of rows of such sizes are of a bounded number of bytes, as Spark bounds their rows alone."""
        of_mean = _BATCH_BYTES * max(num_rows, 1) // max(sum_bytes, 1)
        rows = max(1, min(of_mean, _MOST_BYTES // max(most_bytes, 1)))
        of_session = int(self._rows_of_batch)
        self._spark.conf.set(_ROWS_OF_BATCH, str(min(rows, of_session if of_session > 0 else 10_000)))

    def by(self, frame: DataFrame, *columns: str) -> DataFrame:
        """Returns `frame` divided by its first column and sorted by all within each part."""
        return frame.repartition(self._partitions, columns[0]).sortWithinPartitions(*columns)

    # -- texts ---------------------------------------------------------------------------------------------------------

    def read(self, source: Source, order: list[Any]) -> DataFrame:
        """Returns (rank, id, text); ranks ascend in `order`, then in order of the ids."""
        rows = source.rows.where(source.is_read)
        by = [*order, source.id]
        sorted_rows = rows.repartitionByRange(self._partitions, *by).sortWithinPartitions(*by)
        return sorted_rows.select(
            F.monotonically_increasing_id().alias("rank"), source.id.alias("id"), source.text.alias("text")
        )

    def documents(self, texts: DataFrame) -> DataFrame:
        """Returns what is compared of rows of rank, id, text: rank, id, and the columns of MakeRows."""
        schema = StructType().add("rank", LongType()).add(texts.schema["id"])
        for name, type in MakeRows.SCHEMA.items():
            schema = schema.add(name, type)
        return self.keep(self.by(texts.mapInArrow(MakeRows(self._matching), schema), "rank"))

    def bound_texts(self, *sources: Source) -> None:
        """Bounds the batches in which texts are read: bound_batches()."""
        size = F.octet_length("text")
        sizes = [
            source.rows.select(source.text.alias("text")).agg(F.count(size), F.sum(size), F.max(size)).first()
            for source in sources
        ]
        counts, sums, most = ([value or 0 for value in values] for values in zip(*sizes))
        self.bound_batches(sum(counts), sum(sums), max(most))

    def copies(self, documents: DataFrame) -> DataFrame:
        """Returns (rank, best) of each document that has the text of an earlier one."""
        text = ["high", "low"]
        texts = documents.groupBy(text).agg(F.min("rank").alias("best"), F.count("*").alias("count"))
        several = texts.where("count > 1").select(*text, "best")
        found = documents.select("rank", *text).join(several, text).where("rank != best").select("rank", "best")
        return self.work_out(found)

    def without(self, documents: DataFrame, ranks: DataFrame) -> DataFrame:
        """Returns the documents whose rank is not in `ranks`, which is kept."""
        few = ranks.count() <= _MOST_SENT
        ranks = ranks.select("rank")
        return documents.join(F.broadcast(ranks) if few else ranks, "rank", "left_anti")

    def count_keys(self, documents: DataFrame) -> None:
        """Finds out which keys several documents have: most are of one alone, and need not be sorted with the others.
        Bounds the batches of bodies."""
        size = F.octet_length("body")
        rows, sum_bytes, most_bytes, key_bytes = documents.agg(
            F.count(size), F.sum(size), F.max(size), F.sum(F.octet_length("keys"))
        ).first()
        self.bound_batches(rows, 2 * (sum_bytes or 0), 2 * (most_bytes or 0))  # a pair has two bodies
        num_keys = (key_bytes or 0) // 8
        if num_keys > _MOST_KEYS:
            return
        num_counters = _native.num_key_counters(num_keys)
        pieces = documents.select("keys", "families").mapInArrow(CountKeys(num_counters), CountNgrams.SCHEMA)
        self._key_counts = self._add_up(self.work_out(pieces), num_counters)

    def members(self, documents: DataFrame, keys: str, references_stay: bool = True) -> DataFrame:
        """Returns the buckets of documents: bucket, rank, state."""
        shared = documents.select("rank", F.col(keys).alias("keys"))
        shared = shared.mapInArrow(KeepShared(self._key_counts), KeepShared.SCHEMA)
        state = F.when(F.col("rank") < 0, _KEPT).otherwise(_UNDECIDED) if references_stay else F.lit(_UNDECIDED)
        return shared.select(F.explode("keys").alias("bucket"), "rank", state.cast("tinyint").alias("state"))

    # -- pairs and stars -----------------------------------------------------------------------------------------------

    def found_in(self, members: DataFrame, limit: int) -> DataFrame:
        """Returns what ListPairs finds among members: bucket, rank, state."""
        return self.work_out(self.by(members, "bucket", "rank").mapInArrow(ListPairs(limit), ListPairs.SCHEMA))

    def similar(self, found: DataFrame, sides: DataFrame, compare: ComparePairs) -> DataFrame:
        """Returns the similar ones of the pairs in `found`. sides: rank, side, divided by rank."""
        pairs = found.where(F.col("kind") == ListPairs.PAIR).select(F.col("a").alias("better"), F.col("b").alias("worse"))
        pairs = pairs.repartition(self._partitions, "better").distinct()
        half = pairs.join(_named(sides, "better"), "better")
        both = half.repartition(self._partitions, "worse").join(_named(sides, "worse"), "worse")
        both = both.select("better", "worse", "better_side", "worse_side")
        return self.work_out(both.mapInArrow(compare, ComparePairs.SCHEMA))

    def stars(self, members: DataFrame, sides: DataFrame, compare: ComparePairs) -> DataFrame:
        """Returns the fates (MakeStars.SCHEMA) of those that are not kept, each to the first kept one that it is similar
        to.

        A round pairs the members of each bucket with its first `limit` ones; who was paired with all that may be kept
        is decided for good. With M members in the largest bucket there are at most 1 + ceil(log(M / 8) / log(32))
        rounds: then no bucket has more than `limit`. One round decides chains of any length (cluster/star_stream.h).
        Different texts in one bucket are all kept, and paired with each other in the end.
        """
        limit, similar = FIRST_LIMIT, None
        while True:
            found = self.found_in(members, limit)
            news = self.similar(found, sides, compare)
            similar = news if similar is None else similar.union(news)
            fates = self.work_out(self._fates(similar, found))
            if fates.where(F.col("kind") != MakeStars.REMOVED).isEmpty():
                return fates
            members = _left(found, fates)
            limit *= MORE

    def _fates(self, similar: DataFrame, found: DataFrame) -> DataFrame:
        unseen = found.where(F.col("kind") == ListPairs.UNSEEN).groupBy(F.col("b").alias("worse"))
        unseen = unseen.agg(F.min("a").alias("better"))
        tiny, none = F.lit(0).cast("tinyint"), (F.lit(0.0).alias("similarity"), F.lit(0).alias("distance"))
        rows = similar.select("better", "worse", tiny.alias("unseen"), "similarity", "distance").union(
            unseen.select("better", "worse", F.lit(1).cast("tinyint").alias("unseen"), *none)
        )
        rows = rows.repartition(1).sortWithinPartitions("worse", "better", "unseen")
        return rows.mapInArrow(MakeStars(), MakeStars.SCHEMA)

    def pairs(self, documents: DataFrame) -> DataFrame:
        """Returns all similar pairs of different texts."""
        found = self.found_in(self.members(documents, "keys"), 2**32 - 1)
        return self.similar(found, _bodies(documents), ComparePairs(self._matching))

    def near(self, documents: DataFrame) -> DataFrame:
        """Returns the fates of different texts that are removed."""
        return self.stars(self.members(documents, "keys"), _bodies(documents), ComparePairs(self._matching))

    # -- what a corpus has in common -----------------------------------------------------------------------------------

    def learn_commonness(self, documents: DataFrame) -> None:
        """Counts n-grams as dedup does, each family once, and sends the counts to all machines."""
        signatures = documents.select("rank", F.col("signature").alias("side"))
        of_families = self.stars(self.members(documents, "families", False), signatures, CompareFamilies(self._matching))
        heads = self.without(documents, of_families)
        num_tokens = heads.agg(F.coalesce(F.sum("num_tokens"), F.lit(0))).first()[0]
        num_counters = _native.num_counters(num_tokens, self._matching.memory)
        pieces = self.work_out(heads.select("body").mapInArrow(CountNgrams(num_counters), CountNgrams.SCHEMA))
        self._matching = replace(self._matching, commonness=self._add_up(pieces, num_counters))

    def _add_up(self, pieces: DataFrame, num_counters: int) -> Sent:
        """Sends the sum of counts to all machines."""
        self._check_result_size(num_counters // 2)
        totals = pieces.agg(F.coalesce(F.sum("texts"), F.lit(0)), F.coalesce(F.sum("ngrams"), F.lit(0))).first()
        sections = self.by(pieces.where("section >= 0").select("section", "piece"), "section")
        counters = sections.mapInArrow(AddCounts(num_counters), AddCounts.SCHEMA).collect()
        by_section = {row.section: bytes(row.counters) for row in counters}
        empty = bytes(num_counters // _native.NUM_SECTIONS // 2)
        tables = [by_section.get(section, empty) for section in range(_native.NUM_SECTIONS)]
        with tempfile.TemporaryDirectory(prefix="neardup-") as folder:
            path = os.path.join(folder, "counts")
            _native.save_commonness(path, tables, *totals)
            return self._session.send(path)

    def _check_result_size(self, num_bytes: int) -> None:
        most_bytes = self._session.max_result_bytes()
        if 0 < most_bytes < num_bytes * 11 // 10:
            raise _native.Unsupported(
                f"a table of {num_bytes >> 20} MiB comes to the driver, which takes {most_bytes >> 20} MiB: raise "
                "spark.driver.maxResultSize, or lower memory="
            )

    def send_commonness(self, path: str) -> None:
        """Sends a file of counts to all machines."""
        self._matching = replace(self._matching, commonness=self._session.send(path))

    def send_idf(self, path: str) -> None:
        """Sends a file of the weights of words to all machines."""
        self._matching = replace(self._matching, idf=self._session.send(path))


def _named(sides: DataFrame, name: str) -> DataFrame:
    return sides.select(F.col("rank").alias(name), F.col("side").alias(f"{name}_side"))


def _bodies(documents: DataFrame) -> DataFrame:
    return documents.select("rank", F.col("body").alias("side"))


def _left(found: DataFrame, fates: DataFrame) -> DataFrame:
    """Returns the members for a further round, with the states that they have now."""
    left = found.where(F.col("kind") == ListPairs.LEFT)
    left = left.select(F.col("a").alias("bucket"), F.col("b").alias("rank"))
    state = (
        F.when(F.col("kind").isNull(), _KEPT)
        .when(F.col("kind") == MakeStars.FOLLOWER, _FOLLOWER)
        .otherwise(_UNDECIDED)
        .cast("tinyint")
    )
    known = left.join(fates.select("rank", "kind"), "rank", "left")
    stays = F.col("kind").isNull() | (F.col("kind") != MakeStars.REMOVED)
    return known.where(stays).select("bucket", "rank", state.alias("state"))

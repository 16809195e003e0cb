"""The stages of a deduplication on Spark, as DataFrames. docs/spark.md tells them in their order.

Everywhere a document is its rank: a long that is smaller the earlier the document comes in the order of keeping; below
0 for references. The driver holds counts and file names alone.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from dataclasses import replace
from typing import Any, Callable

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from neardup import _native
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
#: The ranks of so many documents are sent to all machines, rather than the documents moved.
_MOST_SENT = 2_000_000

#: With more keys the counts would tell little: they take 256 MiB at most.
_MOST_KEYS = 2**30

REFERENCE = -(2**63)  # what is added to the ranks of references


class Plan:
    """One deduplication: what it is asked, and what it keeps on the machines until close()."""

    def __init__(self, spark: SparkSession, matching: Matching, partitions: int):
        self._spark = spark
        self._matching = matching
        self._partitions = partitions
        self._kept: list[DataFrame] = []
        self._key_counts: str | None = None
        self._files = tempfile.TemporaryDirectory(prefix="neardup-")  # of what was sent: a lost part is made again

    def keep(self, frame: DataFrame) -> DataFrame:
        """Returns `frame`, which is worked out once, when it is first needed: by columns, on the executors' disks."""
        frame = frame.persist(StorageLevel.DISK_ONLY)
        self._kept.append(frame)
        return frame

    def work_out(self, frame: DataFrame) -> DataFrame:
        """Returns `frame`, which is worked out now, without its plan: plans of stages upon stages are written out by
        Spark for each job, and grow by a factor with every stage."""
        return checkpointed(frame)

    def result(self, frame: DataFrame) -> DataFrame:
        """Returns `frame`, which is worked out now and held until its unpersist()."""
        frame = frame.persist(StorageLevel.MEMORY_AND_DISK)
        frame.count()
        frame._neardup_files = self._files
        return frame

    def close(self) -> None:
        """Gives back what is kept."""
        for frame in self._kept:
            frame.unpersist()
        self._kept.clear()

    def by(self, frame: DataFrame, *columns: str) -> DataFrame:
        """Returns `frame` divided by its first column and sorted by all within each part."""
        return frame.repartition(self._partitions, columns[0]).sortWithinPartitions(*columns)

    # -- texts ---------------------------------------------------------------------------------------------------------

    def documents(self, rows: DataFrame) -> DataFrame:
        """Returns what is compared of rows of rank, id, text: those, and the columns of MakeRows."""
        id_type = rows.schema["id"].dataType.simpleString()
        made = rows.select("rank", "id", "text").mapInArrow(
            MakeRows(self._matching), f"rank long, id {id_type}, {MakeRows.SCHEMA}"
        )
        return self.keep(self.by(made, "rank"))

    def ranked(self, rows: DataFrame, order: list[Any]) -> DataFrame:
        """Returns `rows` with a rank that ascends in `order`."""
        sorted_rows = rows.repartitionByRange(self._partitions, *order).sortWithinPartitions(*order)
        return sorted_rows.withColumn("rank", F.monotonically_increasing_id())

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
        """Finds out which keys several documents have: most are of one alone, and need not be sorted with the others."""
        num_keys = (documents.agg(F.sum(F.octet_length("keys"))).first()[0] or 0) // 8
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

    def _add_up(self, pieces: DataFrame, num_counters: int) -> str:
        """Sends the sum of counts to all machines; returns its name."""
        totals = pieces.agg(F.coalesce(F.sum("texts"), F.lit(0)), F.coalesce(F.sum("ngrams"), F.lit(0))).first()
        sections = self.by(pieces.where("section >= 0").select("section", "piece"), "section")
        counters = sections.mapInArrow(AddCounts(num_counters), AddCounts.SCHEMA).collect()
        by_section = {row.section: bytes(row.counters) for row in counters}
        empty = bytes(num_counters // _native.NUM_SECTIONS // 2)
        tables = [by_section.get(section, empty) for section in range(_native.NUM_SECTIONS)]
        return self._send(lambda path: _native.save_commonness(path, tables, *totals))

    def send_commonness(self, path: str) -> None:
        """Sends a file of counts to all machines."""
        self._matching = replace(self._matching, commonness=self._send(lambda to: shutil.copyfile(path, to)))

    def send_idf(self, path: str) -> None:
        """Sends a file of the weights of words to all machines."""
        self._matching = replace(self._matching, idf=self._send(lambda to: shutil.copyfile(path, to)))

    def _send(self, write: Callable[[str], Any]) -> str:
        name = f"neardup-{uuid.uuid4().hex}.counts"
        path = os.path.join(self._files.name, name)
        write(path)
        send_file(self._spark, path)
        return name


def checkpointed(frame: DataFrame) -> DataFrame:
    """Returns `frame` worked out: in the checkpoint folder where Spark has one, else on the executors."""
    context = getattr(frame.sparkSession, "_sc", None)
    has_folder = context is not None and context._jsc.sc().getCheckpointDir().isDefined()
    return frame.checkpoint() if has_folder else frame.localCheckpoint()


def send_file(spark: SparkSession, path: str) -> None:
    """Sends a file to all machines, where SparkFiles knows it by its name."""
    if hasattr(spark, "addArtifacts") and not hasattr(spark, "_jsparkSession"):
        spark.addArtifacts(path, file=True)  # Spark Connect
    else:
        spark.sparkContext.addFile(path)


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

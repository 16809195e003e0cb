"""The stages of a deduplication on Spark, as DataFrames. docs/spark.md tells them in their order.

Everywhere a document is its rank: a long that is smaller the earlier the document comes in the order of keeping; below
0 for references. What comes to the driver is bounded by MOST_SENT and by the memory that a call is given.
"""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import ByteType, IntegerType, LongType, ShortType, StructField, StructType

from neardup import _native
from neardup._spark_columns import Source, numbered
from neardup._spark_sent import Sent
from neardup._spark_session import Session
from neardup._spark_tasks import (
    AddCounts,
    ComparePairs,
    CutKeys,
    ListKeys,
    ListPairs,
    MakeRows,
    MakeStars,
    Matching,
    MeetPairs,
    ReadBlocks,
)

_UNDECIDED, _KEPT, _FOLLOWER = range(3)  # cluster::MemberState

#: Of each bucket so many members are paired with all others in the first round; in each further one so many times more.
FIRST_LIMIT, MORE = 8, 32
#: The ranks of so many documents (16 MB) are sent to all machines by way of the driver, rather than the documents moved.
_MOST_SENT = 2_000_000
#: Batches of Arrow hold about so many bytes of texts, and no more than _MOST_BYTES.
_BATCH_BYTES, _MOST_BYTES = 64 << 20, 128 << 20
_ROWS_OF_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
#: What is kept is hashes, which no code makes smaller; arrays of more than half a megabyte are dear to Java's collector.
_SETTINGS = {
    "spark.sql.inMemoryColumnarStorage.compressed": "false",
    "spark.sql.inMemoryColumnarStorage.batchSize": "1000",
}

#: A partition of a shuffle has about so many bytes of texts, and a part of the keys so many keys (16 bytes each).
_PARTITION_BYTES, _PART_KEYS = 512 << 20, 2**22
#: Bytes of a block of bodies; many more where a text is larger.
_BLOCK_BYTES = 512 << 10
#: What is cut at once of keys, in all parts (spark_sketches.cc).
_PIECE_BYTES = 4 << 20
#: Of a document, of candidates and of families together.
_KEYS_OF_DOCUMENT = 64

REFERENCE = -(2**63)  # what is added to the ranks of references


@dataclass(frozen=True)
class Documents:
    """What was read: rank, id, high, low, num_tokens, block, row, data (the sketch); and blocks of bodies: block, data."""

    rows: DataFrame
    blocks: DataFrame


@dataclass(frozen=True)
class Texts(Documents):
    """Different texts; whether it is learnt from them what a corpus has in common."""

    learns: bool
    num_texts: int
    num_tokens: int


@dataclass(frozen=True)
class _Sizes:
    """What is known of the texts before they are read."""

    sum_bytes: int
    num_parts: int  # partitions that the caller's DataFrames have
    has_rank_ids: bool  # ids are integers from 0 on


class Plan:
    """One deduplication: what it is asked, and what it keeps on the machines until close()."""

    def __init__(self, spark: SparkSession, session: Session, matching: Matching, partitions: int | None):
        self._spark = spark
        self._session = session
        self._matching = matching
        self._given_partitions = partitions
        self._partitions = partitions or 1
        self._kept: list[DataFrame] = []
        self._worked_out: list[DataFrame] = []
        self._of_session = {name: spark.conf.get(name) for name in (_ROWS_OF_BATCH, *_SETTINGS)}
        for name, value in _SETTINGS.items():
            spark.conf.set(name, value)

    @property
    def _bare(self) -> Matching:
        """What sketches are made and met by: nothing of a corpus."""
        return replace(self._matching, commonness=None)

    def keep(self, frame: DataFrame, level: StorageLevel = StorageLevel.DISK_ONLY) -> DataFrame:
        """Returns `frame`, which is worked out once, when it is first needed: by columns, on the executors' disks, or in
        the memory that Spark has for that while there is some."""
        frame = frame.persist(level)
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
        for name, value in self._of_session.items():
            self._spark.conf.set(name, value)
        for frame in reversed(self._kept):  # what is made of others first: else Spark would keep it anew
            frame.unpersist()
        self._session.release(self._worked_out)
        self._session.close()

    def bound_batches(self, num_rows: int, sum_bytes: int, most_bytes: int) -> None:
        """From now on batches of rows of such sizes are of a bounded number of bytes, as Spark bounds their rows alone."""
        of_mean = _BATCH_BYTES * max(num_rows, 1) // max(sum_bytes, 1)
        rows = max(1, min(of_mean, _MOST_BYTES // max(most_bytes, 1)))
        of_session = int(self._of_session[_ROWS_OF_BATCH])
        self._spark.conf.set(_ROWS_OF_BATCH, str(min(rows, of_session if of_session > 0 else 10_000)))

    def by(self, frame: DataFrame, *columns: str) -> DataFrame:
        """Returns `frame` divided by its first column and sorted by all within each part."""
        return frame.repartition(self._partitions, columns[0]).sortWithinPartitions(*columns)

    # -- texts ---------------------------------------------------------------------------------------------------------

    def read(self, sources: list[Source], orders: list[list[Any]]) -> Documents:
        """Returns what is compared of the documents, and of references behind them. Ranks ascend in order, then in order
        of the ids. Raises InvalidArgument where several documents have one id."""
        sizes = self._sizes(sources)
        for source in sources:
            if source.number is None:
                self._check_ids(source)
        are_ranks = sizes.has_rank_ids and not any(orders)
        texts = self._union([s.rows.where(s.is_read).select(s.id.alias("id"), s.text.alias("text")) for s in sources])
        if are_ranks:
            texts = texts.withColumn("rank", self._offset(F.col("id").cast("long")))
        if sizes.num_parts < self._session.num_cores() and sizes.sum_bytes > _PARTITION_BYTES:
            texts = texts.repartition(self._partitions, "id")
        # Not persisted: Spark may work that out anew for one of its two readers, with other blocks.
        made = self.work_out(texts.mapInArrow(MakeRows(self._bare), self._made_schema(texts)))
        rows = made.where(F.col("row") != MakeRows.BLOCK)
        if not are_ranks:
            ranks = self._union([self._ranks(*each) for each in zip(sources, orders)])
            rows = rows.join(ranks.withColumn("rank", self._offset(F.col("rank"))), ["id", "source"])
        rows = rows.select("rank", "id", "high", "low", "num_tokens", "block", "row", "data")
        rows = self.keep(rows, StorageLevel.MEMORY_AND_DISK)
        return Documents(rows, made.where(F.col("row") == MakeRows.BLOCK).select("block", "data"))

    def _union(self, frames: list[DataFrame]) -> DataFrame:
        """Returns the rows of all, with the number of theirs as `source`."""
        frames = [frame.withColumn("source", F.lit(number)) for number, frame in enumerate(frames)]
        return functools.reduce(DataFrame.union, frames)

    @staticmethod
    def _offset(rank: Column) -> Column:
        """Returns the rank among documents and references: those of references are below 0."""
        return F.when(F.col("source") == 0, rank).otherwise(rank + F.lit(REFERENCE))

    def _ranks(self, source: Source, order: list[Any]) -> DataFrame:
        """Returns (id, rank): these columns alone are sorted."""
        by = [*order, source.id]
        rows = source.rows.where(source.is_read)
        rows = rows.repartitionByRange(self._partitions, *by).sortWithinPartitions(*by)
        return rows.select(source.id.alias("id"), F.monotonically_increasing_id().alias("rank"))

    @staticmethod
    def _made_schema(texts: DataFrame) -> StructType:
        passed = [field for field in texts.schema.fields if field.name != "text"]
        schema = StructType([StructField(field.name, field.dataType) for field in passed])  # a block has none of these
        for name, type in MakeRows.SCHEMA.items():
            schema = schema.add(name, type)
        return schema

    def _sizes(self, sources: list[Source]) -> _Sizes:
        """Looks at all texts, so that the batches in which they are read are bounded, and partitions are enough."""
        size, parts = F.octet_length("text"), F.spark_partition_id() + 1
        are_integers = isinstance(sources[0].id_type, (ByteType, ShortType, IntegerType, LongType))
        least_id = F.min("id").cast("long") if are_integers else F.lit(-1)
        found = [
            source.rows.where(source.is_read)
            .select(source.id.alias("id"), source.text.alias("text"), parts.alias("part"))
            .agg(F.count(size), F.sum(size), F.max(size), F.max("part"), least_id)
            .first()
            for source in sources
        ]
        counts, sums, most, parts, least = ([value or 0 for value in values] for values in zip(*found))
        self._most_bytes = max(most)
        self.bound_batches(sum(counts), sum(sums), self._most_bytes)
        cores = self._session.num_cores()
        self._partitions = self._given_partitions or max(2 * cores, sum(sums) // _PARTITION_BYTES)
        return _Sizes(sum(sums), sum(parts), min(least) >= 0)

    @staticmethod
    def _check_ids(source: Source) -> None:
        """Ranks are joined by ids: each must be there once."""
        ids = source.rows.where(source.is_read).select(source.id.alias("id"))
        repeated = ids.groupBy("id").count().where("count > 1").first()
        if repeated is not None:
            raise _native.InvalidArgument(
                f"{repeated['count']} rows have the id '{repeated['id']}'; each row needs its own: "
                "without id= the rows are numbered"
            )

    def copies(self, rows: DataFrame) -> DataFrame:
        """Returns each document that has the text of an earlier one, whose rank is `best`."""
        text = ["high", "low"]
        texts = rows.groupBy(text).agg(F.min("rank").alias("best"), F.count("*").alias("count"))
        several = self._small(self.work_out(texts.where("count > 1").select(*text, "best")))
        found = rows.select("rank", "block", "row", *text).join(several, text).where("rank != best")
        self._copies = self.work_out(found.select("rank", "best", "block", "row", "low"))
        return self._copies

    def texts(self, documents: Documents, copies: DataFrame, learns: bool) -> Texts:
        """Returns the documents without copies."""
        rows = documents.rows.join(self._small(copies.select("rank")), "rank", "left_anti")
        return Texts(rows, documents.blocks, learns, *rows.agg(F.count("rank"), _num_tokens()).first())

    def _small(self, frame: DataFrame) -> DataFrame:
        """Returns `frame`, which was worked out; sent to all machines where it has few rows."""
        return F.broadcast(frame) if frame.count() <= _MOST_SENT else frame

    # -- pairs and stars -----------------------------------------------------------------------------------------------

    def begin(self, texts: Texts, keys: int, limit: int) -> DataFrame:
        """Returns what ListPairs finds in the buckets of keys (CutKeys.CANDIDATES, FAMILIES or BOTH), none of whose
        members is known to be kept."""
        num_parts = max(self._partitions, texts.num_texts * _KEYS_OF_DOCUMENT // _PART_KEYS, 2)
        part_bits = (num_parts - 1).bit_length()
        self.bound_batches(1, _PIECE_BYTES >> part_bits, _PIECE_BYTES)
        cut = CutKeys(self._bare, keys, part_bits)
        pieces = texts.rows.select("rank", "data").mapInArrow(cut, CutKeys.SCHEMA)
        pieces = pieces.repartition(self._partitions, "part").sortWithinPartitions("part")
        return self.work_out(pieces.mapInArrow(ListKeys(limit), ListPairs.SCHEMA))

    def found_in(self, members: DataFrame, limit: int) -> DataFrame:
        """Returns what ListPairs finds among members: bucket, rank, state."""
        return self.work_out(self.by(members, "bucket", "rank").mapInArrow(ListPairs(limit), ListPairs.SCHEMA))

    def met(self, found: DataFrame, texts: Texts, keys: int) -> DataFrame:
        """Returns the pairs in `found` that meet (MeetPairs.SCHEMA), by the sketches in `texts`."""
        pairs = found.where(F.col("kind") == ListPairs.PAIR).select(F.col("a").alias("better"), F.col("b").alias("worse"))
        pairs = self.work_out(pairs.repartition(self._partitions, "better").distinct())
        sketches = texts.rows.select("rank", "data").join(self._small(self._ranks_in(pairs)), "rank", "left_semi")
        sketches = self.keep(sketches, StorageLevel.MEMORY_AND_DISK)
        return self.work_out(self._with_sides(pairs, sketches).mapInArrow(MeetPairs(self._bare, keys), MeetPairs.SCHEMA))

    def compared(self, pairs: DataFrame, texts: Texts) -> DataFrame:
        """Returns the similar ones of pairs (better, worse) that meet."""
        wanted = self._wanted(texts, self._ranks_in(pairs), ReadBlocks.WANT_BODY)
        return self._similar(pairs, self._read_blocks(texts.blocks, wanted, 0))

    def _similar(self, pairs: DataFrame, read: DataFrame) -> DataFrame:
        bodies = read.where(F.col("section") == ReadBlocks.BODY).select("rank", "data")
        size = F.octet_length("data")
        rows, sum_bytes, most_bytes = bodies.agg(F.count(size), F.sum(size), F.max(size)).first()
        self.bound_batches(rows, 2 * (sum_bytes or 0), 2 * (most_bytes or 0))  # a pair has two bodies
        both = self._with_sides(pairs.select("better", "worse"), bodies)
        return self.work_out(both.mapInArrow(ComparePairs(self._matching), ComparePairs.SCHEMA))

    def _ranks_in(self, pairs: DataFrame) -> DataFrame:
        """Returns (rank) of all in pairs."""
        ranks = pairs.select(F.col("better").alias("rank")).union(pairs.select(F.col("worse").alias("rank")))
        return self.work_out(ranks.distinct())

    def _with_sides(self, pairs: DataFrame, sides: DataFrame) -> DataFrame:
        """Returns pairs with what `sides` (rank, data) has of both."""
        both = pairs.join(_named(sides, "better"), "better").join(_named(sides, "worse"), "worse")
        return both.select("better", "worse", "better_side", "worse_side")

    def stars(self, found: DataFrame, similar: DataFrame, compare: Callable[[DataFrame], DataFrame]) -> DataFrame:
        """Returns the fates (MakeStars.SCHEMA) of those that are not kept, each to the first kept one that it is similar
        to. found: what the first round listed, similar: what is similar of that; `compare` says that of further ones.

        A round pairs the members of each bucket with its first `limit` ones; who was paired with all that may be kept
        is decided for good. With M members in the largest bucket there are at most 1 + ceil(log(M / 8) / log(32))
        rounds: then no bucket has more than `limit`. One round decides chains of any length (cluster/star_stream.h).
        Different texts in one bucket are all kept, and paired with each other in the end.
        """
        limit = FIRST_LIMIT
        while True:
            fates = self.work_out(self._fates(similar, found))
            if fates.where(F.col("kind") != MakeStars.REMOVED).isEmpty():
                return fates
            limit *= MORE
            found = self.found_in(_left(found, fates), limit)
            similar = similar.union(compare(found))

    def _fates(self, similar: DataFrame, found: DataFrame) -> DataFrame:
        unseen = found.where(F.col("kind") == ListPairs.UNSEEN).groupBy(F.col("b").alias("worse"))
        unseen = unseen.agg(F.min("a").alias("better"))
        tiny, none = F.lit(0).cast("tinyint"), (F.lit(0.0).alias("similarity"), F.lit(0).alias("distance"))
        rows = similar.select("better", "worse", tiny.alias("unseen"), "similarity", "distance").union(
            unseen.select("better", "worse", F.lit(1).cast("tinyint").alias("unseen"), *none)
        )
        rows = rows.repartition(1).sortWithinPartitions("worse", "better", "unseen")
        return rows.mapInArrow(MakeStars(), MakeStars.SCHEMA)

    def pairs(self, texts: Texts) -> DataFrame:
        """Returns all similar pairs of different texts."""
        if texts.learns:
            found = self.begin(texts, CutKeys.FAMILIES, FIRST_LIMIT)
            self._learn(texts, found, self.met(found, texts, CutKeys.FAMILIES), None)
        found = self.begin(texts, CutKeys.CANDIDATES, 2**32 - 1)
        return self.compared(_candidates(self.met(found, texts, CutKeys.CANDIDATES)), texts)

    def near(self, texts: Texts) -> DataFrame:
        """Returns the fates of different texts that are removed. One listing, and one reading of sketches and blocks,
        serve what a corpus has in common and what is similar."""
        keys = CutKeys.BOTH if texts.learns else CutKeys.CANDIDATES
        found = self.begin(texts, keys, FIRST_LIMIT)
        met = self.met(found, texts, keys)
        candidates = _candidates(met)

        def compare(found: DataFrame) -> DataFrame:
            return self.compared(_candidates(self.met(found, texts, CutKeys.CANDIDATES)), texts)

        if texts.learns:
            similar = self._similar(candidates, self._learn(texts, found, met, candidates))
        else:
            similar = self.compared(candidates, texts)
        return self.stars(_of_documents(found), similar, compare)

    # -- bodies, and what a corpus has in common -----------------------------------------------------------------------

    def _learn(self, texts: Texts, found: DataFrame, met: DataFrame, candidates: DataFrame | None) -> DataFrame:
        """Counts n-grams as dedup does, each family once, and sends the counts to all machines. Returns what ReadBlocks
        read for that, and with it the bodies of candidates."""
        fates = self.stars(_of_families(found), _families(met), lambda more: _families(self.met(more, texts, CutKeys.BOTH)))
        removed = self._wanted(texts, fates, ReadBlocks.NOT_COUNTED)
        copies = self._copies.select("block", "row", F.lit(ReadBlocks.NOT_COUNTED).cast("tinyint"), "rank", "low")
        wanted = removed.union(copies)
        if candidates is not None:
            wanted = wanted.union(self._wanted(texts, self._ranks_in(candidates), ReadBlocks.WANT_BODY))
        followers = texts.rows.join(self._small(fates.select("rank")), "rank", "left_semi")
        num_tokens = texts.num_tokens - followers.agg(_num_tokens()).first()[0]
        num_counters = _native.num_counters(num_tokens, self._matching.memory)
        self._check_result_size(num_counters // 2)
        read = self._read_blocks(texts.blocks, wanted, num_counters)
        self._matching = replace(self._matching, commonness=self._add_up(read, num_counters))
        return read

    def _wanted(self, texts: Texts, ranks: DataFrame, what: int) -> DataFrame:
        """Returns (block, row, what, rank, low) of the texts in `ranks`."""
        rows = texts.rows.select("rank", "block", "row", "low").join(self._small(ranks.select("rank")), "rank", "left_semi")
        return rows.select("block", "row", F.lit(what).cast("tinyint").alias("what"), "rank", "low")

    def _read_blocks(self, blocks: DataFrame, wanted: DataFrame, num_counters: int) -> DataFrame:
        """Returns what ReadBlocks gives."""
        entry = F.struct("row", "what", "rank", "low")
        lists = self.work_out(wanted.groupBy("block").agg(F.sort_array(F.collect_list(entry)).alias("wanted")))
        num_wanted = lists.agg(F.sum(F.size("wanted"))).first()[0] or 0
        if num_wanted <= _MOST_SENT:
            lists = F.broadcast(lists)
        how = "left" if num_counters > 0 else "inner"
        blocks = blocks.join(lists, "block", how).select("data", "wanted")
        self.bound_batches(1, _BLOCK_BYTES, max(_BLOCK_BYTES, self._most_bytes))
        return self.keep(blocks.mapInArrow(ReadBlocks(num_counters), ReadBlocks.SCHEMA))

    def _add_up(self, pieces: DataFrame, num_counters: int) -> Sent:
        """Sends the sum of counts to all machines."""
        totals = pieces.agg(F.coalesce(F.sum("texts"), F.lit(0)), F.coalesce(F.sum("ngrams"), F.lit(0))).first()
        sections = self.by(pieces.where("section >= 0").select("section", "data"), "section")
        by_section = {}
        for batch in self._session.batches(sections.mapInArrow(AddCounts(num_counters), AddCounts.SCHEMA)):
            by_section.update(zip(batch.column("section").to_pylist(), batch.column("counters").to_pylist()))
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


def _num_tokens() -> Column:
    return F.coalesce(F.sum("num_tokens"), F.lit(0))


def _named(sides: DataFrame, name: str) -> DataFrame:
    return sides.select(F.col("rank").alias(name), F.col("data").alias(f"{name}_side"))


def _of_families(found: DataFrame) -> DataFrame:
    """Returns of what was listed what is of buckets of families: these have odd numbers."""
    is_left, is_unseen = F.col("kind") == ListPairs.LEFT, F.col("kind") == ListPairs.UNSEEN
    return found.where((is_left & (F.col("a").bitwiseAND(1) == 1)) | (is_unseen & (F.col("state") == 1)))


def _of_documents(found: DataFrame) -> DataFrame:
    """Returns of what was listed what is not about references, which are kept whatever they are similar to."""
    return found.where((F.col("kind") != ListPairs.UNSEEN) | (F.col("b") >= 0))


def _families(met: DataFrame) -> DataFrame:
    """Returns those pairs that are of one family, as similar ones."""
    pairs = met.where(F.col("meets").bitwiseAND(MeetPairs.FAMILY) != 0)
    return pairs.select("better", "worse", F.lit(1.0).alias("similarity"), F.lit(0).alias("distance"))


def _candidates(met: DataFrame) -> DataFrame:
    """Returns those pairs that are to be compared."""
    is_candidate = F.col("meets").bitwiseAND(MeetPairs.CANDIDATES) != 0
    return met.where(is_candidate & (F.col("worse") >= 0)).select("better", "worse")


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

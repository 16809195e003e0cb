"""The stages of a deduplication on Spark, as DataFrames.

1. Texts: each becomes a checksum, a sketch of about 270 bytes (signatures) and a body of about .7 of the text's size
   (signature, token hashes), which is all that comparing needs. Texts are neither moved nor sorted.
2. Ranks: the sketches are sorted by id, or by the columns of `order`. Integer ids from 0 on, without `order`, are ranks.
3. Copies are found by checksum and go no further: of 100,000 equal documents one is compared.
4. Candidates: the keys of documents are split into parts of about 4 million (64 MB). The task that has all of a part
   sorts it and pairs each member of a bucket with the first 8 of it.
5. Meeting: the sketches of both are joined to each pair, which decides whether it is a candidate. No body moves for
   the others.
6. What the corpus has in common is learnt as on one machine, into the same table of counts.
7. Comparing: the bodies of both are joined to each candidate pair, and engine::Decision decides.
8. Stars: one task reads the similar pairs once, sorted by the worse rank. The verdict of a document depends only on
   better ones, and these come first, so one pass settles chains of any length.

Rounds: in a bucket of more than 8 members stage 4 notes for each member the first earlier rank with which it was not
paired, and stage 8 settles a document that goes to a kept one before that rank. The rest goes into a further round, in
the buckets concerned, with a limit 32 times as large: with M members in the largest bucket at most 1 + ceil(log(M / 8)
/ log(32)) rounds.

Everywhere a document is its rank: a long that is smaller the earlier the document comes in the order of keeping; below
0 for references. What comes to the driver is bounded by MOST_SENT and by the memory that a call is given.
"""

from __future__ import annotations

import functools
import os
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession, Window
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
    num_texts: int
    num_tokens: int
    num_documents: int  # of the texts; the others are references


@dataclass(frozen=True)
class Texts(Documents):
    """Different texts; whether it is learnt from them what a corpus has in common."""

    learns: bool


@dataclass(frozen=True)
class Counted:
    """What was worked out, and how many rows it has."""

    frame: DataFrame
    num_rows: int


@dataclass(frozen=True)
class _Read:
    """What ReadBlocks gave, with the sums of it."""

    frame: DataFrame
    num_counters: int  # of a table; 0: nothing was counted
    num_texts: int
    num_ngrams: int
    num_bodies: int
    sum_bytes: int  # of bodies
    most_bytes: int


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

    def measured(self, frame: DataFrame, **figures: Column) -> tuple[DataFrame, Any]:
        """Returns `frame` as work_out() does, and a Row of aggregates of it: one job is for both where that can be."""
        frame = self._session.checkpointed(frame, eager=False)
        self._worked_out.append(frame)  # before the job: close() gives back what one that fails leaves
        return frame, frame.agg(*(figure.alias(name) for name, figure in figures.items())).collect()[0]

    def counted(self, frame: DataFrame) -> Counted:
        """Returns `frame` as work_out() does, with the number of its rows."""
        frame, row = self.measured(frame, num_rows=_num_rows())
        return Counted(frame, row.num_rows)

    def result(self, frame: DataFrame) -> DataFrame:
        """Returns `frame`, which is worked out now, without its plan, and held until its unpersist(); in the checkpoint
        folder if there is one. Spark's own persist() would work it out anew after other tables were given back."""
        frame = self._session.checkpointed(frame)
        session, itself = self._session, weakref.ref(frame)  # a cycle would end in whichever thread collects garbage:

        def unpersist(blocking: bool = False) -> DataFrame:  # in one of gRPC's a frame of Spark Connect waits for itself
            frame = itself()
            session.release([frame])
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
        are_ranks = sizes.has_rank_ids and not any(orders)
        texts = self._union([s.rows.where(s.is_read).select(s.id.alias("id"), s.text.alias("text")) for s in sources])
        if are_ranks:
            texts = texts.withColumn("rank", self._offset(F.col("id").cast("long")))
        if sizes.num_parts < self._session.num_cores() and sizes.sum_bytes > _PARTITION_BYTES:
            texts = texts.repartition(self._partitions, "id")
        # Not persisted: Spark may work that out anew for one of its two readers, with other blocks.
        made, sums = self.measured(
            texts.mapInArrow(MakeRows(self._bare), self._made_schema(texts)),
            num_texts=F.count("num_tokens"), num_tokens=_num_tokens(),  # blocks have none, nor a source
            num_documents=F.count_if(F.col("source") == 0),
        )
        is_block = F.col("row") == MakeRows.BLOCK
        rows = made.where(~is_block)
        if any(orders):
            ranks = self._union([self._ranks(*each) for each in zip(sources, orders)])
            rows = rows.join(ranks.withColumn("rank", self._offset(F.col("rank"))), ["id", "source"])
        elif not are_ranks:
            rows = self._sorted(rows, "source", "id").withColumn("rank", self._offset(F.monotonically_increasing_id()))
        rows = rows.select("rank", "id", "high", "low", "num_tokens", "block", "row", "data")
        rows = self.keep(rows, StorageLevel.MEMORY_AND_DISK)
        blocks = made.where(is_block).select("block", "data")
        return Documents(rows, blocks, sums.num_texts, sums.num_tokens, sums.num_documents)

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
        rows = self._sorted(source.rows.where(source.is_read), *by)
        return rows.select(source.id.alias("id"), F.monotonically_increasing_id().alias("rank"))

    def _sorted(self, rows: DataFrame, *by: Any) -> DataFrame:
        return rows.repartitionByRange(self._partitions, *by).sortWithinPartitions(*by)

    @staticmethod
    def _made_schema(texts: DataFrame) -> StructType:
        passed = [field for field in texts.schema.fields if field.name != "text"]
        schema = StructType([StructField(field.name, field.dataType) for field in passed])  # a block has none of these
        for name, type in MakeRows.SCHEMA.items():
            schema = schema.add(name, type)
        return schema

    def _sizes(self, sources: list[Source]) -> _Sizes:
        """Looks at all texts, so that the batches in which they are read are bounded, and partitions are enough. Raises
        InvalidArgument for an id that is there more than once: documents are told apart by theirs."""
        are_integers = isinstance(sources[0].id_type, (ByteType, ShortType, IntegerType, LongType))
        rows = self._union([s.rows.where(s.is_read).select(s.id.alias("id"), s.text.alias("text")) for s in sources])
        size, part = F.octet_length("text").alias("size"), F.spark_partition_id() + 1
        rows = rows.select("source", "id", size, part.alias("part"), F.lit(1).alias("count"))
        figures = [F.sum("size").alias("size"), F.max("part").alias("part"), F.count("id").alias("count")]
        if sources[0].number is None:
            rows = rows.groupBy("source", "id").agg(*figures, F.max("size").alias("most"))
        else:
            rows = rows.withColumn("most", F.col("size"))
        row = rows.agg(
            F.sum("count").alias("num_rows"), F.sum("size").alias("sum_bytes"), F.max("most").alias("most_bytes"),
            F.max("part").alias("num_parts"), F.max("count").alias("repeated"), F.max_by("id", "count").alias("id"),
            (F.min("id").cast("long") if are_integers else F.lit(-1)).alias("least_id"),
        ).collect()[0]
        if (row.repeated or 0) > 1:
            raise _native.InvalidArgument(
                f"{row.repeated} rows have the id '{row.id}'; each row needs its own: without id= the rows are numbered"
            )
        self._most_bytes = row.most_bytes or 0
        self.bound_batches(row.num_rows or 0, row.sum_bytes or 0, self._most_bytes)
        by_size = (row.sum_bytes or 0) // _PARTITION_BYTES
        self._partitions = self._given_partitions or max(2 * self._session.num_cores(), by_size)
        return _Sizes(row.sum_bytes or 0, row.num_parts or 0, (row.least_id or 0) >= 0)

    def copies(self, documents: Documents) -> Counted:
        """Returns each document that has the text of an earlier one, whose rank is `best`."""
        text = ["high", "low"]
        texts = documents.rows.groupBy(text).agg(F.min("rank").alias("best"), F.count("*").alias("count"))
        several = _small(self.counted(texts.where("count > 1").select(*text, "best")))
        found = documents.rows.select("rank", "block", "row", *text, "num_tokens").join(several, text).where("rank != best")
        self._copies, sums = self.measured(
            found.select("rank", "best", "block", "row", "low", "num_tokens"), num_rows=_num_rows(), num_tokens=_num_tokens()
        )
        self._copied_tokens = sums.num_tokens
        return Counted(self._copies, sums.num_rows)

    def texts(self, documents: Documents, copies: Counted, learns: bool) -> Texts:
        """Returns the documents without copies."""
        rows = documents.rows.join(_small(copies, "rank"), "rank", "left_anti")
        num_texts, num_tokens = documents.num_texts - copies.num_rows, documents.num_tokens - self._copied_tokens
        return Texts(rows, documents.blocks, num_texts, num_tokens, documents.num_documents, learns)

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

    def met(self, found: DataFrame, texts: Texts, keys: int) -> Counted:
        """Returns the pairs in `found` that meet (MeetPairs.SCHEMA), by the sketches in `texts`."""
        pairs = found.where(F.col("kind") == ListPairs.PAIR).select(F.col("a").alias("better"), F.col("b").alias("worse"))
        pairs = self.counted(pairs.repartition(self._partitions, "better").distinct())
        sketches = texts.rows.select("rank", "data").join(self._ranks_in(pairs), "rank", "left_semi")
        sketches = self.keep(sketches, StorageLevel.MEMORY_AND_DISK)
        return self.counted(self._with_sides(pairs.frame, sketches).mapInArrow(MeetPairs(self._bare, keys), MeetPairs.SCHEMA))

    def compared(self, met: Counted, texts: Texts) -> DataFrame:
        """Returns the similar ones of the candidates among pairs that meet."""
        pairs = _candidates(met)
        wanted = self._wanted(texts, self._ranks_in(pairs), ReadBlocks.WANT_BODY)
        return self._similar(pairs, self._read_blocks(texts.blocks, wanted, 0))

    def _similar(self, pairs: Counted, read: _Read) -> DataFrame:
        self.bound_batches(read.num_bodies, 2 * read.sum_bytes, 2 * read.most_bytes)  # a pair has two bodies
        bodies = read.frame.where(F.col("section") == ReadBlocks.BODY).select("rank", "data")
        both = self._with_sides(pairs.frame.select("better", "worse"), bodies)
        return self.work_out(both.mapInArrow(ComparePairs(self._matching), ComparePairs.SCHEMA))

    def _ranks_in(self, pairs: Counted) -> DataFrame:
        """Returns (rank) of all in pairs, for a semi-join; sent to all machines where these are few. Some may come twice
        where there are few pairs."""
        ranks = pairs.frame.select(F.col("better").alias("rank")).union(pairs.frame.select(F.col("worse").alias("rank")))
        return F.broadcast(ranks) if 2 * pairs.num_rows <= _MOST_SENT else _small(self.counted(ranks.distinct()))

    def _with_sides(self, pairs: DataFrame, sides: DataFrame) -> DataFrame:
        """Returns pairs with what `sides` (rank, data) has of both."""
        both = pairs.join(_named(sides, "better"), "better").join(_named(sides, "worse"), "worse")
        return both.select("better", "worse", "better_side", "worse_side")

    def stars(self, found: DataFrame, similar: DataFrame, compare: Callable[[DataFrame], DataFrame]) -> Counted:
        """Returns the fates (MakeStars.SCHEMA) of those that are not kept, each to the first kept one that it is similar
        to. found: what the first round listed, similar: what is similar of that; `compare` says that of further ones.

        A round pairs the members of each bucket with its first `limit` ones; who was paired with all that may be kept
        is decided for good. With M members in the largest bucket there are at most 1 + ceil(log(M / 8) / log(32))
        rounds: then no bucket has more than `limit`. One round decides chains of any length (cluster/star_stream.h).
        Different texts in one bucket are all kept, and paired with each other in the end.
        """
        limit = FIRST_LIMIT
        while True:
            is_open = F.col("kind") != MakeStars.REMOVED
            fates, sums = self.measured(self._fates(similar, found), num_rows=_num_rows(), num_open=F.count_if(is_open))
            if sums.num_open == 0:
                return Counted(fates, sums.num_rows)
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
        return self.compared(self.met(found, texts, CutKeys.CANDIDATES), texts)

    def near(self, texts: Texts) -> Counted:
        """Returns the fates of different texts that are removed. One listing, and one reading of sketches and blocks,
        serve what a corpus has in common and what is similar."""
        keys = CutKeys.BOTH if texts.learns else CutKeys.CANDIDATES
        found = self.begin(texts, keys, FIRST_LIMIT)
        met = self.met(found, texts, keys)

        def compare(found: DataFrame) -> DataFrame:
            return self.compared(self.met(found, texts, CutKeys.CANDIDATES), texts)

        if texts.learns:
            candidates = _candidates(met)
            similar = self._similar(candidates, self._learn(texts, found, met, candidates))
        else:
            similar = self.compared(met, texts)
        return self.stars(_of_documents(found), similar, compare)

    # -- bodies, and what a corpus has in common -----------------------------------------------------------------------

    def _learn(self, texts: Texts, found: DataFrame, met: Counted, candidates: Counted | None) -> _Read:
        """Counts n-grams as dedup does, the first of each family once, and sends the counts to all machines. Returns what ReadBlocks
        read for that, and with it the bodies of candidates."""
        fates = self.stars(_of_families(found), _families(met), lambda more: _families(self.met(more, texts, CutKeys.BOTH)))
        wanted = self._wanted(texts, _not_counted(fates), ReadBlocks.NOT_COUNTED)
        if candidates is not None:
            wanted = wanted.union(self._wanted(texts, self._ranks_in(candidates), ReadBlocks.WANT_BODY))
        copies = self._copies.select("block", "row", F.lit(ReadBlocks.NOT_COUNTED).cast("tinyint"), "rank", "low", F.lit(0))
        read = self._read_blocks(texts.blocks, wanted.union(copies), texts.num_tokens)
        self._matching = replace(self._matching, commonness=self._add_up(read))
        return read

    def _wanted(self, texts: Texts, ranks: DataFrame, what: int) -> DataFrame:
        """Returns (block, row, what, rank, low, left_out) of the texts in `ranks`: the last are tokens that are not
        counted."""
        left_out = F.col("num_tokens") if what == ReadBlocks.NOT_COUNTED else F.lit(0)
        rows = texts.rows.select("rank", "block", "row", "low", left_out.alias("left_out")).join(ranks, "rank", "left_semi")
        return rows.select("block", "row", F.lit(what).cast("tinyint").alias("what"), "rank", "low", "left_out")

    def _read_blocks(self, blocks: DataFrame, wanted: DataFrame, num_tokens: int | None) -> _Read:
        """Returns what ReadBlocks gives. num_tokens: of all texts, whose n-grams are counted; None: nothing is counted."""
        entry = F.struct("row", "what", "rank", "low")
        lists = wanted.groupBy("block").agg(
            F.sort_array(F.collect_list(entry)).alias("wanted"), F.sum("left_out").alias("left_out")
        )
        lists, sums = self.measured(lists, num_rows=_sum(F.size("wanted")), left_out=_sum("left_out"))
        lists = _small(Counted(lists, sums.num_rows), "block", "wanted")
        counts = num_tokens is not None
        num_counters = _native.num_counters(num_tokens - sums.left_out, self._matching.memory) if counts else 0
        self._check_result_size(num_counters // 2)
        blocks = blocks.join(lists, "block", "left" if counts else "inner").select("data", "wanted")
        self.bound_batches(1, _BLOCK_BYTES, max(_BLOCK_BYTES, self._most_bytes))
        read = self.keep(blocks.mapInArrow(ReadBlocks(num_counters), ReadBlocks.SCHEMA))
        size = F.when(F.col("section") == ReadBlocks.BODY, F.octet_length("data"))
        most = F.coalesce(F.max(size), F.lit(0))
        sums = read.agg(_sum("texts"), _sum("ngrams"), F.count(size), _sum(size), most).collect()[0]
        return _Read(read, num_counters, *sums)

    def _add_up(self, read: _Read) -> Sent:
        """Sends the sum of counts to all machines."""
        sections = self.by(read.frame.where("section >= 0").select("section", "data"), "section")
        by_section = {}
        for batch in self._session.batches(sections.mapInArrow(AddCounts(read.num_counters), AddCounts.SCHEMA)):
            by_section.update(zip(batch.column("section").to_pylist(), batch.column("counters").to_pylist()))
        empty = bytes(read.num_counters // _native.NUM_SECTIONS // 2)
        tables = [by_section.get(section, empty) for section in range(_native.NUM_SECTIONS)]
        with tempfile.TemporaryDirectory(prefix="neardup-") as folder:
            path = os.path.join(folder, "counts")
            _native.save_commonness(path, tables, read.num_texts, read.num_ngrams)
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


def _num_rows() -> Column:
    return F.count(F.lit(1))


def _sum(column: Column | str) -> Column:
    return F.coalesce(F.sum(column), F.lit(0))


def _num_tokens() -> Column:
    return _sum("num_tokens")


def _small(counted: Counted, *names: str) -> DataFrame:
    """Returns these columns, or all; sent to all machines where there are few rows."""
    frame = counted.frame.select(*names) if names else counted.frame
    return F.broadcast(frame) if counted.num_rows <= _MOST_SENT else frame


def _named(sides: DataFrame, name: str) -> DataFrame:
    return sides.select(F.col("rank").alias(name), F.col("data").alias(f"{name}_side"))


def _not_counted(fates: Counted) -> DataFrame:
    """Returns (rank) of those that count once with the first of their family."""
    members = Window.partitionBy("kept").orderBy("rank")
    first = fates.frame.withColumn("member", F.row_number().over(members)).where(F.col("member") < _native.FAMILY_MEMBERS)
    return _small(Counted(first, fates.num_rows), "rank")


def _of_families(found: DataFrame) -> DataFrame:
    """Returns of what was listed what is of buckets of families: these have odd numbers."""
    is_left, is_unseen = F.col("kind") == ListPairs.LEFT, F.col("kind") == ListPairs.UNSEEN
    return found.where((is_left & (F.col("a").bitwiseAND(1) == 1)) | (is_unseen & (F.col("state") == 1)))


def _of_documents(found: DataFrame) -> DataFrame:
    """Returns of what was listed what is not about references, which are kept whatever they are similar to."""
    return found.where((F.col("kind") != ListPairs.UNSEEN) | (F.col("b") >= 0))


def _families(met: Counted) -> DataFrame:
    """Returns those pairs that are of one family, as similar ones."""
    pairs = met.frame.where(F.col("meets").bitwiseAND(MeetPairs.FAMILY) != 0)
    return pairs.select("better", "worse", F.lit(1.0).alias("similarity"), F.lit(0).alias("distance"))


def _candidates(met: Counted) -> Counted:
    """Returns those pairs that are to be compared; of their number a bound."""
    is_candidate = F.col("meets").bitwiseAND(MeetPairs.CANDIDATES) != 0
    return Counted(met.frame.where(is_candidate & (F.col("worse") >= 0)).select("better", "worse"), met.num_rows)


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

"""neardup.spark gives what neardup.dedup gives of the same rows, however Spark divides them."""
import json

import neardup
import neardup._spark_plan
import pytest
from conftest import CURRENT, HISTORY, LANGUAGES, check, frame_of, lines_of, rows_of
from neardup.spark import dedup, near_duplicate_pairs


@pytest.mark.parametrize("partitions", [1, pytest.param(7, marks=pytest.mark.smoke)])
def test_equals_one_machine(spark, partitions):
    rows = rows_of(HISTORY)
    check(dedup(frame_of(spark, rows, partitions), id="id", partitions=partitions), neardup.dedup(rows))


def test_more_partitions_than_needed(spark):
    rows = rows_of(HISTORY)[:12]
    check(dedup(frame_of(spark, rows, 16), id="id", partitions=16), neardup.dedup(rows))


SHORT = [
    {"id": f"s{number:02}", "text": text}
    for number, text in enumerate(
        [
            "How to install Python on Windows", "How to instal Python on Windows!", "How to install Java on Windows",
            "The committee approves the new budget for local schools", "The comittee approves the new budget for local schools",
            "Order 12345 has shipped", "Order 12346 has shipped", "", "   ", "...", "?!", "Order 12345 has shipped",
        ]
    )
]


def test_few_at_a_time(spark, monkeypatch):
    """Buckets with more members than the limit take further rounds, and nothing changes."""
    monkeypatch.setattr(neardup._spark_plan, "FIRST_LIMIT", 1)
    monkeypatch.setattr(neardup._spark_plan, "MORE", 3)
    rows = sorted(rows_of(HISTORY)[:200] + SHORT, key=lambda row: row["id"].encode())
    check(dedup(frame_of(spark, rows, 5), id="id", partitions=3), neardup.dedup(rows))


@pytest.mark.parametrize("verify", ["origin", "content"])
def test_against_other_documents(spark, verify):
    rows, others = sorted(rows_of(CURRENT)[:40] + SHORT, key=lambda row: row["id"].encode()), rows_of(HISTORY)[:80]
    found = dedup(frame_of(spark, rows, 3), id="id", against=frame_of(spark, others, 2), verify=verify)
    check(found, neardup.dedup(rows, against=others, verify=verify))


@pytest.mark.smoke
def test_rows_are_numbered_and_rejected(spark):
    """Without an id the number of the row is one; what has no text is rejected."""
    texts = [row["text"] for row in rows_of(LANGUAGES)] + [None, "Order 7 has shipped", "Order 7 has shipped!"]
    frame = spark.createDataFrame([(text, number) for number, text in enumerate(texts)], "text string, number int")
    found, expected = dedup(frame.repartition(1).sort("number")), neardup.dedup(texts)
    gone = sorted(tuple(row) for row in found.duplicates.collect())
    assert gone == [tuple(row.values()) for row in expected.duplicates]
    assert found.kept.columns == ["text", "number"] and found.counts == expected.counts
    assert [row["number"] for row in found.rejected.collect()] == expected.rejected


def test_templates(spark):
    text = (
        "The office of weather reports from the station at the harbour: in the night the lowest temperature was {} "
        "degrees, by day it rose to {} degrees, and the ferries left at their times, as on all days of the week."
    )
    rows = [{"id": f"r{number:02}", "text": text.format(number % 6, 11 + number % 4)} for number in range(24)]
    words = {"verify": "origin", "templates": True}
    expected = neardup.dedup(rows, **words)
    check(dedup(frame_of(spark, rows, 3), id="id", **words), expected)
    assert len(expected.kept) > len(neardup.dedup(rows, verify="origin").kept)


@pytest.mark.parametrize("distance", [0, 3])
def test_simhash(spark, distance):
    words = {"recipe": "grams", "family": "simhash", "distance": distance}
    rows = sorted(rows_of(HISTORY)[:120] + SHORT, key=lambda row: row["id"].encode())
    check(dedup(frame_of(spark, rows, 3), id="id", partitions=2, **words), neardup.dedup(rows, **words))


def test_order(spark):
    """The first in the order stays."""
    from pyspark.sql import functions as F

    rows = rows_of(HISTORY)[:60]
    frame = frame_of(spark, rows, 2).withColumn("size", F.length("text"))
    expected = sorted(rows, key=lambda row: (-len(row["text"]), row["id"].encode()))
    found = dedup(frame, id="id", order=[F.desc("size")], verify="jaccard:0.7", partitions=2)
    check(found, neardup.dedup(expected, verify="jaccard:0.7"))


def test_pairs(spark, run, tmp_path):
    rows = sorted(rows_of(HISTORY)[:60] + SHORT, key=lambda row: row["id"].encode())
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("dedup", path, "-o", tmp_path / "out", "--pairs")
    expected = lines_of(tmp_path / "out" / "pairs.jsonl")
    names = ("a", "b", "kind", "distance", "similarity")
    pairs = near_duplicate_pairs(frame_of(spark, rows, 3), id="id", partitions=2)
    assert pairs.columns == list(names)
    assert sorted(tuple(row) for row in pairs.collect()) == sorted(tuple(row[name] for name in names) for row in expected)


@pytest.mark.smoke
def test_mistakes_are_told_at_once(spark):
    frame = frame_of(spark, SHORT, 1)
    with pytest.raises(neardup.InvalidArgument, match="there is no column 'body'; there are: id, text"):
        dedup(frame, text="body", id="id")
    with pytest.raises(neardup.InvalidArgument, match="2 rows have the id 's00'"):
        dedup(frame_of(spark, SHORT + SHORT[:1], 1), id="id", partitions=1)
    with pytest.raises(neardup.InvalidArgument, match="needs distance="):
        dedup(frame, id="id", recipe="grams", family="simhash")
    with pytest.raises(neardup.Unsupported, match="code"):
        dedup(frame, id="id", recipe="code")
    with pytest.raises(neardup.InvalidArgument, match="jaccard"):
        dedup(frame, id="id", verify="jaccard:7")

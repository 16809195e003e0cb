"""neardup.spark.query gives what `neardup index query` gives, of fingerprints and of texts."""
import json
import random

import neardup
import pyarrow
import pytest
from conftest import CURRENT, HISTORY, rows_of
from neardup._spark_query import FindNeighbours, StoredQuestion
from neardup.spark import query

DISTANCE = 8


@pytest.fixture(scope="module")
def stored(run, tmp_path_factory):
    """An index of the texts of HISTORY, a twentieth of it deleted again, and texts to ask it for."""
    folder = tmp_path_factory.mktemp("query")
    rows, others = rows_of(HISTORY)[:200], rows_of(CURRENT)
    for name, part in (("stored", rows), ("asked", others)):
        lines = (json.dumps({"id": row["id"], "text": row["text"]}) + "\n" for row in part)
        (folder / f"{name}.jsonl").write_text("".join(lines))
        run("fingerprint", folder / f"{name}.jsonl", "--output-format", "bin", "-o", folder / f"{name}.ndfp")
    run("index", "create", folder / "index", "--distance", str(DISTANCE), folder / "stored.ndfp")
    run("index", "delete", folder / "index", *[row["id"] for row in rows[::20]])
    return folder


def expected_of(run, folder, *flags):
    run("index", "query", folder / "index", folder / "asked.ndfp", "--json", "-o", folder / "found.jsonl", *flags)
    lines = (folder / "found.jsonl").read_text(encoding="utf-8").splitlines()
    found = [tuple(json.loads(line)[name] for name in ("query", "id", "distance")) for line in lines]
    assert len(found) > 10
    return found


def signed(fingerprint):
    return fingerprint - 2**64 if fingerprint >= 2**63 else fingerprint


def asked_of(spark, schema, value_of):
    """Returns the rows that are asked for, value_of(fingerprints) each, in no order, and one that asks for nothing."""
    rows = rows_of(CURRENT)
    values = [value_of(row) for row in neardup.fingerprint([row["text"] for row in rows]).tolist()]
    found = [(row["id"], value) for row, value in zip(rows, values)] + [("nothing", None)]
    random.Random(3).shuffle(found)
    return spark.createDataFrame(found, schema).repartition(3)


def tuples_of(frame):
    assert frame.columns == ["query", "id", "distance"]
    return sorted(tuple(row) for row in frame.collect())


@pytest.mark.parametrize("distance", [pytest.param(None, marks=pytest.mark.smoke), 3])
def test_equals_one_machine(spark, run, stored, distance):
    expected = expected_of(run, stored, *([] if distance is None else ["--distance", str(distance)]))
    asked = asked_of(spark, "id string, fingerprint array<bigint>", lambda each: list(map(signed, each)))
    assert tuples_of(query(asked, stored / "index", distance=distance)) == sorted(expected)


def test_decimals_are_the_same(spark, run, stored):
    from decimal import Decimal

    asked = asked_of(spark, "id string, `f.p` array<decimal(20,0)>", lambda each: [Decimal(one) for one in each])
    assert tuples_of(query(asked, stored / "index", fingerprint="f.p")) == sorted(expected_of(run, stored))


@pytest.mark.smoke
def test_texts_are_fingerprinted_as_the_index_was(spark, run, stored):
    rows = [(row["id"], row["text"]) for row in rows_of(CURRENT)] + [("none", None), ("empty", "")]
    asked = spark.createDataFrame(rows, "id string, text string").repartition(2)
    assert tuples_of(query(asked, stored / "index", text="text")) == sorted(expected_of(run, stored))


@pytest.fixture(scope="module")
def of_one(run, tmp_path_factory):
    """An index of 3,000 numbers that differ in few bits, one for each document, and 500 to ask for; 40 bits are 0."""
    random_bits, folder = random.Random(5), tmp_path_factory.mktemp("one")
    numbers = [random_bits.getrandbits(24) | 1 << 63 for _ in range(3000)]
    (folder / "prints.tsv").write_text("".join(f"d{i}\t{number:016x}\n" for i, number in enumerate(numbers)))
    run("index", "create", folder / "index", "--distance", "3", folder / "prints.tsv")
    return folder, numbers


@pytest.mark.parametrize("type", ["bigint", "decimal(20,0)"])
def test_equals_the_slowest_way(spark, of_one, type):
    folder, numbers = of_one
    queries = [number ^ 1 << i % 24 for i, number in enumerate(numbers[:500])]
    frame = spark.createDataFrame([(i, signed(number)) for i, number in enumerate(queries)], "n int, value bigint")
    if type != "bigint":
        frame = frame.selectExpr("n", "cast(conv(hex(value), 16, 10) as decimal(20,0)) as value")
    frame = frame.unionByName(spark.sql(f"select -1 as n, cast(0 as {type}) as value"))  # zeros ask for nothing
    expected = [
        (i, f"d{j}", (one ^ other).bit_count())
        for i, one in enumerate(queries)
        for j, other in enumerate(numbers)
        if (one ^ other).bit_count() <= 3
    ]
    assert len(expected) > 600
    assert tuples_of(query(frame, folder / "index", id="n", fingerprint="value")) == sorted(expected)


def test_the_nearest_come_first(spark, of_one):
    folder, numbers = of_one
    frame = spark.createDataFrame([(7, signed(numbers[7]))], "id int, fingerprint bigint")
    found = [(row.distance, int(row.id[1:])) for row in query(frame, folder / "index").collect()]
    assert found == sorted(found) and found[0] == (0, 7)


BAD = [
    ({"fingerprint": "no"}, neardup.InvalidArgument, "there is no column 'no'; there are: id, fingerprint, n"),
    ({"id": "no"}, neardup.InvalidArgument, "there is no column 'no'"),
    ({"fingerprint": "n"}, neardup.InvalidArgument, "'n' of fingerprints is of type int; the index holds bigint or decimal"),
    ({"text": "n"}, neardup.InvalidArgument, "'n' of texts is of type int"),
    ({"distance": 4}, neardup.InvalidArgument, "the index finds what differs in 0 to 3 bits, not 4"),
    ({"distance": -1}, neardup.InvalidArgument, "0 to 3 bits, not -1"),
    ({"index": "/no/such/folder"}, neardup.NotFound, "/no/such/folder"),
]


@pytest.mark.smoke
@pytest.mark.parametrize("words,error,message", BAD, ids=lambda value: None)
def test_mistakes_are_told_at_once(spark, of_one, words, error, message):
    frame = spark.createDataFrame([(1, 2, 3)], "id int, fingerprint bigint, n int")
    with pytest.raises(error, match=message):
        query(frame, **{"index": of_one[0] / "index", **words})


def test_a_store_of_texts_is_refused(spark, run, tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"id": "a", "text": "the harbour was closed because of fog"}\n')
    run("index", "create", tmp_path / "store", tmp_path / "rows.jsonl")
    frame = spark.createDataFrame([(1, 2)], "id int, fingerprint bigint")
    with pytest.raises(neardup.Error, match="store"):
        query(frame, tmp_path / "store")


def test_an_index_that_changes_meanwhile_is_told(spark, run, tmp_path):
    """By who opens it later. Who has it open goes on with what he has, so the result is of the index that was asked."""
    (tmp_path / "one.tsv").write_text(f"a\t{7:016x}\n")
    (tmp_path / "two.tsv").write_text(f"b\t{7:016x}\n")
    run("index", "create", tmp_path / "index", tmp_path / "one.tsv")
    asked = spark.createDataFrame([(1, 7)], "id int, fingerprint bigint")
    assert tuples_of(query(asked, tmp_path / "index")) == [(1, "a", 0)]
    folder = str(tmp_path / "index")
    before = StoredQuestion(folder, neardup._native.StoredIndex(folder, False).identity, 3, False, None)
    run("index", "add", tmp_path / "index", tmp_path / "two.tsv")
    assert tuples_of(query(asked, tmp_path / "index")) == [(1, "a", 0), (1, "b", 0)]
    batch = pyarrow.record_batch({"query": pyarrow.array([1], pyarrow.int32()), "value": pyarrow.array([7], pyarrow.int64())})
    with pytest.raises(neardup.Mismatch, match="changed since it was asked"):
        list(FindNeighbours(before)([batch]))


def test_arrays_of_another_size(spark, stored):
    frame = spark.createDataFrame([(1, [7])], "id int, fingerprint array<bigint>")
    with pytest.raises(Exception, match="a query has 1 fingerprints, the index 2 for each document"):
        query(frame, stored / "index").collect()

"""Whatever a DataFrame's columns are called and typed: the result is right, or the mistake is told before any job."""
import neardup
import pytest
from conftest import IS_CONNECT, NEAR, TEXT, check, frame_of, held
from neardup.spark import dedup, near_duplicate_pairs


def found_in(frame, **words):
    """Returns (duplicates as (id, duplicate_of), ids of the real frame of kept rows)."""
    found = dedup(held(frame), partitions=1, verify="origin", **words)
    gone = sorted((row.id, row.duplicate_of) for row in found.duplicates.collect())
    rows = found.kept.collect()
    assert found.kept.columns == frame.columns and len(rows) == found.counts["kept"]
    found.unpersist()
    return gone, rows


@pytest.mark.parametrize(
    "id,others",
    [("rank", ["bucket", "best"]), ("Rank", ["a.b`c"]), ("text", ["id", "rank"]), ("_neardup_id", ["row"]), ("a.b`c", ["block"])],
)
def test_columns_may_be_called_anything(spark, id, others):
    """Of what neardup's own tables have, too: nothing of the caller's is written over."""
    name, numbers = "body" if id == "text" else "text", range(7, 7 + len(others))
    frame = spark.createDataFrame([("z", TEXT, *numbers), ("y", NEAR, *numbers)]).toDF(id, name, *others)
    gone, kept = found_in(frame, id=id, text=name)
    assert gone == [("z", "y")] and [tuple(row) for row in kept] == [("y", NEAR, *numbers)]


def test_the_number_of_a_row_takes_no_name(spark):
    frame = spark.createDataFrame([(1, 2, 3, TEXT), (4, 5, 6, NEAR)], "row int, Row_ int, _neardup_row int, text string")
    gone, kept = found_in(frame.repartition(1).sort("row"))
    assert gone == [(1, 0)] and [tuple(row) for row in kept] == [(1, 2, 3, TEXT)]


def test_against_without_ids(spark):
    """Both are numbered, as lists are on one machine."""
    texts, others = [TEXT, NEAR, "Order 7 has shipped"], ["Order 8 has shipped", TEXT.upper()]
    frames = [spark.createDataFrame([(text,) for text in part], "text string").coalesce(1) for part in (texts, others)]
    expected = neardup.dedup(texts, against=others, verify="origin")
    found = dedup(frames[0], against=frames[1], partitions=2, verify="origin")
    assert sorted(tuple(row) for row in found.duplicates.collect()) == [tuple(row.values()) for row in expected.duplicates]
    assert [row.text for row in found.kept.collect()] == list(expected.kept)
    found.unpersist()


def test_upper_case_is_the_rule_of_the_session(spark):
    frame = spark.createDataFrame([(1, TEXT), (2, NEAR)], "Url int, TEXT string")
    assert found_in(frame, id="url")[0] == [(2, 1)]
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        with pytest.raises(neardup.InvalidArgument, match="there is no column 'text'; there are: Url, TEXT"):
            dedup(frame, id="Url")
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_order_by_a_name_with_a_dot(spark):
    frame = spark.createDataFrame([(1, TEXT, 9), (2, NEAR, 3)], ["id", "text", "a.b"])
    assert found_in(frame, id="id", order="a.b")[0] == [(1, 2)]


@pytest.mark.parametrize("type,ids", [("int", (2, 10)), ("struct<`a b`: int>", ((2,), (10,))), ("binary", (b"a", b"b"))])
def test_ids_of_other_types(spark, type, ids):
    frame = spark.createDataFrame([(ids[1], NEAR), (ids[0], TEXT)], f"id {type}, text string")
    assert found_in(frame, id="id")[0] == [(ids[1], ids[0])]


def test_no_rows(spark):
    frame = spark.createDataFrame([], "id string, text string")
    for words in ({"id": "id"}, {}):
        found = dedup(frame, partitions=2, **words)
        assert found.kept.count() == found.duplicates.count() == found.rejected.count() == 0
        found.unpersist()


def test_many_equal_and_many_different_in_one_bucket(spark):
    """300 equal texts, and short ones that differ in a word: more than the first round's limit."""
    rows = [{"id": f"e{number:03}", "text": TEXT} for number in range(300)]
    rows += [{"id": f"s{number:03}", "text": f"Order {number} has shipped"} for number in range(40)]
    check(dedup(frame_of(spark, rows, 2), id="id", partitions=2), neardup.dedup(rows))


@pytest.mark.smoke
def test_large_texts_come_in_small_batches(spark):
    """Texts of 1 MB: batches are bounded by bytes, and the session's own setting is as it was."""
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before, seen = spark.conf.get(name), []
    import neardup._spark_plan as plan

    bound = plan.Plan.bound_batches

    def noted(self, *sizes):
        bound(self, *sizes)
        seen.append(int(spark.conf.get(name)))

    plan.Plan.bound_batches = noted
    try:
        frame = spark.range(12).selectExpr("id", "concat(id % 10, ' ', repeat('harbour fog ', 90000)) as text")
        assert found_in(frame, id="id")[0] == [(10, 0), (11, 1)]
    finally:
        plan.Plan.bound_batches = bound
    assert seen and all(1 <= rows <= 124 for rows in seen) and spark.conf.get(name) == before


BAD = [
    ({"id": "id", "text": "n"}, neardup.InvalidArgument, "'n' of texts is of type int; it must be string or binary: cast it"),
    ({"id": "map"}, neardup.InvalidArgument, "'map' of ids is of type map<string,int>, which has no order"),
    ({"id": "id", "text": "doc.text"}, neardup.InvalidArgument, "a field of a struct must be a column of its own"),
    ({"id": "id", "order": "no"}, neardup.InvalidArgument, "there is no column 'no'"),
    ({"id": "id", "memory": 5}, neardup.InvalidArgument, "5 bytes of memory are too little"),
    ({"id": "id", "partitions": 0}, neardup.InvalidArgument, "partitions is 1 or more, not 0"),
    ({"id": "id", "partitions": -3}, neardup.InvalidArgument, "partitions is 1 or more, not -3"),
    ({"id": "id", "keep": "longest"}, neardup.Unsupported, "keep= is not there on Spark; order="),
    ({"id": "id", "clusters": True}, neardup.Unsupported, "clusters= is not there on Spark"),
    ({"id": "id", "nonsense": 1}, TypeError, "there is no parameter 'nonsense'"),
    ({"id": "id", "commonness": "/no/such/file"}, neardup.NotFound, "/no/such/file"),
    ({"id": "id", "commonness": __file__}, neardup.Corruption, "not a whole file"),
    ({"id": "id", "idf": __file__}, neardup.Corruption, "not a whole IDF"),
    ({"id": "id", "recipe": "grams", "family": "simhash", "distance": 4}, neardup.Unsupported, "a distance of 3 at most, found 4"),
    ({"id": "id", "recipe": "grams", "idf": __file__}, neardup.InvalidArgument, "leave idf out"),
]


def num_jobs(spark):
    """Returns how many jobs there were; 0 where that cannot be asked."""
    return 0 if IS_CONNECT else len(spark.sparkContext.statusTracker().getJobIdsForGroup(None))


@pytest.mark.smoke
@pytest.mark.parametrize("words,error,message", BAD, ids=lambda value: None)
def test_mistakes_are_told_before_any_job(spark, words, error, message):
    fields = "id int, n int, text string, map map<string,int>, doc struct<text: string>"
    frame = spark.createDataFrame([(1, 1, TEXT, {"a": 1}, (TEXT,))], fields)
    jobs = num_jobs(spark)
    for call in (dedup, near_duplicate_pairs):
        with pytest.raises(error, match=message):
            call(frame, **words)
    assert num_jobs(spark) == jobs
    with pytest.raises(neardup.InvalidArgument, match="df is a pyspark.sql.DataFrame, not list"):
        dedup([TEXT])


@pytest.mark.smoke
def test_ids_of_against_are_of_the_same_type(spark):
    frame = spark.createDataFrame([(1, TEXT)], "id int, text string")
    with pytest.raises(neardup.InvalidArgument, match="ids of df are of type int, those of against of string; cast one"):
        dedup(frame, id="id", against=frame.selectExpr("cast(id as string) as id", "text"))

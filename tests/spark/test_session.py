"""A call leaves the caller's session as it was: whether it ended well or not."""
import array
import gc
import importlib
import os
import subprocess
import sys
import weakref
import zipfile

import neardup
import neardup._spark_plan
import neardup._spark_session
import pytest
from conftest import NEAR, TEXT, classic, held
from neardup import _native
from neardup._spark_worker import forget_archives
from neardup.spark import dedup, near_duplicate_pairs

ROWS = [("a", TEXT), ("b", TEXT), ("c", NEAR), ("d", "a library in the old town lends garden tools")]


def state_of(spark):
    """Returns what a call could leave behind in the context."""
    context = spark.sparkContext._jsc.sc()
    held = set(spark.sparkContext._jsc.getPersistentRDDs().keySet())
    return held, context.listFiles().size(), spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch")


def check_nothing_stays(spark, before):
    """Nothing is there that was not before. What earlier tests let go of may be gone: Spark gives it back when it likes."""
    held, files, rows = state_of(spark)
    assert held <= before[0] and (files, rows) == before[1:]


@classic
@pytest.mark.parametrize("id", [pytest.param("id", marks=pytest.mark.smoke), None])
def test_nothing_stays(spark, id):
    frame = held(spark.createDataFrame(ROWS, "id string, text string"))
    before = state_of(spark)
    found = dedup(frame, id=id, partitions=1)
    assert found.counts == {"read": 4, "kept": 2, "exact": 1, "near": 1, "rejected": 0}
    found.unpersist()
    pairs = near_duplicate_pairs(frame, id=id, partitions=1)
    assert pairs.count() == 3
    pairs.unpersist()
    check_nothing_stays(spark, before)


@pytest.mark.smoke
def test_results_are_in_no_cycle(spark):
    """One of Spark Connect tells the server when it goes. If the collector of garbage did that in a thread of gRPC, which
    holds what is needed for it, both would wait for ever."""
    plan = neardup._spark_plan.Plan(spark, neardup._spark_session.session_of(spark), None, 1)
    gc.disable()
    try:
        frame = plan.result(spark.range(3))
        assert frame.unpersist() is frame
        gone = weakref.ref(frame)
        del frame
        assert gone() is None
    finally:
        gc.enable()
        plan.close()


@classic
@pytest.mark.smoke
def test_a_failed_call_leaves_a_working_session(spark, monkeypatch):
    """Nothing is registered with the context that later jobs would fetch."""
    frame = held(spark.createDataFrame(ROWS, "id string, text string"))
    before = state_of(spark)
    monkeypatch.setattr(neardup._spark_plan.Plan, "near", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        dedup(frame, id="id", partitions=1)
    monkeypatch.undo()
    with pytest.raises(neardup.NotFound):
        dedup(frame, id="id", commonness="/no/such/file")
    with pytest.raises(neardup.InvalidArgument, match="2 rows have the id 'a'"):
        dedup(frame.union(frame.limit(1)), id="id", partitions=1)
    check_nothing_stays(spark, before)
    assert spark.range(3).count() == 3
    assert spark.range(3).rdd.map(lambda row: row.id).sum() == 3  # by Python workers, which fetch what is registered
    found = dedup(frame, id="id", partitions=1)
    assert found.kept.count() == 2
    found.unpersist()


@pytest.mark.smoke
def test_counts_of_an_earlier_run(spark, run, tmp_path):
    """commonness= takes the file of one machine."""
    texts = tmp_path / "rows.jsonl"
    texts.write_text('{"id": "a", "text": "%s"}\n{"id": "c", "text": "%s"}\n' % (TEXT, NEAR))
    run("dedup", texts, "-o", tmp_path / "out")
    path = tmp_path / "out" / "commonness.bin"
    frame = held(spark.createDataFrame(ROWS, "id string, text string"))
    rows = [{"id": id, "text": text} for id, text in ROWS]
    found, expected = dedup(frame, id="id", commonness=path, partitions=1), neardup.dedup(rows, commonness=path)
    assert sorted(row.id for row in found.duplicates.collect()) == [row["id"] for row in expected.duplicates] == ["b", "c"]
    found.unpersist()


@pytest.mark.smoke
def test_a_result_too_large_for_the_driver(spark, monkeypatch):
    monkeypatch.setattr(_native, "num_counters", lambda *_: 2**40)
    with pytest.raises(neardup.Unsupported, match="raise spark.driver.maxResultSize"):
        dedup(spark.createDataFrame(ROWS, "id string, text string"), id="id", partitions=1)


def test_pairs_of_a_large_bucket_come_in_batches():
    """A bucket of 3,000 has 4.5 million pairs: none of the batches has more than 65,536 rows and one."""
    size = 3000
    columns = array.array("q", [7] * size), array.array("q", range(size)), array.array("b", bytes(size))
    for limit, num_pairs in ((2**32 - 1, size * (size - 1) // 2), (8, 8 * (size - 8) + 28)):
        buckets, row, has_more, total = _native.SparkBuckets(limit), 0, True, 0
        while has_more:
            row, has_more, pairs, unseen, left = buckets.next(*map(memoryview, columns), row)
            assert len(pairs[0]) // 8 + len(left[0]) // 8 <= 65_537
            total += len(pairs[0]) // 8
        assert total == num_pairs and row == size


def test_who_imports_from_archives_is_forgotten(tmp_path, monkeypatch):
    """Only those on PYTHONPATH: they are not looked through again for each task; what is in them is still found."""
    archives = [tmp_path / "stays.zip", tmp_path / "sent.zip"]
    for archive, name in zip(archives, ("in_one", "in_other")):
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr(f"{name}/__init__.py", "from . import part")
            file.writestr(f"{name}/part.py", "")
            file.writestr(f"{name}/later.py", "VALUE = 7")
        monkeypatch.syspath_prepend(archive)
    monkeypatch.setenv("PYTHONPATH", f"/no/such/folder{os.pathsep}{archives[0]}")
    import in_one
    import in_other

    assert {archive for archive in map(str, archives) if archive in sys.path_importer_cache} == set(map(str, archives))
    forget_archives()
    left = [path for path in sys.path_importer_cache if path.startswith(str(tmp_path))]
    assert left and all(path.startswith(str(archives[1])) for path in left)
    assert importlib.import_module("in_one.later").VALUE == importlib.import_module("in_other.later").VALUE == 7
    for name in ("in_one", "in_other"):
        for module in (name, f"{name}.part", f"{name}.later"):
            del sys.modules[module]


def test_without_pyspark_the_cure_is_told():
    code = "import sys; sys.modules['pyspark'] = None; import neardup; import neardup.spark"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1 and "pip install 'pyspark[sql]" in done.stderr


def test_connect_of_pyspark_3_is_refused():
    frame = type("DataFrame", (), {"__module__": "pyspark.sql.connect.dataframe"})()
    with pytest.raises(neardup.Unsupported, match="PySpark 3 has no checkpoints there; take a classic session"):
        dedup(frame, id="id")


@pytest.mark.parametrize(
    "text,size", [("1g", 2**30), ("512m", 2**29), ("100kb", 102400), ("0", 0), ("7B", 7), (" 2T ", 2**41)]
)
def test_sizes_of_spark(text, size):
    assert neardup._spark_session._bytes_of(text) == size

"""One Spark session for all tests, on two threads of this machine, and corpora of the repository.

With NEARDUP_SPARK=connect in the environment it is one of Spark Connect, whose server runs here, too.
"""
import functools
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "examples" / "corpus"
HISTORY = CORPUS / "peps" / "history.jsonl.gz"
CURRENT = CORPUS / "peps" / "current.jsonl"
LANGUAGES = ROOT / "tests" / "data" / "languages.jsonl"
TEXT = "The harbour was closed yesterday because of thick fog, and the late ferry struck the northern pier. Nobody was hurt."
NEAR = TEXT.removesuffix(".") + ", it said."
NAMES = ("id", "duplicate_of", "kind", "distance", "similarity")


def rows_of(path):
    """Returns the documents of a JSONL file: id and text, in order of the ids."""
    reader = gzip.open if str(path).endswith(".gz") else open
    with reader(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return sorted(({"id": row["id"], "text": row["text"]} for row in rows), key=lambda row: row["id"].encode())


IS_CONNECT = os.environ.get("NEARDUP_SPARK") == "connect"
#: Of tests that look into the context of a classic session, or start from one.
classic = pytest.mark.skipif(IS_CONNECT, reason="looks into a classic session")
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "1",
    # Tables are small: code that is generated and compiled for each job takes longer than the rows.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # Spark has it on, and so have the tests with PySpark 4. Without it small tables take half the time.
    "spark.sql.adaptive.enabled": str(os.environ.get("NEARDUP_PYSPARK") == "4").lower(),
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
}


def ask_java_once():
    """py4j asks Java each time for what a name such as `functions` stands for, and Java looks through 280 jars: a tenth of
    all that Java does for these tests."""
    from py4j.java_gateway import JVMView

    JVMView.__getattr__ = functools.cache(JVMView.__getattr__)


def take_any_port():
    """The server of Spark Connect listens where it can, and is asked there: 15002 may be that of another run."""
    from pyspark.sql.connect.client.core import DefaultChannelBuilder
    from pyspark.sql.session import SparkSession

    def port():
        service = getattr(SparkSession._instantiatedSession._jvm, "org.apache.spark.sql.connect.service.SparkConnectService$")
        return getattr(service, "MODULE$").localPort()

    DefaultChannelBuilder.default_port = staticmethod(port)
    return {"spark.connect.grpc.binding.port": "0"}


def pytest_configure(config):
    config.addinivalue_line("markers", "smoke: enough to tell that a version of PySpark, or Spark Connect, does the same")


@pytest.fixture(scope="session")
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    ask_java_once()
    builder = SparkSession.builder.appName("neardup")
    builder = builder.remote("local[2]") if IS_CONNECT else builder.master("local[2]")
    for name, value in {**SETTINGS, **(take_any_port() if IS_CONNECT else {})}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    if not IS_CONNECT:
        session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def lines_of(path):
    """Returns the objects of a JSONL file of results."""
    return [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="session")
def run():
    """Runs the program with some arguments."""
    program = os.environ.get("NEARDUP_PROGRAM", str(ROOT / "build" / "release" / "neardup"))

    def call(*arguments):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr

    return call


def frame_of(spark, rows, partitions):
    """Returns the rows, in no order, in so many partitions."""
    shuffled = list(rows)
    random.Random(partitions).shuffle(shuffled)
    return held(spark.createDataFrame(shuffled, "id string, text string").repartition(partitions))


def held(frame):
    """Returns the frame with its rows in Spark: those of a list go through Python each time that they are read."""
    return frame.localCheckpoint()


def check(found, expected):
    """The same are kept, and each removed one names the same document, with the same figures. Real frames are counted:
    no row is lost, none is there twice."""
    gone = sorted(tuple(row[name] for name in NAMES) for row in found.duplicates.collect())
    assert gone == sorted(tuple(row[name] for name in NAMES) for row in expected.duplicates)
    kept = sorted(row["id"] for row in found.kept.select("id").collect())
    assert kept == sorted(row["id"] for row in expected.kept)
    assert found.counts == expected.counts
    assert found.counts["read"] == len(kept) + len(gone) + found.rejected.count()
    found.unpersist()

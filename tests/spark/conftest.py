"""One Spark session for all tests, on two threads of this machine, and corpora of the repository."""
import gzip
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "examples" / "corpus"
HISTORY = CORPUS / "peps" / "history.jsonl.gz"
CURRENT = CORPUS / "peps" / "current.jsonl"
LANGUAGES = ROOT / "tests" / "data" / "languages.jsonl"


def rows_of(path):
    """Returns the documents of a JSONL file: id and text, in order of the ids."""
    reader = gzip.open if str(path).endswith(".gz") else open
    with reader(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return sorted(({"id": row["id"], "text": row["text"]} for row in rows), key=lambda row: row["id"].encode())


@pytest.fixture(scope="session")
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.default.parallelism": "1",
    }
    builder = SparkSession.builder.master("local[2]").appName("neardup")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
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

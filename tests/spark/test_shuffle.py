"""`neardup plan` tells what a deduplication shuffles, within a factor of 2 of what Spark says that it wrote."""
import json
import os
import random
import subprocess

import pytest
from conftest import CURRENT, classic, frame_of, rows_of
from neardup.spark import dedup

pytestmark = classic  # Spark Connect does not tell


def written(spark):
    """Returns the bytes that all stages so far have written for a shuffle."""
    context = spark.sparkContext._jsc.sc()
    context.listenerBus().waitUntilEmpty(60_000)
    no_quantiles = spark.sparkContext._gateway.new_array(spark.sparkContext._gateway.jvm.double, 0)
    stages = context.statusStore().stageList(None, False, False, no_quantiles, None)
    return sum(stages.apply(number).shuffleWriteBytes() for number in range(stages.size()))


def told(rows, *flags):
    """Returns what `neardup plan` tells of such documents: bytes of each stage, and of all."""
    size = sum(len(row["text"].encode()) for row in rows) // len(rows)
    command = [os.environ["NEARDUP_PROGRAM"], "plan", "--documents", str(len(rows)), "--text-bytes", str(size), "--json", *flags]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["spark"]
    assert found["text_bytes"] == size and sum(found["stages"].values()) == pytest.approx(found["bytes"], abs=9)
    return found["bytes"]


def made_up():
    """Returns 800 texts of 250 words, a tenth of them edited copies of others."""
    draw = random.Random(1)
    words = ["".join(draw.choices("etaoinshrdlucmfwyp", k=draw.randint(2, 10))) for _ in range(20_000)]
    shares = [1 / (number + 5) for number in range(len(words))]
    texts = [draw.choices(words, shares, k=250) for _ in range(800)]
    for copy in range(0, 800, 10):
        texts[copy] = [word if draw.random() > 0.05 else draw.choice(words) for word in texts[copy + 1]]
    return [{"id": f"d{number:03}", "text": " ".join(text)} for number, text in enumerate(texts)]


@pytest.fixture
def as_for_large_tables(spark):
    """Small tables are not sent to all machines in place of a shuffle."""
    name = "spark.sql.autoBroadcastJoinThreshold"
    before = spark.conf.get(name)
    spark.conf.set(name, "-1")
    yield
    spark.conf.set(name, before)


@pytest.mark.parametrize("corpus", ["current", "made_up"])
def test_within_a_factor_of_two(spark, as_for_large_tables, corpus):
    rows = rows_of(CURRENT) if corpus == "current" else made_up()
    frame = frame_of(spark, rows, 2)
    before = written(spark)
    dedup(frame, id="id", partitions=2).unpersist()
    measured = written(spark) - before
    assert measured > 100_000
    for flags in ((), ("--candidates", "0")):
        assert measured / 2 <= told(rows, *flags) <= measured * 2

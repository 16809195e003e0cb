"""neardup.spark gives what neardup.dedup gives of the same rows, however Spark divides them."""
import random

import neardup
import neardup._spark_plan
import pytest
from conftest import CURRENT, HISTORY, LANGUAGES, rows_of
from neardup.spark import dedup, near_duplicate_pairs

NAMES = ("id", "duplicate_of", "kind", "distance", "similarity")


def frame_of(spark, rows, partitions):
    """Returns the rows, in no order, in so many partitions."""
    shuffled = list(rows)
    random.Random(partitions).shuffle(shuffled)
    return spark.createDataFrame(shuffled, "id string, text string").repartition(partitions)


def check(found, expected, rows):
    """The same are kept, and each removed one names the same document, with the same figures."""
    gone = sorted(tuple(row[name] for name in NAMES) for row in found.duplicates.collect())
    assert gone == sorted(tuple(row[name] for name in NAMES) for row in expected.duplicates)
    assert sorted(row["id"] for row in found.kept.select("id").collect()) == sorted(row["id"] for row in expected.kept)
    assert found.counts == expected.counts
    found.unpersist()


@pytest.mark.parametrize("partitions", [1, 7, 64])
def test_equals_one_machine(spark, partitions):
    rows = rows_of(HISTORY)
    check(dedup(frame_of(spark, rows, partitions), id="id", partitions=partitions), neardup.dedup(rows), rows)

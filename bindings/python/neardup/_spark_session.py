"""What classic sessions of Spark and those of Spark Connect do in ways of their own: files get to the tasks, stages are
worked out and given back, settings of the driver are read.

A classic session sends files as broadcast variables and gives back what it worked out. One of Spark Connect sends them
as artifacts, which stay until the session ends, and gives back what no DataFrame refers to any more.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import tempfile
import uuid
from typing import Any, Protocol

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from neardup import _native
from neardup._spark_sent import Sent

_CONNECT = "pyspark.sql.connect"
_LEAST_CONNECT = 4  # versions before have no checkpoints there


def check_frame(frame: Any, name: str) -> None:
    """Raises InvalidArgument for what is no DataFrame, Unsupported for one whose session cannot do what is needed."""
    is_connect = type(frame).__module__.startswith(_CONNECT)
    if not isinstance(frame, DataFrame):  # those of Spark Connect are none before PySpark 4
        if is_connect:
            raise _too_old("PySpark 3")
        raise _native.InvalidArgument(f"{name} is a pyspark.sql.DataFrame, not {type(frame).__name__}")
    if is_connect:
        version = frame.sparkSession.version
        if int(version.partition(".")[0]) < _LEAST_CONNECT:
            raise _too_old(f"a server of Spark {version}")


def _too_old(what: str) -> _native.Unsupported:
    return _native.Unsupported(
        f"neardup.spark takes Spark Connect from PySpark 4 and Spark 4 on: {what} has no checkpoints there; "
        "take a classic session, or newer ones"
    )


class Session(Protocol):
    """A session of Spark, for one call."""

    def checkpointed(self, frame: DataFrame, eager: bool = True) -> DataFrame:
        """Returns `frame` worked out, without its plan: in the checkpoint folder where Spark has one, else on the
        executors, there with `eager` unset by the first job that needs it. What goes to a folder would be worked out
        twice if another job came first."""

    def release(self, frames: list[DataFrame]) -> None:
        """Gives back what was worked out. Files in a checkpoint folder stay: they are the caller's."""

    def send(self, path: str) -> Sent:
        """Sends the bytes of a file to all machines."""

    def batches(self, frame: DataFrame) -> list[Any]:
        """Returns the rows of `frame`, which come to the driver, as pyarrow's RecordBatches: bytes are not pickled."""

    def num_cores(self) -> int:
        """Returns how many tasks run at once."""

    def max_result_bytes(self) -> int:
        """Returns how much may come to the driver at once; 0: no limit."""

    def close(self) -> None:
        """Gives back what was sent, where that can be."""


def session_of(spark: SparkSession) -> Session:
    return _Connected(spark) if type(spark).__module__.startswith(_CONNECT) else _Classic(spark)


class _Classic:
    def __init__(self, spark: SparkSession):
        self._spark = spark
        self._broadcasts: list[Any] = []

    def checkpointed(self, frame: DataFrame, eager: bool = True) -> DataFrame:
        return frame.checkpoint() if self._has_folder() else frame.localCheckpoint(eager=eager)

    def _has_folder(self) -> bool:
        return self._spark.sparkContext._jsc.sc().getCheckpointDir().isDefined()

    def release(self, frames: list[DataFrame]) -> None:
        for frame in frames:
            frame._jdf.queryExecution().analyzed().rdd().unpersist(False)

    def send(self, path: str) -> Sent:
        broadcast = self._spark.sparkContext.broadcast(pathlib.Path(path).read_bytes())
        self._broadcasts.append(broadcast)
        return Sent(uuid.uuid4().hex, broadcast)

    def batches(self, frame: DataFrame) -> list[Any]:
        return frame._collect_as_arrow()  # toArrow() is there from PySpark 4 on

    def num_cores(self) -> int:
        return self._spark.sparkContext.defaultParallelism

    def max_result_bytes(self) -> int:
        return _bytes_of(self._spark.sparkContext.getConf().get(_MAX_RESULT, _MAX_RESULT_DEFAULT))

    def close(self) -> None:
        for broadcast in self._broadcasts:
            broadcast.destroy()


class _Connected:
    def __init__(self, spark: SparkSession):
        self._spark = spark

    def checkpointed(self, frame: DataFrame, eager: bool = True) -> DataFrame:
        return frame.checkpoint() if self._has_folder() else frame.localCheckpoint(eager=eager)

    def _has_folder(self) -> bool:
        return bool(self._spark.conf.get("spark.checkpoint.dir", ""))

    def release(self, frames: list[DataFrame]) -> None:
        pass  # the server does so when nothing here refers to them

    def send(self, path: str) -> Sent:
        name = f"neardup-{uuid.uuid4().hex}"
        with tempfile.TemporaryDirectory(prefix="neardup-") as folder:
            named = os.path.join(folder, name)
            shutil.copyfile(path, named)
            self._spark.addArtifacts(named, file=True)
        return Sent(name, None)

    def batches(self, frame: DataFrame) -> list[Any]:
        return frame.toArrow().to_batches()

    def num_cores(self) -> int:
        parts = self._spark.range(1 << 20).select(F.spark_partition_id().alias("part"))
        return parts.distinct().count()  # so many parts has what is made of nothing

    def max_result_bytes(self) -> int:
        return _bytes_of(self._spark.conf.get(_MAX_RESULT, _MAX_RESULT_DEFAULT))

    def close(self) -> None:
        pass


_MAX_RESULT, _MAX_RESULT_DEFAULT = "spark.driver.maxResultSize", "1g"
_SHIFTS = {"": 0, "b": 0, "k": 10, "m": 20, "g": 30, "t": 40, "p": 50}


def _bytes_of(size: str) -> int:
    """Returns the bytes of "1g", "512m", "100mb", "0", as Spark reads them."""
    number, unit = re.fullmatch(r"\s*(\d+)([a-z]?)b?\s*", size.lower()).groups()
    return int(number) << _SHIFTS[unit]

#!/usr/bin/env python3
"""Measures neardup.spark on local[N] beside the command line, on made-up texts of 2 kB.

Usage: spark.py NEARDUP --count N [--equal M] [--cores 2] [--runs 1] [--work FOLDER] [--partitions P] [--heap 4g]

A tenth of the N documents are copies of earlier ones with a twentieth of their words changed; --equal adds M documents of
one and the same text. Both write what stays: the program JSONL from JSONL, Spark Parquet from Parquet. Prints seconds of
each, without the start of the session (which is printed, too), their seconds of CPU, which other work on the machine changes
little, and what was found. The first run of a session warms its JVM up: ask for --runs 2.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy

WORDS, WORDS_OF_TEXT, BLOCK = 60_000, 330, 20_000


def vocabulary(random):
    letters = numpy.array(list("etaoinshrdlucmfwypvbgk"))
    sizes = random.integers(2, 11, WORDS)
    return numpy.array(["".join(random.choice(letters, size)) for size in sizes], dtype=object)


def blocks(count, equal):
    """Yields lists of texts."""
    random = numpy.random.default_rng(1)
    words = vocabulary(random)
    shares = 1 / numpy.arange(5, WORDS + 5)
    edges = numpy.cumsum(shares / shares.sum())
    draw = lambda *shape: numpy.minimum(numpy.searchsorted(edges, random.random(shape)), WORDS - 1)
    for first in range(0, count, BLOCK):
        size = min(BLOCK, count - first)
        drawn = draw(size, WORDS_OF_TEXT)
        copies = random.choice(size, size // 10, replace=False)
        drawn[copies] = drawn[random.integers(0, size, len(copies))]
        changed = random.random((len(copies), WORDS_OF_TEXT)) < 0.05
        drawn[copies] = numpy.where(changed, draw(len(copies), WORDS_OF_TEXT), drawn[copies])
        yield [" ".join(row) for row in words[drawn]]
    one = " ".join(words[draw(WORDS_OF_TEXT)])
    for first in range(0, equal, BLOCK):
        yield [one] * min(BLOCK, equal - first)


def write_inputs(folder, count, equal):
    """Writes docs.jsonl, and parquet/ in 16 files, with the same documents in the same order of their ids."""
    import pyarrow
    import pyarrow.parquet

    if (folder / "complete").exists():
        return
    (folder / "parquet").mkdir(parents=True, exist_ok=True)
    number = 0
    with open(folder / "docs.jsonl", "w") as lines:
        for part, texts in enumerate(blocks(count, equal)):
            ids = [f"d{number + i:09}" for i in range(len(texts))]
            number += len(texts)
            lines.writelines(json.dumps({"id": id, "text": text}) + "\n" for id, text in zip(ids, texts))
            pyarrow.parquet.write_table(pyarrow.table({"id": ids, "text": texts}), folder / "parquet" / f"{part:05}.parquet")
    (folder / "complete").touch()


def cpu_seconds():
    """Returns the CPU time of all processes that descend from this one, those that ended included."""
    parents, times = {}, {}
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        number = int(entry.parent.name)
        parents[number], times[number] = int(fields[1]), sum(map(int, fields[11:15]))
    own, total = os.getpid(), 0
    for number in times:
        above = number
        while above not in (own, 0):
            above = parents.get(above, 0)
        total += times[number] if above == own else 0
    return total / os.sysconf("SC_CLK_TCK")


def of_program(program, folder, cores):
    begin = time.time()
    subprocess.run([program, "dedup", folder / "docs.jsonl", "-o", folder / "out", "--threads", str(cores), "--overwrite",
                    "--progress", "off"], check=True, stdout=subprocess.DEVNULL)
    seconds = time.time() - begin
    total = json.loads((folder / "out" / "report.json").read_text())
    return seconds, total.get("total", total)


def session_of(cores, folder, heap="4g"):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(f"local[{cores}]").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", heap).config("spark.local.dir", str(folder))
    session = builder.config("spark.sql.shuffle.partitions", str(4 * cores)).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def of_spark(session, folder, partitions):
    from neardup.spark import dedup

    begin = time.time()
    found = dedup(session.read.parquet(str(folder / "parquet")), id="id", partitions=partitions)
    matched = time.time() - begin
    found.kept.write.mode("overwrite").parquet(str(folder / "kept"))
    seconds = time.time() - begin
    counts = found.counts
    found.unpersist()
    return seconds, matched, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--equal", type=int, default=0)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--partitions", type=int)
    parser.add_argument("--heap", default="4g")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("out/bench_spark"))
    given = parser.parse_args()
    folder = (given.work / f"{given.count}_{given.equal}").resolve()
    write_inputs(folder, given.count, given.equal)
    begin = time.time()
    session = session_of(given.cores, given.work.resolve(), given.heap)
    print(f"session {time.time() - begin:.1f} s")
    for _ in range(given.runs):
        load = os.getloadavg()[0]
        before = cpu_seconds()
        seconds, total = of_program(given.program, folder, given.cores)
        cpu = cpu_seconds() - before
        print(f"program {seconds:.1f} s, CPU {cpu:.1f} s  " + json.dumps({k: total[k] for k in ("read", "kept") if k in total}), flush=True)
        before = cpu_seconds()
        of_all, matched, counts = of_spark(session, folder, given.partitions)
        cpu_of_spark = cpu_seconds() - before
        print(f"spark   {of_all:.1f} s ({matched:.1f} s to the duplicates), CPU {cpu_of_spark:.1f} s: {of_all / seconds:.1f} and "
              f"{cpu_of_spark / cpu:.1f} times; load {load:.1f}  "
              + json.dumps(counts), flush=True)
    session.stop()


if __name__ == "__main__":
    main()

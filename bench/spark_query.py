#!/usr/bin/env python3
"""Measures neardup.spark.query on local[N] beside `neardup index query`: fingerprints against an index in a folder.

Usage: spark_query.py NEARDUP [--stored 1000000] [--queries 1000000] [--distance 3] [--cores 2] [--runs 2] [--work FOLDER]

Stored are random fingerprints, one for each document; of the queries a tenth differ in 0 to 4 bits from one of them, the
others are random. Prints seconds and seconds of CPU of each, and whether both found the same number of matches. The first
run of a session warms its JVM up, and its workers check the index.
"""
import argparse
import os
import pathlib
import subprocess
import time

import numpy
from spark import cpu_seconds, session_of


def write_inputs(program, folder, given):
    """Makes folder/index, queries.tsv and queries/ (Parquet) of the same queries."""
    import pyarrow
    import pyarrow.parquet

    if (folder / "complete").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    random = numpy.random.default_rng(1)
    stored = random.integers(0, 2**64, given.stored, dtype=numpy.uint64)
    queries = random.integers(0, 2**64, given.queries, dtype=numpy.uint64)
    near = random.choice(given.queries, given.queries // 10, replace=False)
    queries[near] = stored[random.integers(0, given.stored, len(near))]
    for bits in range(4):  # so many of them differ in as many bits at most
        some = near[random.integers(0, 5, len(near)) > bits]
        queries[some] ^= numpy.uint64(1) << random.integers(0, 64, len(some), dtype=numpy.uint64)
    for name, letter, values in (("stored", "s", stored), ("queries", "q", queries)):
        with open(folder / f"{name}.tsv", "w") as lines:
            lines.writelines(f"{letter}{number}\t{value:016x}\n" for number, value in enumerate(values.tolist()))
    subprocess.run([program, "index", "create", folder / "index", "--distance", str(given.distance), folder / "stored.tsv"],
                   check=True, stderr=subprocess.DEVNULL)
    (folder / "queries").mkdir(exist_ok=True)
    for part, numbers in enumerate(numpy.array_split(numpy.arange(given.queries), 4 * given.cores)):
        ids = [f"q{number}" for number in numbers.tolist()]
        table = pyarrow.table({"id": ids, "fingerprint": queries[numbers].view(numpy.int64)})
        pyarrow.parquet.write_table(table, folder / "queries" / f"{part:05}.parquet")
    (folder / "complete").touch()


def of_program(program, folder):
    subprocess.run([program, "index", "query", folder / "index", folder / "queries.tsv", "-o", folder / "found.tsv"], check=True)
    with open(folder / "found.tsv", "rb") as lines:
        return sum(1 for _ in lines)


def of_spark(session, folder):
    from neardup.spark import query

    found = query(session.read.parquet(str(folder / "queries")), folder / "index")
    found.write.mode("overwrite").parquet(str(folder / "found"))
    return session.read.parquet(str(folder / "found")).count()


def measured(name, call):
    load, cpu, begin = os.getloadavg()[0], cpu_seconds(), time.time()
    found = call()
    print(f"{name}  {time.time() - begin:.1f} s, CPU {cpu_seconds() - cpu:.1f} s, {found} matches; load {load:.1f}", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--stored", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=1_000_000)
    parser.add_argument("--distance", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("out/bench_spark_query"))
    given = parser.parse_args()
    folder = (given.work / f"{given.stored}_{given.queries}_{given.distance}").resolve()
    write_inputs(given.program, folder, given)
    expected = measured("program", lambda: of_program(given.program, folder))
    session = session_of(given.cores, given.work.resolve())
    for _ in range(given.runs):
        assert measured("spark  ", lambda: of_spark(session, folder)) == expected
    session.stop()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""FAISS, binary indexes: all fingerprints within --distance of each query.

usage: faiss_binary.py --data FOLDER --distance K --tables M
M tables of 64 / M bits and K / M flips (IndexBinaryMultiHash); 0 is the linear scan (IndexBinaryFlat). A query is one
call of the C++ method through the binding (range_search_c), with results and arguments ready. `call_us` is what such a
call takes on an index of one fingerprint, and is not taken off. `batch_us` is the processor time per query of one call
for all of them, which does without that; not measured for the linear scan.
"""
import argparse, ctypes, json, time

import faiss
import numpy as np

from digest import digest

CODE_BITS = 64


def status_bytes(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field))


def resident_bytes():
    """Returns the bytes of resident memory that no file backs, after what was freed is given back to the system."""
    ctypes.CDLL(None).malloc_trim(0)
    return status_bytes("RssAnon")


def read(folder, name):
    return np.memmap(f"{folder}/{name}.u64", dtype="<u8", mode="r")


def codes(numbers):
    return numbers.view(np.uint8).reshape(-1, CODE_BITS // 8)


def empty_index(tables, distance):
    if tables == 0:
        return faiss.IndexBinaryFlat(CODE_BITS), "flat"
    bits, flips = CODE_BITS // tables, distance // tables
    index = faiss.IndexBinaryMultiHash(CODE_BITS, tables, bits)
    index.nflip = flips
    return index, f"MultiHash {tables} x {bits} bits, flips: {flips}"


def ask_each(index, queries, radius):
    """Returns (microseconds of each call, [(lims, labels)] of each)."""
    flat = np.ascontiguousarray(queries)
    pointers = [faiss.swig_ptr(codes(flat[i : i + 1])) for i in range(len(flat))]
    results = [faiss.RangeSearchResult(1) for _ in pointers]
    nanoseconds = []
    for pointer, result in zip(pointers, results):
        start = time.perf_counter_ns()
        index.range_search_c(1, pointer, radius, result)
        nanoseconds.append(time.perf_counter_ns() - start)
    return np.array(nanoseconds) / 1e3, results


def ask_at_once(index, queries, radius):
    """Returns the microseconds per query of one call for all, from caches that hold nothing of them."""
    np.ones(1 << 24).sum()
    start = time.process_time()
    index.range_search(codes(queries), radius)
    return (time.process_time() - start) * 1e6 / len(queries)


def labels_of(result):
    count = faiss.rev_swig_ptr(result.lims, 2)[1]
    return faiss.rev_swig_ptr(result.labels, int(count)).copy() if count else np.empty(0, dtype=np.int64)


def call_us(tables, distance, queries, radius):
    index, _ = empty_index(tables, distance)
    faiss.IndexBinary.add(index, codes(~queries[:1]))
    return float(np.median(ask_each(index, queries[:1000], radius)[0]))


def build(index, fingerprints):
    """Adds the fingerprints, which a mapped file holds, and returns the figures of that."""
    before, start, cpu = resident_bytes(), time.perf_counter(), time.process_time()
    index.add(codes(fingerprints))
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    return {"bytes_per_item": round((resident_bytes() - before) / len(fingerprints), 1),
            "build_seconds": round(seconds, 2), "build_cpu_seconds": round(cpu, 2),
            "peak_mb": status_bytes("VmHWM") >> 20}


def answers(results, queries, fingerprints):
    """Returns the number of matches and their digest."""
    documents = [labels_of(result) for result in results]
    asked = np.repeat(np.arange(len(queries)), [len(found) for found in documents])
    documents = np.concatenate(documents)
    distance = np.bitwise_count(queries[asked] ^ fingerprints[documents])
    return {"matches": len(documents), "digest": f"{digest(asked, documents, distance):016x}"}


def search(index, queries, radius):
    """Asks all queries one at a time and returns (the figures, the results)."""
    ask_each(index, ~queries[:1000], radius)  # warms code and clocks, not the answers
    start = time.process_time()
    microseconds, results = ask_each(index, queries, radius)
    cpu_us = (time.process_time() - start) * 1e6 / len(queries)
    p50, p99 = np.percentile(microseconds, [50, 99])
    return {"p50_us": round(p50, 2), "mean_us": round(microseconds.mean(), 2), "p99_us": round(p99, 2),
            "cpu_us": round(cpu_us, 2)}, results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--distance", type=int, required=True)
    parser.add_argument("--tables", type=int, required=True)
    args = parser.parse_args()
    faiss.omp_set_num_threads(1)
    queries, fingerprints = np.array(read(args.data, "queries")), read(args.data, "fingerprints")
    radius = args.distance + 1  # FAISS answers what is nearer than the radius
    index, setting = empty_index(args.tables, args.distance)
    built = build(index, fingerprints)
    figures, results = search(index, queries, radius)
    if args.tables:
        figures["batch_us"] = round(ask_at_once(index, queries, radius), 2)
        figures["call_us"] = round(call_us(args.tables, args.distance, queries, radius), 2)
    print(json.dumps({
        "bench": "query", "peer": "FAISS", "version": faiss.__version__, "setting": setting,
        "count": len(fingerprints), "distance": args.distance, "queries": len(queries), **figures, **built,
        **answers(results, queries, fingerprints)}))


main()

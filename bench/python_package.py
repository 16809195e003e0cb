#!/usr/bin/env python3
"""Measures the Python package beside the program and beside rensa and datasketch, each job in a process of its own.

    python3 -m venv out/python-peers
    out/python-peers/bin/pip install --require-hashes -r bench/peers/python/requirements.txt
    PYTHONPATH=build/release/python out/python-peers/bin/python bench/python_package.py whole CORPUS.jsonl --program build/release/neardup

    whole CORPUS      the whole job, from texts (field "text") in memory to a table of what goes: A B A B
    quality SET...    precision, recall and F1 over the pairs of documents with one value of "cluster"
    query             batch queries from numpy beside `neardup bench query --batch`
    index             how much memory an Index takes beside its fingerprints

Prints a JSON object for each job: "seconds" of the work alone, "over_mb": the peak of memory above what the process had when
it began ("held_mb": its texts, or fingerprints), "left_mb": what is left of that with the result. With --only a few jobs of `whole`.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

NUM_PERM = 128
THRESHOLD = 0.8


def read_rows(path):
    with open(path, encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines]


def memory_mb(field):
    """Returns VmRSS or VmHWM of this process."""
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


def reset_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def measured(job, *arguments):
    """Returns what the job returns, and its figures."""
    reset_peak()
    before, start = memory_mb("VmRSS"), time.perf_counter()
    cpu = time.process_time()
    found = job(*arguments)
    return found, {"seconds": round(time.perf_counter() - start, 3), "cpu_seconds": round(time.process_time() - cpu, 3),
                   "held_mb": round(before), "over_mb": round(memory_mb("VmHWM") - before), "left_mb": round(memory_mb("VmRSS") - before)}


# The whole job: what each row repeats, by number; rows that stay are not there.


def neardup_job(data):
    import neardup

    result = neardup.dedup(data)
    kept, table = result.kept, result.duplicates
    return len(kept), table


def by_rows(found):
    """Returns {row: the row it repeats} of a list of rows."""
    return {row["id"]: row["duplicate_of"] for row in found[1]}


def arrow_of(texts):
    import pyarrow

    return pyarrow.table({"text": pyarrow.array(texts, pyarrow.large_string())})


def word_ngrams(text, n=5):
    words = text.split()
    return [" ".join(words[i:i + n]) for i in range(max(1, len(words) - n + 1))]


def rensa_job(texts, ngrams=word_ngrams, threshold=THRESHOLD):
    from rensa import RMinHash, RMinHashLSH

    index, sketches, duplicate_of = RMinHashLSH(threshold=threshold, num_perm=NUM_PERM, num_bands=16 if threshold > 0.7 else 32), [], {}
    for row, text in enumerate(texts):
        sketch = RMinHash(num_perm=NUM_PERM, seed=42)
        sketch.update(ngrams(text))
        near = [other for other in index.query(sketch) if sketch.jaccard(sketches[other]) >= threshold]
        sketches.append(sketch)
        if near:
            duplicate_of[row] = min(near)
        else:
            index.insert(row, sketch)
    return duplicate_of


def minhash_job(texts, MinHash, MinHashLSH, ngrams=word_ngrams, threshold=THRESHOLD):
    index, sketches, duplicate_of = MinHashLSH(threshold=threshold, num_perm=NUM_PERM), {}, {}
    empty = MinHash(num_perm=NUM_PERM)
    for row, text in enumerate(texts):
        sketch = empty.copy()
        sketch.update_batch([gram.encode() for gram in ngrams(text)])
        near = [other for other in index.query(sketch) if sketch.jaccard(sketches[other]) >= threshold]
        if near:
            duplicate_of[row] = min(near)
        else:
            sketches[row] = sketch
            index.insert(row, sketch)
    return duplicate_of


def datasketch_job(texts, **words):
    from datasketch import MinHash, MinHashLSH

    return minhash_job(texts, MinHash, MinHashLSH, **words)


def compat_job(texts, **words):
    from neardup.compat import MinHash, MinHashLSH

    return minhash_job(texts, MinHash, MinHashLSH, **words)


WHOLE = {
    "list": (neardup_job, list),
    "arrow": (neardup_job, arrow_of),
    "rensa": (rensa_job, list),
    "datasketch": (datasketch_job, list),
    "compat": (compat_job, list),
}


def whole_in_this_process(name, path):
    job, form = WHOLE[name]
    texts = [row["text"] for row in read_rows(path)]
    data = form(texts)
    if data is not texts:
        del texts
    found, figures = measured(job, data)
    num_gone = found[1].num_rows if name == "arrow" else len(found[1]) if name == "list" else len(found)
    print(json.dumps({"job": name, **figures, "removed": num_gone}))


def run_program(program, path):
    with tempfile.TemporaryDirectory() as folder:
        start, cpu = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "dedup", path, "-o", f"{folder}/out", "--progress", "off"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_seconds = after.ru_utime + after.ru_stime - cpu.ru_utime - cpu.ru_stime
        with open(f"{folder}/out/report.json") as file:
            report = json.load(file)
    stages = {stage["name"]: stage["seconds"] for stage in report["stages"]} if "stages" in report else {}
    figures = {"seconds": round(seconds, 3), "cpu_seconds": round(cpu_seconds, 3), "stages": stages, "load": os.getloadavg()[0]}
    print(json.dumps({"job": "program", **figures}), flush=True)


def whole(arguments):
    names = arguments.only or ["program", *WHOLE]
    for _ in range(arguments.rounds):
        for name in names:
            if name == "program":
                run_program(arguments.program, arguments.corpus[0])
            else:
                subprocess.run([sys.executable, __file__, "job", arguments.corpus[0], "--only", name], check=True)


# Quality: pairs of one cluster.


def cluster_sizes(keys):
    sizes = {}
    for key in keys:
        sizes[key] = sizes.get(key, 0) + 1
    return sum(size * (size - 1) // 2 for size in sizes.values())


def rates(labels, duplicate_of):
    """Returns precision, recall and F1 of the pairs of rows that stand for one document."""
    roots = [duplicate_of.get(row, row) for row in range(len(labels))]
    right = cluster_sizes((root, label) for root, label in zip(roots, labels) if label is not None)
    found, true = cluster_sizes(roots), cluster_sizes(label for label in labels if label is not None)
    precision, recall = right / max(1, found), right / true
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(2 * precision * recall / max(1e-9, precision + recall), 4)}


def quality(arguments):
    from judged_peers import ngrams

    import neardup

    settings = {"n=5 >= .8": {"threshold": 0.8, "ngrams": lambda text: ngrams(text, 5)},
                "n=3 >= .5": {"threshold": 0.5, "ngrams": lambda text: ngrams(text, 3)}}
    jobs = {"neardup": lambda texts: by_rows((0, neardup.dedup(texts).duplicates))}
    for name, words in settings.items():
        for tool, job in (("rensa", rensa_job), ("datasketch", datasketch_job)):
            jobs[f"{tool} {name}"] = lambda texts, job=job, words=words: job(texts, **words)
    for path in arguments.corpus:
        rows = read_rows(path)
        texts, labels = [row["text"] for row in rows], [row.get("cluster") for row in rows]
        for name, job in jobs.items():
            start = time.perf_counter()
            found = rates(labels, job(texts))
            print(json.dumps({"set": os.path.basename(path), "job": name, **found, "seconds": round(time.perf_counter() - start, 2)}), flush=True)


# The index.


def made_fingerprints(n, seed=1):
    import numpy

    return numpy.random.default_rng(seed).integers(0, 2**64, n, dtype=numpy.uint64)


def query(arguments):
    import numpy

    import neardup

    for k in (3, 8):
        stored, asked = made_fingerprints(arguments.count), made_fingerprints(arguments.queries, 2)
        flips = numpy.random.default_rng(3).integers(0, 64, len(asked) // 2, dtype=numpy.uint64)
        asked[: len(flips)] = stored[: len(flips)] ^ (numpy.uint64(1) << flips)
        index = neardup.Index(stored, k=k)
        index.query(asked)
        for _ in range(arguments.rounds):
            answers, figures = measured(index.query, asked)
            print(json.dumps({"job": "numpy", "k": k, "mean_us": round(figures["seconds"] / len(asked) * 1e6, 3),
                              "cpu_us": round(figures["cpu_seconds"] / len(asked) * 1e6, 3), "found": len(answers.ids)}), flush=True)
            out = subprocess.run([arguments.program, "bench", "query", "--count", str(arguments.count), "--distance", str(k), "--threads", "1",
                                  "--batch", "--json"],
                                 check=True, capture_output=True, text=True).stdout
            line = json.loads(out.splitlines()[-1])
            print(json.dumps({"job": "program", "k": k, "mean_us": line["mean_us"], "cpu_us": line["cpu_us"]}), flush=True)


def index(arguments):
    import neardup

    stored = made_fingerprints(arguments.count)
    made, figures = measured(lambda: neardup.Index(stored, k=3))
    bits = stored.nbytes / 2**20
    print(json.dumps({"job": "index", "count": arguments.count, "fingerprints_mb": round(bits), **figures, "nbytes_mb": round(made.nbytes / 2**20)}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["whole", "quality", "query", "index", "job"])
    parser.add_argument("corpus", nargs="*")
    parser.add_argument("--program", default="build/release/neardup")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=10**7)
    parser.add_argument("--queries", type=int, default=10**6)
    arguments = parser.parse_args()
    if arguments.action == "job":
        return whole_in_this_process(arguments.only[0], arguments.corpus[0])
    {"whole": whole, "quality": quality, "query": query, "index": index}[arguments.action](arguments)


if __name__ == "__main__":
    main()

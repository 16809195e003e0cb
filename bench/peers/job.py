"""What the jobs of bench/peers have in common: reading JSONL, and the line of figures that each prints."""
import json, resource, sys, time


def texts(path, min_words):
    """Yields (number, text) of each document with at least `min_words` words between white space."""
    with open(path, encoding="utf8", newline="\n") as lines:
        for number, line in enumerate(lines):
            text = json.loads(line)["text"]
            if len(text.split(None, min_words)) >= min_words:
                yield number, text


def run(name, settings, job):
    """Runs job(path) -> (documents, pairs) on the path of the command line and prints one JSON object."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} CORPUS.jsonl")
    start = time.monotonic()
    documents, pairs = job(sys.argv[1])
    seconds = time.monotonic() - start
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"job": name, "settings": settings, "documents": documents, "pairs": pairs,
                      "wall_seconds": round(seconds, 2), "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 2),
                      "peak_mb": round(usage.ru_maxrss / 1024)}))

#!/usr/bin/env python3
"""warc: the documents that bench_warc reads of WARC files against those of warcio and FastWARC, and how fast each is.

usage: warc.py --program build/release/bench/bench_warc FILE...

Needs warcio, fastwarc and xxhash from PyPI. For each file: how many records and documents each reads, whether these have
the same ids and the same bytes in the same order (FastWARC does not undo content encodings here), and seconds of the best
of three runs, each with all pages read whole.
"""
import argparse
import json
import subprocess
import time

import xxhash
from fastwarc.warc import ArchiveIterator as FastIterator, WarcRecordType
from warcio.archiveiterator import ArchiveIterator

NO_TEXTS = {"text/css", "text/javascript", "text/ecmascript", "text/x-javascript", "text/jscript", "text/dns", "text/vtt"}
WANTED = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion


def is_text(content_type):
    kind = content_type.split(";")[0].split(",")[0].strip().lower()
    if kind in NO_TEXTS or kind == "image/svg+xml":
        return False
    return not kind or kind.startswith("text/") or kind in ("application/json", "application/xml") or kind.endswith(
        ("+xml", "+json"))


def document(record_id, uri, status, content_type, data):
    """None where docs/inputs.md has it that the record is no document."""
    if not data or (status and not 200 <= status < 300) or not is_text(content_type or ""):
        return None
    if (uri or "").strip("<>").startswith("metadata:"):
        return None
    text = data.removeprefix(b"\xef\xbb\xbf")
    return record_id.strip("<>"), len(text), xxhash.xxh3_64_hexdigest(text)


def warcio_documents(path):
    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type not in ("response", "resource", "conversion"):
                continue
            headers, http = record.rec_headers, record.http_headers if record.rec_type == "response" else None
            data = record.content_stream().read()
            yield document(headers.get_header("WARC-Record-ID"), headers.get_header("WARC-Target-URI"),
                           int(http.get_statuscode()) if http else 0,
                           (http or headers).get_header("Content-Type"), data)


def fastwarc_documents(path):
    with open(path, "rb") as file:
        for record in FastIterator(file, record_types=WANTED, parse_http=True):
            http = record.http_headers if record.record_type == WarcRecordType.response else None
            data = record.reader.read()
            yield document(record.record_id, record.headers.get("WARC-Target-URI"), http.status_code if http else 0,
                           (http or record.headers).get("Content-Type"), data)


def our_documents(program, path):
    lines = subprocess.run([program, "--documents", path], capture_output=True, text=True, check=True).stdout.splitlines()
    for line in lines:
        record_id, size, digest = line.split("\t")
        yield json.loads(record_id), int(size), digest


def collect(documents):
    """What is read before an exception, and that."""
    found = []
    try:
        found.extend(one for one in documents if one)
    except Exception as error:  # what a peer does with a damaged file is a result
        return found, f" (stops: {' '.join(str(error).split())[:60]})"
    return found, ""


def seconds(work):
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def read_with_warcio(path):
    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type in ("response", "resource", "conversion"):
                record.content_stream().read()


def read_with_fastwarc(path):
    with open(path, "rb") as file:
        for record in FastIterator(file, record_types=WANTED, parse_http=True):
            record.reader.read()


def compare(program, path):
    ours, _ = collect(our_documents(program, path))
    print(path)
    for name, documents in (("warcio", warcio_documents(path)), ("fastwarc", fastwarc_documents(path))):
        theirs, stops = collect(documents)
        same_ids = [one[0] for one in theirs] == [one[0] for one in ours]
        verdict = "the same bytes" if theirs == ours else "the same ids" if same_ids else "others"
        print(f"  {name}: {len(theirs)} documents{stops}, neardup {len(ours)}: {verdict}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--no-speed", action="store_true")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    for path in arguments.files:
        compare(arguments.program, path)
        if arguments.no_speed:
            continue
        for name, work in (("neardup", lambda: subprocess.run([arguments.program, path], capture_output=True, check=True)),
                           ("fastwarc", lambda: read_with_fastwarc(path)), ("warcio", lambda: read_with_warcio(path))):
            try:
                print(f"  {name}: {seconds(work):.3f} s")
            except Exception as error:
                print(f"  {name}: {type(error).__name__}")


if __name__ == "__main__":
    main()

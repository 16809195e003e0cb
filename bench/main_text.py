#!/usr/bin/env python3
"""main_text: how well, and how fast, tools find the main text of HTML pages.

usage: main_text.py --program build/release/neardup SET.jsonl[.zst]...

A line of a set is an object with "html" and "text", its true main text. For each tool: precision, recall and F1 of the
tokens (as multisets; a token is a run of letters and digits in small letters, or one Chinese, Japanese or Korean
character), each the mean over pages; F1 of two halves of the pages, by a hash of their ids (neardup's rules were
made looking at the first alone); megabytes of HTML per second of user CPU time, one thread. Tools that are not installed as Python
packages are left out: trafilatura, readability-lxml, resiliparse, justext.
"""
import argparse
import hashlib
import json
import logging
import re
import resource
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

SINGLE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
TOKEN = re.compile(f"[{SINGLE}]|[^\\W{SINGLE}]+")


def tokens(text):
    return Counter(TOKEN.findall(text.lower()))


def score(found, truth):
    found, truth = tokens(found), tokens(truth)
    if not found and not truth:
        return 1.0, 1.0, 1.0
    common = sum((found & truth).values())
    precision = common / max(1, sum(found.values()))
    recall = common / max(1, sum(truth.values()))
    return precision, recall, 2 * precision * recall / (precision + recall) if common else 0.0


def read_set(path):
    if path.suffix == ".zst":
        lines = subprocess.run(["zstd", "-dcq", "--long=27", str(path)], check=True, capture_output=True).stdout
    else:
        lines = path.read_bytes()
    return [json.loads(line) for line in lines.split(b"\n") if line.strip()]


def run_neardup(program, pages):
    with tempfile.TemporaryDirectory() as folder:
        for number, page in enumerate(pages):
            (Path(folder) / f"{number:06}.html").write_bytes(page["html"].encode("utf-8", "surrogatepass"))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        command = [program, "text", folder, "--extraction", "html", "--format", "jsonl"]
        lines = subprocess.run(command, check=True, capture_output=True).stdout.splitlines()
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return [json.loads(line)["text"] for line in lines], seconds


def in_process(extract):
    def run(pages):
        texts = []
        before = time.process_time()
        for page in pages:
            try:
                texts.append(extract(page["html"]) or "")
            except Exception:  # a page that a tool cannot read has no text
                texts.append("")
        return texts, time.process_time() - before

    return run


def trafilatura_tool():
    import trafilatura

    return in_process(lambda html: trafilatura.extract(html, favor_precision=True, include_comments=False))


def readability_tool():
    import lxml.html
    from readability import Document

    return in_process(lambda html: "\n".join(lxml.html.fromstring(Document(html).summary()).itertext()))


def resiliparse_tool():
    from resiliparse.extract.html2text import extract_plain_text

    return in_process(lambda html: extract_plain_text(html, main_content=True, alt_texts=False, comments=False))


def justext_tool():
    import justext

    stop_words = frozenset().union(*(justext.get_stoplist(name) for name in justext.get_stoplists()))

    def extract(html):
        return "\n".join(p.text for p in justext.justext(html.encode(), stop_words) if not p.is_boilerplate)

    return in_process(extract)


PEERS = {
    "trafilatura, precision": trafilatura_tool,
    "readability-lxml": readability_tool,
    "resiliparse, main content": resiliparse_tool,
    "jusText, all stop lists": justext_tool,
}


def mean(values):
    return sum(values) / max(1, len(values))


def half_of(page):
    return hashlib.md5(str(page.get("id", page["html"])).encode("utf-8", "surrogatepass")).digest()[0] & 1


def show(name, pages, texts, seconds):
    scores = [score(text, page["text"]) for text, page in zip(texts, pages, strict=True)]
    megabytes = sum(len(page["html"].encode("utf-8", "surrogatepass")) for page in pages) / 1e6
    columns = [f"{mean([s[i] for s in scores]):.4f}" for i in range(3)]
    halves = [half_of(page) for page in pages]
    columns += [f"{mean([s[2] for s, h in zip(scores, halves, strict=True) if h == half]):.4f}" for half in (0, 1)]
    print("|", " | ".join([name, *columns, f"{megabytes / max(seconds, 1e-9):.1f}"]), "|", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("sets", nargs="+", type=Path)
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    for path in arguments.sets:
        pages = read_set(path)
        print(f"\n{path.name.split('.')[0]}: {len(pages)} pages\n")
        print("| tool | precision | recall | F1 | F1, first half | F1, second half | MB/s |\n|---|---|---|---|---|---|---|")
        show("neardup", pages, *run_neardup(arguments.program, pages))
        for name, make in PEERS.items():
            try:
                run = make()
            except ImportError:
                continue
            show(name, pages, *run(pages))


if __name__ == "__main__":
    main()

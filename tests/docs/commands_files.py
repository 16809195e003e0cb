"""commands_files.py PROGRAM: makes in this folder the files that the commands of pages name. Each is as small as will do."""
import gzip
import json
import random
import subprocess
import sys
from pathlib import Path

PROGRAM = sys.argv[1]
RANDOM = random.Random(7)
WORDS = "harbour ferry island morning storm captain timber market village bridge lantern winter garden letter journey silver river".split()
IDS = [*(f"doc{i}" for i in range(1, 30)), "id1", "id2"]


def text(length=60):
    return " ".join(RANDOM.choice(WORDS) + RANDOM.choice(["", "s", "ed"]) for _ in range(length)) + "."


def write(name, content):
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content.encode()) if name.endswith(".gz") else content.encode())


def run(*words):
    subprocess.run([PROGRAM, *words], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def write_corpora():
    texts = [text() for _ in range(len(IDS) - 10)]
    texts += [texts[i] + " And " + text(3) for i in range(10)]
    rows = [{"id": id, "text": words, "cluster": i % (len(IDS) - 10), "fetched": i} for i, (id, words) in enumerate(zip(IDS, texts))]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    for name in ("corpus", "news", "mine", "today", "texts", "monday", "tuesday", "january", "labelled"):
        write(f"{name}.jsonl", lines)
    subprocess.run(["zstd", "-q", "corpus.jsonl"], check=True)
    for folder in ("old", "new"):
        write(f"{folder}/part.jsonl", lines)
    pairs = [(i, i + len(IDS) - 10) for i in range(10)]
    write("judged.jsonl", "".join(json.dumps({"a": IDS[a], "b": IDS[b], "label": 2}) + "\n" for a, b in pairs))
    for name in ("pairs.txt", "all_duplicates.txt"):
        write(name, "".join(f"{a} {b} 0.9\n" for a, b in pairs))
    write("chats.jsonl", "".join(json.dumps({"messages": [{"role": "user", "content": text()}]}) + "\n" for _ in range(5)))


def write_pages():
    page = "<html><head><title>News</title></head><body><p>%s</p></body></html>\n"
    for i in range(3):
        write(f"pages/{i}.html", page % text())
    write("page.html", page % text())
    write("crawl.jsonl", "".join(json.dumps({"text": page % text()}) + "\n" for _ in range(4)))
    for name in ("crawl.warc.gz", "crawl-7.warc.gz", "crawls/a.warc.gz", "crawls/b.warc.gz", "jobs/news/latest/warcs/c.warc.gz"):
        write(name, "".join(record(i, page % text()) for i in range(3)))
    for folder in ("kept", "archive", "out"):
        Path(folder).mkdir()
    for i in range(2):
        write(f"papers/{i}.pdf", text())


def record(number, page):
    body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\n\r\n{page}"
    return (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Date: 2026-11-22T12:00:0{number}Z\r\n"
            f"WARC-Target-URI: http://example.org/{number}\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}\r\n\r\n")


def write_lines_and_sources():
    for name in ("a.txt", "b.txt", "b.txt.gz", "old.txt", "new.txt", "access.log", "names.txt"):
        write(name, "".join(text(4) + "\n" for _ in range(20)) * 2)
    write("table.tsv", "".join(f"{text(2)}\t{i}\n" for i in range(9)))
    source = "".join(f"int f{i}(int a) {{\n  return a * {i} + g(a, {i});\n}}\n" for i in range(30))
    for name in ("src/a.c", "src/b.c", "new.c", "submissions/a.c", "submissions/b.c"):
        write(name, source + f"// {text(20)}\n")


def make_of_the_program():
    run("fingerprint", "corpus.jsonl", "-o", "prints.tsv")
    for name in ("prints", "old", "new", "all"):
        run("fingerprint", "corpus.jsonl", "--output-format", "bin", "-o", f"{name}.bin")
    run("fingerprint", "corpus.jsonl", "--family", "minhash", "--output-format", "bin", "-o", "signatures.bin")
    for name in ("0", "1", "all", "words"):
        run("idf", "corpus.jsonl", "--recipe", "paper", "-o", f"{name}.idf")
    run("phrases", "corpus.jsonl", "--recipe", "paper", "-o", "news.phrases")


def write_program(name, content):
    """What stands for a program that is not on every machine."""
    write(f"bin/{name}", content)
    Path(f"bin/{name}").chmod(0o755)


write_corpora()
write_program("pdftotext", '#!/bin/sh\ncat "$1"\n')
write_program("jq", "#!/usr/bin/env python3\nimport json, sys\nprint(json.dumps(json.load(sys.stdin)[sys.argv[1][1:]]))\n")
write_pages()
write_lines_and_sources()
make_of_the_program()

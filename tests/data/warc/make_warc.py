#!/usr/bin/env python3
"""make_warc: writes a small crawl of made-up pages, the same each time.

usage: make_warc.py FILE.warc|FILE.warc.gz|FILE.warc.zst [--whole] [--version 1.1] [--copies N]

Each record is a gzip member or zstd frame of its own, with --whole the file is one. The pages are in several charsets
and content encodings; two are copies with other surroundings. --copies says the same crawl again under other URIs.
"""
import argparse
import gzip
import subprocess
import zlib

BRIDGE = ("The committee met on Tuesday to discuss the plan for the new bridge over the river, and it agreed to ask "
          "three firms for offers before the end of the year. The bridge of 1911 has been closed to lorries since May, "
          "as two of its piers were found to have moved.")
BREAD = ("A recipe for bread: mix flour, water, salt and yeast, knead for ten minutes, let it rest for two hours, and "
         "bake it in a hot oven until the crust is brown. It keeps for four days in a wooden box, and longer in ice.")
RIVER = ("Комитет собрался во вторник, чтобы обсудить план нового моста через реку, и решил запросить предложения у трёх "
         "фирм до конца года. Старый мост закрыт для грузовиков с мая, потому что две его опоры сдвинулись.")
DATE = "2026-11-22T12:00:00Z"


def page(title, text):
    menu = "".join(f"<li><a href='/{i}'>{title} {i}</a></li>" for i in range(9))
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body><ul>{menu}</ul><p>{text}</p></body></html>"


def chunked(body, size=100):
    pieces = [body[i:i + size] for i in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def packed(body):
    return gzip.compress(body, mtime=0)


class Crawl:
    def __init__(self, version):
        self.version = version
        self.records = []

    def add(self, kind, uri, content_type, block, **fields):
        number = len(self.records)
        head = [f"WARC/{self.version}", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:uuid:{number:08d}>",
                f"WARC-Date: {DATE}"]
        head += [f"WARC-Target-URI: {uri}"] if uri else []
        head += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
        head += [f"Content-Type: {content_type}", f"Content-Length: {len(block)}"]
        self.records.append("\r\n".join(head).encode() + b"\r\n\r\n" + block + b"\r\n\r\n")

    def fetch(self, uri, body, content_type="text/html", status="200 OK", **headers):
        self.add("request", uri, "application/http; msgtype=request", f"GET {uri} HTTP/1.1\r\n\r\n".encode())
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.add("response", uri, "application/http; msgtype=response", "\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def crawl(version, copies):
    made = Crawl(version)
    made.add("warcinfo", "", "application/warc-fields", b"software: make_warc.py\r\n")
    for copy in range(copies):
        host = f"http://example.org/{copy}" if copy else "http://example.org"
        made.fetch(f"{host}/bridge", page("News", BRIDGE).encode(), "text/html; charset=utf-8", Server="one")
        made.fetch(f"{host}/print/bridge", packed(page("Print", BRIDGE).encode()), Content_Encoding="gzip", Server="two")
        made.fetch(f"{host}/bread", chunked(page("Bread", BREAD).encode()), Transfer_Encoding="chunked")
        made.fetch(f"{host}/river", page("Новости", RIVER).encode("cp1251"), "text/html; charset=windows-1251")
        made.fetch(f"{host}/river.koi", zlib.compress(page("Река", RIVER).encode("koi8_r")), "text/html; charset=koi8-r",
                   Content_Encoding="deflate")
        made.fetch(f"{host}/logo.png", b"\x89PNG\r\n\x1a\n\0\0", "image/png")
        made.fetch(f"{host}/gone", page("Gone", "There is nothing here.").encode(), status="404 Not Found")
        made.fetch(f"{host}/brotli", bytes(range(128, 200)), Content_Encoding="br")
        made.add("conversion", f"{host}/bread", "text/plain", BREAD.encode())
        made.add("revisit", f"{host}/bridge", "application/http; msgtype=response", b"HTTP/1.1 200 OK\r\n\r\n")
        made.add("metadata", f"{host}/bridge", "application/warc-fields", b"fetchTimeMs: 12\r\n")
    return made.records


def compress(name, data):
    if name.endswith(".gz"):
        return packed(data)
    if name.endswith(".zst"):
        return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout
    return data


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--version", default="1.0")
    parser.add_argument("--copies", type=int, default=1)
    arguments = parser.parse_args()
    records = crawl(arguments.version, arguments.copies)
    pieces = [b"".join(records)] if arguments.whole else records
    with open(arguments.file, "wb") as out:
        for piece in pieces:
            out.write(compress(arguments.file, piece))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""readers_test: what `neardup crawl-filter --revisit` writes, read by warcio and FastWARC.

usage: readers_test.py PROGRAM PACKAGES

A crawl is written by warcio (1.0 and 1.1, with requests, digests, chunks), filtered, and read again: both libraries read
every record, at its offset too; block and payload digests are right; each revisit leads, by its record id and by URI
and date, to a response whose payload is the one that was left out; requests still belong to their responses.
"""
import gzip
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from packages import install  # noqa: E402

PROGRAM = sys.argv[1]
sys.path.insert(0, install(HERE / "requirements.txt", sys.argv[2]))
from fastwarc.warc import ArchiveIterator as FastIterator, WarcRecordType  # noqa: E402
from warcio.archiveiterator import ArchiveIterator  # noqa: E402
from warcio.checker import Checker  # noqa: E402
from warcio.statusandheaders import StatusAndHeaders  # noqa: E402
from warcio.warcwriter import WARCWriter  # noqa: E402

PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
WORDS = "the river rose overnight and the old bridge was closed to all traffic until engineers had looked at its piers"


def text(number):
    words = WORDS.split()
    return " ".join(f"{word}{(number * 7919 + i) % 104729}" for i, word in enumerate(words * 5))


def page(number, comment=""):
    return f"<!DOCTYPE html><html><body><!--{comment}--><p>{text(number)}</p></body></html>".encode()


def chunked(body):
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


def kind_of(record):
    kinds = ("warcinfo", "request", "response", "revisit", "metadata", "resource", "conversion")
    return next(kind for kind in kinds if record.record_type == getattr(WarcRecordType, kind))


class Crawl:
    """Writes records as a crawler does; payloads[id] is what a response held."""

    def __init__(self, path, version):
        self.path, self.payloads = path, {}
        self.file = open(path, "wb")
        self.writer = WARCWriter(self.file, gzip=True, warc_version=version)
        self.writer.write_record(self.writer.create_warcinfo_record(path.name, {"software": "test"}))
        self.number = 0

    def fetch(self, uri, body, content_type="text/html", stored=None, more=()):
        self.number += 1
        date = {"WARC-Date": f"2026-11-22T12:{self.number // 60:02}:{self.number % 60:02}Z"}
        head = StatusAndHeaders("200 OK", [("Content-Type", content_type), *more], protocol="HTTP/1.1")
        response = self.writer.create_warc_record(uri, "response", payload=io.BytesIO(stored or body),
                                                  http_headers=head, warc_headers_dict=date)
        asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "example.org")], is_http_request=True)
        request = self.writer.create_warc_record(uri, "request", http_headers=asked, warc_headers_dict=date)
        self.writer.write_request_response_pair(request, response)
        self.payloads[response.rec_headers.get_header("WARC-Record-ID")] = body

    def close(self):
        self.file.close()
        return self


def make_crawl(path, version, host):
    crawl = Crawl(path, version)
    for i in range(6):
        crawl.fetch(f"{host}/{i}", page(i))
    for i in range(3):
        crawl.fetch(f"{host}/copy/{i}", page(i))
    crawl.fetch(f"{host}/near", page(0, "another comment"))
    crawl.fetch(f"{host}/chunks", page(4), stored=chunked(page(4)), more=[("Transfer-Encoding", "chunked")])
    crawl.fetch(f"{host}/packed", page(5), stored=gzip.compress(page(5)), more=[("Content-Encoding", "gzip")])
    crawl.fetch(f"{host}/logo.png", b"\x89PNG\r\n\x1a\n\0\0", "image/png")
    crawl.fetch(f"{host}/logo2.png", b"\x89PNG\r\n\x1a\n\0\0", "image/png")
    return crawl.close()


def warcio_records(path):
    """Each record with all that is asked of it, and the offset at which it begins."""
    found = []
    with open(path, "rb") as file:
        records = ArchiveIterator(file, check_digests="raise")
        for record in records:
            header = record.rec_headers
            status = record.http_headers.get_statuscode() if record.http_headers else None
            content = record.content_stream().read()
            found.append((header.get_header("WARC-Record-ID"), record.rec_type, header, status, content,
                          records.get_record_offset()))
    return found


class ReadersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="neardup_readers_")
        folder = Path(cls.folder.name)
        cls.crawls = [make_crawl(folder / "a.warc.gz", "WARC/1.0", "http://example.org"),
                      make_crawl(folder / "b.warc.gz", "WARC/1.1", "https://example.net")]
        cls.outputs = [folder / "a.out.warc.gz", folder / "b.out.warc.gz"]
        cls.told = []
        for crawl, output in zip(cls.crawls, cls.outputs):
            ran = subprocess.run([PROGRAM, "crawl-filter", folder / "store", crawl.path, "-o", output, "--revisit"],
                                 check=True, capture_output=True, text=True)
            cls.told += ran.stdout.splitlines()
        cls.records = [record for output in cls.outputs for record in warcio_records(output)]
        cls.payloads = cls.crawls[0].payloads | cls.crawls[1].payloads

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def revisits(self):
        return [record for record in self.records if record[1] == "revisit"]

    def test_no_record_is_lost(self):
        before = [record for crawl in self.crawls for record in warcio_records(crawl.path)]
        made = [record for record in self.records if record[1] == "metadata"]
        self.assertEqual([record[0] for record in before],
                         [record[0] for record in self.records if record[1] != "metadata"])
        self.assertEqual(len(self.told), len(self.payloads))
        # Of the first crawl 3 copies, an image and the chunks; of the second all 14 but the near one and the packed
        # page, whose payloads are copies, too.
        self.assertEqual(len(self.revisits()), 5 + 14)
        self.assertEqual(len(made), 2)

    def test_each_member_is_a_record(self):
        for output in self.outputs:
            data = output.read_bytes()
            for record_id, kind, _, _, _, offset in warcio_records(output):
                with open(output, "rb") as file:
                    file.seek(offset)
                    record = next(iter(ArchiveIterator(file)))
                self.assertEqual((record.rec_headers.get_header("WARC-Record-ID"), record.rec_type), (record_id, kind))
                self.assertEqual(data[offset:offset + 2], b"\x1f\x8b")

    def test_digests_are_right(self):
        class Quiet:
            verbose = False
            inputs = [str(output) for output in self.outputs]

        self.assertEqual(Checker(Quiet()).process_all(), 0)
        for output in self.outputs:
            with open(output, "rb") as file:
                for record in FastIterator(file, parse_http=False):
                    self.assertTrue("WARC-Block-Digest" not in record.headers or record.verify_block_digest(),
                                    record.record_id)

    def test_both_readers_agree(self):
        for output in self.outputs:
            ours = [(record[0].strip("<>"), record[1], int(record[3]) if record[3] else 0)
                    for record in warcio_records(output) if record[1] != "request"]
            fast = []
            with open(output, "rb") as file:
                for record in FastIterator(file, parse_http=True):
                    kind = kind_of(record)
                    status = record.http_headers.status_code if record.http_headers and kind != "request" else 0
                    if kind != "request":
                        fast.append((record.record_id.strip("<>"), kind, status or 0))
            self.assertEqual(ours, fast)

    def test_each_revisit_leads_to_the_response_it_repeats(self):
        responses = [record for record in self.records if record[1] == "response"]
        by_id = {record[0]: record for record in responses}
        by_place = {(record[2].get_header("WARC-Target-URI"), record[2].get_header("WARC-Date")): record
                    for record in responses}
        for record_id, _, header, status, content, _ in self.revisits():
            self.assertEqual(header.protocol, "WARC/1.1")
            self.assertEqual(header.get_header("WARC-Profile"), PROFILE)
            self.assertEqual(header.get_header("WARC-Truncated"), "length")
            self.assertEqual((status, content), ("200", b""))
            original = by_id[header.get_header("WARC-Refers-To")]
            place = header.get_header("WARC-Refers-To-Target-URI"), header.get_header("WARC-Refers-To-Date")
            self.assertIs(by_place[place], original)
            self.assertEqual(original[4], self.payloads[record_id])
            if "chunks" not in header.get_header("WARC-Target-URI"):
                self.assertEqual(header.get_header("WARC-Payload-Digest"), original[2].get_header("WARC-Payload-Digest"))

    def test_metadata_names_what_is_near(self):
        ids = {record[0].strip("<>") for record in self.records if record[1] == "response"}
        for _, kind, header, _, content, _ in self.records:
            if kind != "metadata":
                continue
            fields = dict(line.split(": ", 1) for line in content.decode().splitlines())
            self.assertIn(header.get_header("WARC-Concurrent-To").strip("<>"), ids)
            self.assertIn(fields.get("near-duplicate-of", fields.get("duplicate-of")), ids)
            self.assertGreater(float(fields["similarity"]), 0.5)

    def test_requests_keep_their_responses(self):
        ids = {record[0] for record in self.records if record[1] in ("response", "revisit")}
        requests = [record for record in self.records if record[1] == "request"]
        self.assertEqual(len(requests), len(self.payloads))
        for record in requests:
            self.assertIn(record[2].get_header("WARC-Concurrent-To"), ids)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2, warnings="ignore")

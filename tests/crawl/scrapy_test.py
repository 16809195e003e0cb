#!/usr/bin/env python3
"""scrapy_test: the pipeline of examples/scrapy in a real crawl of a site on this machine, against `neardup serve`.

usage: scrapy_test.py PROGRAM PACKAGES

The spider of the example follows the links of a small site with copies. Whatever the order in which pages come, of each
group of copies one is kept; the same crawl again gets the same verdicts; a crawl that breaks off in a transaction leaves
nothing behind; a service that is not there is an error of each item, not of the crawl.
"""
import http.server
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parent.parent / "examples/scrapy"
sys.path.insert(0, str(HERE))
from packages import install  # noqa: E402

PROGRAM = sys.argv[1]
PACKAGES = install(HERE / "requirements-scrapy.txt", sys.argv[2])
SHOWN_START, SHOWN_URL = "start=http://127.0.0.1:8000/", "NEARDUP_URL=http://127.0.0.1:7464"
# As a person has it who installed Scrapy: the script `scrapy` on the path, and nothing of this folder.
ENVIRONMENT = os.environ | {"PATH": f"{PACKAGES}/bin:{os.environ['PATH']}", "PYTHONPATH": PACKAGES,
                            "PYTHONDONTWRITEBYTECODE": "1"}
WORDS = "the river rose overnight and the old bridge was closed to all traffic until engineers had looked at its piers"
GROUPS = {"/": "index", "/a": "a", "/a-copy": "a", "/a-edited": "a", "/b": "b", "/b-copy": "b", "/c": "c"}


def text(group, changed=-1):
    words = [f"{word}{group}{i}" for i, word in enumerate(WORDS.split() * 5)]
    return " ".join("otherwise" if i == changed else word for i, word in enumerate(words))


def page(path):
    links = "".join(f'<a href="{other}">{other[1:]}</a> ' for other in GROUPS if other != "/") if path == "/" else ""
    story = text(GROUPS[path], 40 if path.endswith("edited") else -1)
    return f"<!DOCTYPE html><html><head><title>News</title></head><body><p>{story}</p>{links}</body></html>".encode()


def shown_command():
    """Returns the words of the command with which the page runs the spider, without its URL of the service."""
    page = (EXAMPLE / "README.md").read_text()
    words = next(line for line in page.splitlines() if line.strip().startswith("scrapy runspider")).split()
    words.remove(SHOWN_URL)
    words.remove("-s")
    return words


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        found = self.path in GROUPS
        body = page(self.path) if found else b"not here"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class ScrapyTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="neardup_scrapy_")
        self.site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        threading.Thread(target=self.site.serve_forever, daemon=True).start()
        store = Path(self.folder.name) / "seen"
        subprocess.run([PROGRAM, "index", "create", store], check=True, capture_output=True)
        self.server = subprocess.Popen([PROGRAM, "serve", store, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        self.url = re.search(r"http://\S+", self.server.stdout.readline()).group()

    def tearDown(self):
        self.server.terminate()
        self.server.wait(60)
        self.server.stdout.close()
        self.site.shutdown()
        self.site.server_close()
        self.folder.cleanup()

    def crawl(self, *settings):
        """Runs the spider; returns its items by path, and its log."""
        output = Path(self.folder.name) / "pages.jsonl"
        settings = (f"NEARDUP_URL={self.url}", "TELNETCONSOLE_ENABLED=False", *settings)
        given = [word for setting in settings for word in ("-s", setting)]
        start = f"http://127.0.0.1:{self.site.server_address[1]}/"
        command = [f"start={start}" if word == SHOWN_START else word for word in shown_command()]
        command[command.index("pages.jsonl")] = output
        ran = subprocess.run([*command, *given], cwd=EXAMPLE, capture_output=True, text=True, timeout=300, env=ENVIRONMENT)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        items = [json.loads(line) for line in output.read_text().splitlines()] if output.exists() else []
        return {item["url"].removeprefix(start[:-1]): item["neardup"] for item in items}, ran.stderr

    def tags(self):
        with urllib.request.urlopen(f"{self.url}/v1/tags") as answer:
            return {tag["tag"]: tag["state"] for tag in json.load(answer)["tags"]}

    def test_of_each_group_of_copies_one_is_kept(self):
        kept, log = self.crawl()
        self.assertEqual(sorted(GROUPS[path] for path in kept), ["a", "b", "c", "index"], log)
        self.assertTrue(all(item["verdict"] == "new" for item in kept.values()))
        self.assertIn("'neardup/new': 4", log)
        again, log = self.crawl("NEARDUP_DROP=False")
        self.assertEqual(set(again), set(GROUPS), log)
        self.assertEqual({path for path, item in again.items() if item["verdict"] == "new"}, set(kept))
        for path, item in again.items():
            if item["verdict"] != "new":
                original = "/" + item["duplicate_of"].split("/", 3)[3]
                self.assertIn(original, kept)
                self.assertEqual(GROUPS[original], GROUPS[path])

    def test_a_crawl_that_breaks_off_leaves_nothing(self):
        transaction = ("NEARDUP_TAG=crawl 1/a", "NEARDUP_TRANSACTION=True")
        broken, log = self.crawl(*transaction, "CLOSESPIDER_ITEMCOUNT=1", "CONCURRENT_REQUESTS=1")
        self.assertTrue(broken, log)
        self.assertEqual(self.tags(), {})
        whole, log = self.crawl(*transaction)
        self.assertEqual(len(whole), 4, log)
        self.assertEqual(self.tags(), {"crawl 1/a": "committed"})

    def test_without_a_service_each_item_is_an_error(self):
        with socket.socket() as held:  # bound, but nobody listens: it refuses, and no other service can take it
            held.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{held.getsockname()[1]}"
            kept, log = self.crawl("NEARDUP_TRIES=1")
        self.assertEqual(kept, {})
        self.assertIn("ServiceError", log)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

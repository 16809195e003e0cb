#!/usr/bin/env python3
"""Bodies of requests whose type is not said, or that begin with a mark; and one look at a document.

usage: bodies_test.py PROGRAM [TEST...]
"""
import json
import random
import sys
import threading
import unittest

from service import Service

PROGRAM = sys.argv.pop(1)
FERRY = "The ferry to the island will not leave before the storm is over, said the captain."


def words(number):
    """A text of its own for each number."""
    source = random.Random(number)
    return " ".join(f"w{source.randrange(10**6)}" for _ in range(40))


class Bodies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service(PROGRAM).__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def test_who_does_not_say_lines_is_told_by_the_status(self):
        pretty = json.dumps({"txt": FERRY}, indent=1).encode()
        for path in ("/v1/check", "/v1/query", "/v1/insert", "/v1/check-and-insert"):
            for headers in ({}, {"Content-Type": "application/x-www-form-urlencoded"}):
                for body in (b'{"id":"a","txt":"no text"}', b'{"id":"a","txt":"no text"}\n', b"{", b"no JSON at all", pretty):
                    status, _, answer = self.service.request("POST", path, body, headers)
                    self.assertEqual((status, json.loads(answer)["error"]["code"]), (400, "invalid_argument"), (path, body))
            status, _, answer = self.service.request("POST", path, b'{"id":"said","txt":1}\n', {"Content-Type": "application/x-ndjson"})
            self.assertEqual(status, 200, "who says lines gets a line for each")
        status, _, answer = self.service.request("POST", "/v1/check", b'{"txt":1}\n{"text":"a"}\n')
        self.assertEqual((status, answer.count(b"\n")), (200, 2))

    def test_a_byte_order_mark_hides_nothing(self):
        mark, line = b"\xef\xbb\xbf", json.dumps({"id": "mark", "text": FERRY + " mark"}).encode()
        for kind in ("application/x-ndjson", "application/json", None):
            headers = {"Content-Type": kind} if kind else {}
            status, _, answer = self.service.request("POST", "/v1/check-and-insert", mark + line + b"\n", headers)
            self.assertEqual((status, json.loads(answer)["id"]), (200, "mark"), kind)
        body = mark + b'{"ids":["mark"]}'
        self.assertEqual(json.loads(self.service.request("POST", "/v1/delete", body)[2])["deleted"], 1)

    def test_a_document_is_looked_at_once(self):
        """While it changes between new and a duplicate, each answer is one of the two."""
        texts = (words(7001), words(7002))
        self.service.post("/v1/insert?within=once", {"id": "first", "text": texts[0]})
        over, seen = threading.Event(), []

        def change():
            while not over.is_set():
                for text in texts:
                    self.service.post("/v1/check-and-insert?within=once", {"id": "turns", "text": text})
        thread = threading.Thread(target=change)
        thread.start()
        try:
            for _ in range(300):
                status, body = self.service.get("/v1/documents/turns")
                if status == 200:
                    one = json.loads(body)
                    seen.append((one["verdict"], one["duplicate_of"]))
        finally:
            over.set()
            thread.join()
        self.assertLessEqual(set(seen), {("new", None), ("exact", "first")})


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""The service from outside: verdicts, retries, limits, keys, slow and many clients, ends of every kind.

usage: service_test.py PROGRAM [TEST...]
"""
import http.client
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from service import LONGEST_WAIT, Service, wait_until

PROGRAM = sys.argv.pop(1)
FERRY = "The ferry to the island will not leave before the storm is over, said the captain."
NEAR_FERRY = "The ferry to the island won't leave before the storm is over, said the captain."
SCHOOL = "A new school opens its doors in the old town hall next week, with room for all."


def words(number):
    """A text of its own for each number."""
    source = random.Random(number)
    return " ".join(f"w{source.randrange(10**6)}" for _ in range(40))


class Verdicts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service(PROGRAM, "--keep-texts").__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def test_lines_are_answered_in_order(self):
        status, answers = self.service.lines("/v1/check-and-insert?within=order", [
            {"id": "a", "text": FERRY}, {"id": "b", "text": FERRY.upper()}, "\n", "{no JSON\n", {"id": "c", "text": NEAR_FERRY},
            {"id": "d", "text": SCHOOL}, {"text": "no id"}])
        self.assertEqual(status, 200)
        self.assertEqual([answer.get("verdict") for answer in answers], ["new", "exact", None, "near", "new", None])
        self.assertEqual([answer.get("duplicate_of") for answer in answers], [None, "a", None, "a", None, None])
        self.assertEqual(answers[2]["line"], 4)
        self.assertEqual(answers[5]["error"]["code"], "invalid_argument")
        self.assertEqual(list(answers[0])[:4], ["id", "verdict", "duplicate_of", "similarity"])

    def test_a_retry_gets_the_first_verdict(self):
        first = self.service.post("/v1/check-and-insert?within=retry", {"id": "r1", "text": FERRY})[1]
        again = self.service.post("/v1/check-and-insert?within=retry", {"id": "r1", "text": FERRY})[1]
        self.assertEqual((first["verdict"], again["verdict"], again["repeated"]), ("new", "new", True))
        other = self.service.post("/v1/check-and-insert?within=retry", {"id": "r2", "text": FERRY})[1]
        self.assertEqual((other["verdict"], other["duplicate_of"]), ("exact", "r1"))

    def test_an_idempotency_key_names_what_has_no_id(self):
        path, key = "/v1/check-and-insert?within=key", {"Idempotency-Key": "k-1"}
        self.assertEqual(self.service.post(path, {"text": SCHOOL}, key)[1]["id"], "k-1")
        self.assertTrue(self.service.post(path, {"text": SCHOOL}, key)[1]["repeated"])
        status, batch = self.service.post(path, {"documents": [{"text": FERRY}, {"id": "own", "text": FERRY}]}, key)
        self.assertEqual([result["id"] for result in batch["results"]], ["k-1/0", "own"])
        self.assertEqual(self.service.post(path, {"text": SCHOOL})[0], 400)

    def test_a_batch_is_atomic(self):
        status, answer = self.service.post("/v1/check-and-insert", {"documents": [{"id": "t1", "text": words(1)}, {"text": "x"}]})
        self.assertEqual(status, 400)
        self.assertIn("documents[1]", answer["error"]["message"])
        self.assertEqual(self.service.get("/v1/documents/t1")[0], 404)

    def test_checking_changes_nothing(self):
        before = json.loads(self.service.get("/v1/stats")[1])["documents"]
        self.assertEqual(self.service.post("/v1/check", {"text": words(2)})[1]["verdict"], "new")
        self.assertEqual(json.loads(self.service.get("/v1/stats")[1])["documents"], before)

    def test_queries_find_what_is_near(self):
        self.service.post("/v1/insert?within=query", {"documents": [{"id": "q1", "text": FERRY}, {"id": "q2", "text": SCHOOL}]})
        status, answer = self.service.post("/v1/query?within=query&limit=1", {"text": NEAR_FERRY})
        self.assertEqual([found["id"] for found in answer["found"]], ["q1"])
        self.assertEqual(self.service.post("/v1/query?limit=0", {"text": "x"})[0], 400)
        status, answers = self.service.lines("/v1/query?within=query", [{"text": FERRY}, {"text": SCHOOL}])
        self.assertEqual([answer["found"][0]["id"] for answer in answers], ["q1", "q2"])

    def test_documents_have_an_etag_and_go(self):
        name = "/v1/documents/http%3A%2F%2Fx%2Fy%20z"
        self.service.post("/v1/insert", {"id": "http://x/y z", "text": words(3), "tag": "t"})
        status, headers, body = self.service.request("GET", name)
        self.assertEqual(json.loads(body)["text"], words(3))
        self.assertEqual(self.service.request("GET", name, headers={"If-None-Match": headers["ETag"]})[0], 304)
        self.assertEqual(self.service.get("/v1/documents/http://x/y%20z")[0], 200)
        self.assertEqual(self.service.request("HEAD", name)[2], b"")
        self.assertEqual(json.loads(self.service.request("DELETE", name)[2])["deleted"], 1)
        self.assertEqual(self.service.request("DELETE", name)[0], 404)

    def test_clusters_are_paged(self):
        documents = [{"id": f"c{i}-{j}", "text": words(100 + i)} for i in range(5) for j in range(2)]
        self.service.post("/v1/check-and-insert?within=clusters", {"documents": documents})
        kept, after = [], ""
        while True:
            page = json.loads(self.service.get(f"/v1/clusters?limit=2{after}")[1])
            kept += [cluster["kept"] for cluster in page["clusters"]]
            self.assertEqual(page["truncated"], page["next"] is not None)
            if page["next"] is None:
                break
            after = f"&after={page['next']}"
        self.assertEqual([name for name in kept if name.startswith("c")], [f"c{i}-0" for i in range(5)])
        one = json.loads(self.service.get("/v1/clusters?kept=c3-0")[1])["clusters"][0]
        self.assertEqual([member["id"] for member in one["duplicates"]], ["c3-1"])

    def test_a_cancelled_crawl_leaves_nothing(self):
        self.assertTrue(self.service.post("/v1/tags/crawl/begin", None)[1]["changed"])
        self.service.post("/v1/check-and-insert", {"id": "p1", "text": words(4), "tag": "crawl"})
        self.assertEqual(self.service.post("/v1/check", {"text": words(4)})[1]["verdict"], "new")
        self.assertEqual(self.service.post("/v1/tags/crawl/cancel", None)[1]["state"], "cancelled")
        self.assertFalse(self.service.post("/v1/tags/crawl/cancel", None)[1]["changed"])
        self.assertEqual(self.service.post("/v1/check-and-insert", {"id": "p2", "text": words(4)})[1]["verdict"], "new")

    def test_a_tag_that_was_never_begun_cannot_end(self):
        for end in ("commit", "cancel"):
            status, answer = self.service.post(f"/v1/tags/never/{end}", None)
            self.assertEqual((status, answer["error"]["code"]), (404, "not_found"))
            self.assertIn("/v1/tags/never/begin", answer["error"]["message"])
        self.service.post("/v1/insert", {"id": "plain", "text": words(44), "tag": "plain"})  # counts at once
        self.assertEqual(self.service.post("/v1/tags/plain/commit", None)[1]["changed"], False)
        for first, second in (("commit", "cancel"), ("cancel", "commit")):
            self.service.post(f"/v1/tags/{first}/begin", None)
            for changed in (True, False):
                self.assertEqual(self.service.post(f"/v1/tags/{first}/{first}", None)[1]["changed"], changed)
            status, answer = self.service.post(f"/v1/tags/{first}/{second}", None)
            self.assertEqual((status, answer["error"]["code"]), (409, "mismatch"))

    def test_a_page_is_explained_by_its_main_text(self):
        page = f"<p>{FERRY}</p>"
        for a, b in (({"text": FERRY}, {"html": page}), ({"html": page}, {"html": FERRY})):
            self.assertEqual(self.service.post("/v1/explain", {"a": a, "b": b})[1]["verdict"], "exact")
        self.assertNotEqual(self.service.post("/v1/explain", {"a": {"text": page}, "b": {"html": page}})[1]["pieces"][0]["a"], FERRY)

    def test_a_stored_page_is_explained_as_it_was_compared(self):
        page = f"{SCHOOL} A caf&eacute; is <b>planned</b>."  # by itself it does not look like a page
        text = f"{SCHOOL} A caf\u00e9 is planned."
        self.service.post("/v1/insert", {"documents": [{"id": "page", "html": page}, {"id": "no page", "text": page}]})
        status, answer = self.service.post("/v1/explain", {"a": {"id": "page"}, "b": {"text": text}})
        self.assertEqual((status, answer["verdict"]), (200, "exact"))
        self.assertNotEqual(self.service.post("/v1/explain", {"a": {"id": "no page"}, "b": {"text": text}})[1]["verdict"], "exact")

    def test_reasons_name_no_flags(self):
        for pair in ((FERRY, NEAR_FERRY), (FERRY, SCHOOL), (FERRY, FERRY), ("x", "y")):
            answer = self.service.post("/v1/explain", {"a": {"text": pair[0]}, "b": {"text": pair[1]}})[1]
            self.assertTrue(answer["why"])
            self.assertNotIn("--", "".join(answer["why"]))

    def test_the_etag_changes_with_the_original(self):
        for name in ("orig", "copy"):
            self.service.post("/v1/check-and-insert", {"id": name, "text": FERRY + " etag"})
        _, headers, _ = self.service.request("GET", "/v1/documents/copy")
        self.service.request("POST", "/v1/delete", json.dumps({"ids": ["orig"]}), {"Content-Type": "application/json"})
        status, _, body = self.service.request("GET", "/v1/documents/copy", headers={"If-None-Match": headers["ETag"]})
        self.assertEqual(status, 200)
        self.assertIsNone(json.loads(body)["duplicate_of"])

    def test_two_texts_are_explained(self):
        self.service.post("/v1/insert", {"id": "e1", "text": FERRY})
        status, answer = self.service.post("/v1/explain", {"a": {"id": "e1"}, "b": {"text": NEAR_FERRY}})
        self.assertEqual((status, answer["verdict"]), (200, "near"))
        self.assertEqual("".join(piece.get("b", "") for piece in answer["pieces"]), NEAR_FERRY)
        self.assertTrue(answer["why"])

    def test_every_answer_says_the_recipe(self):
        recipe = json.loads(self.service.get("/v1/recipe")[1])["recipe"]
        for method, path in (("GET", "/v1/stats"), ("POST", "/v1/check"), ("GET", "/nothing"), ("GET", "/healthz")):
            self.assertEqual(self.service.request(method, path)[1]["Neardup-Recipe"], recipe)
        self.assertEqual(self.service.post("/v1/check", {"text": "x"}, {"Neardup-Recipe": "0123456789ab"})[0], 409)

    def test_what_is_wrong_is_said_in_one_form(self):
        for method, path, body, status, code in (
                ("GET", "/v1/nothing", None, 404, "not_found"), ("PUT", "/v1/check", b"{}", 405, "method_not_allowed"),
                ("POST", "/v1/check", b"{\"text\":1}", 400, "invalid_argument"), ("POST", "/v1/check", b"[" * 5000, 400, "invalid_argument"),
                ("POST", "/v1/check", b'{"text":"\xff"}', 400, "invalid_argument"), ("GET", "/v1/stats?x=1", None, 400, "invalid_argument"),
                ("GET", "/v1/documents/%zz", None, 404, "not_found"), ("POST", "/v1/check", b'{"text":"a","html":"b"}', 400, "invalid_argument"),
                ("POST", "/v1/check", b'{"fingerprints":["0123456789abcdef"]}', 422, "unsupported")):
            found, _, answer = self.service.request(method, path, body, {"Content-Type": "application/json"})
            self.assertEqual((found, json.loads(answer)["error"]["code"]), (status, code), path)
        self.assertEqual(self.service.post("/v1/check", {"text": "\ud800 half a pair"})[0], 200)
        self.assertEqual(self.service.request("POST", "/v1/check", b"x", {"Content-Type": "image/png"})[0], 415)
        self.assertEqual(self.service.request("POST", "/v1/check", b"x", {"Content-Encoding": "gzip"})[0], 415)

    def test_pages_of_others_may_not_ask(self):
        self.assertEqual(self.service.get("/v1/stats", {"Origin": "http://evil.example"})[0], 403)
        self.assertEqual(self.service.get("/v1/stats", {"Host": "evil.example"})[0], 403)
        self.assertEqual(self.service.get("/v1/stats", {"Origin": self.service.url})[0], 200)

    def test_metrics_have_their_names(self):
        text = self.service.get("/metrics")[1].decode()
        for name in ("neardup_requests_total", "neardup_request_seconds_bucket", "neardup_verdicts_total", "neardup_documents",
                     "neardup_waiting_requests", "neardup_connections", "neardup_group_documents_count", "process_resident_memory_bytes"):
            self.assertIn(f"\n{name}", text)

    def metric(self, name):
        """The value of one row of /metrics; 0 where it is not there."""
        rows = [line for line in self.service.get("/metrics")[1].decode().splitlines() if line.startswith(name + " ")]
        return float(rows[0].rsplit(" ", 1)[1]) if rows else 0

    def test_candidates_are_counted_by_what_became_of_them(self):
        names = {outcome: f'neardup_candidates_total{{outcome="{outcome}"}}' for outcome in ("unlike", "refused", "similar")}
        before = {outcome: self.metric(name) for outcome, name in names.items()}
        frame = " ".join(f"frame{i}" for i in range(60))
        for i in range(20):  # a common half is enough to be compared, and too little to be near
            self.service.post("/v1/check-and-insert?within=count", {"id": f"framed{i}", "text": f"{frame} {words(i)} {words(i + 20)[:300]}"})
        self.service.post("/v1/check-and-insert?within=count", {"id": "framed copy", "text": f"{frame} {words(0)} {words(20)[:290]}"})
        after = {outcome: self.metric(name) - before[outcome] for outcome, name in names.items()}
        self.assertGreater(after["refused"], 0)
        self.assertEqual(after["similar"], 1)
        self.assertIn("# TYPE neardup_candidates_total counter", self.service.get("/metrics")[1].decode())

    def test_the_page_names_every_metric_and_figure(self):
        page = (pathlib.Path(__file__).parents[2] / "docs" / "http.md").read_text()
        rows = self.service.get("/metrics")[1].decode().splitlines()
        for name in {row.split()[2] for row in rows if row.startswith("# TYPE ")}:
            self.assertIn(f"`{name}`", page)
        for name in json.loads(self.service.get("/v1/stats")[1]):
            self.assertIn(f'"{name}":', page)

    def test_documents_of_one_call_are_counted_one_by_one_too(self):
        calls, documents = (self.metric(f"neardup_group_documents_{what}") for what in ("count", "sum"))
        self.service.post("/v1/check", {"documents": [{"text": "a"}, {"text": "b"}]})
        self.service.post("/v1/check", {"text": "c"})
        self.assertEqual(self.metric("neardup_group_documents_count"), calls + 2)
        self.assertEqual(self.metric("neardup_group_documents_sum"), documents + 3)

    def test_fingerprints_come_as_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = pathlib.Path(folder, "texts.jsonl")
            texts.write_text("".join(json.dumps({"id": f"f{i}", "text": words(500 + i // 2)}) + "\n" for i in range(6)))
            recipe = pathlib.Path(folder, "recipe.json")
            recipe.write_text(json.dumps(json.loads(self.service.get("/v1/recipe")[1])["json"]))
            made = pathlib.Path(folder, "prints.bin")
            subprocess.run([PROGRAM, "fingerprint", texts, "--recipe", recipe, "--family", "minhash", "--output-format", "bin", "-o", made],
                           check=True, capture_output=True)
            headers = {"Content-Type": "application/octet-stream", "Accept": "application/x-ndjson"}
            status, _, body = self.service.request("POST", "/v1/check-and-insert?within=file", made.read_bytes(), headers)
            answers = [json.loads(line) for line in body.splitlines()]
            self.assertEqual(status, 200, body)
            self.assertEqual([answer["duplicate_of"] for answer in answers], [None, "f0", None, "f2", None, "f4"])
            broken = made.read_bytes()[:-1]
            self.assertEqual(self.service.request("POST", "/v1/check", broken, headers)[0], 400)


class Limits(unittest.TestCase):
    def test_what_is_too_large_is_refused(self):
        with Service(PROGRAM, "--max-body", "100000", "--max-document", "5000", "--max-batch", "10") as service:
            self.assertEqual(service.post("/v1/check", {"text": "x" * 200000})[0], 413)
            self.assertEqual(service.post("/v1/check", {"text": "x" * 6000})[0], 413)
            self.assertEqual(service.post("/v1/check", {"documents": [{"text": "x"}] * 11})[0], 413)
            status, answers = service.lines("/v1/check", [{"text": "x"}, {"text": "y" * 300000}, {"text": "z"}])
            self.assertEqual([answer.get("verdict") for answer in answers], ["new", None, "new"])
            chunks = (b'{"text":"' if i == 0 else b"x" * 10000 for i in range(50))
            status, _, body = service.request("POST", "/v1/check", chunks, {"Content-Type": "application/json"})
            self.assertEqual(status, 413)

    def test_a_long_stream_is_answered_line_by_line_in_bounded_memory(self):
        with Service(PROGRAM) as service:
            service.lines("/v1/check", [{"text": words(0)}])
            before = json.loads(service.get("/v1/stats")[1])["process_memory_bytes"]
            block = "".join(json.dumps({"text": words(i) + " " + "pad " * 4000}) + "\n" for i in range(20)).encode()
            chunks = (block for _ in range(200))  # 64 MB
            status, _, body = service.request("POST", "/v1/check", chunks, {"Content-Type": "application/x-ndjson"})
            self.assertEqual((status, body.count(b"\n")), (200, 4000))
            after = json.loads(service.get("/v1/stats")[1])["process_memory_bytes"]
            if os.environ.get("NEARDUP_SANITIZED") != "1":  # sanitizers give no memory back
                self.assertLess(after - before, 48 << 20)

    def test_an_answer_that_grows_too_long_says_so(self):
        with Service(PROGRAM, "--max-answer", "10000") as service:
            status, answers = service.lines("/v1/check", ["x\n"] * 20000)
            self.assertTrue(answers[-1]["truncated"])
            self.assertEqual(answers[-1]["line"], len(answers))

    def test_who_is_slow_is_cut_off(self):
        with Service(PROGRAM, "--idle-timeout", "1", "--request-timeout", "1") as service:  # of themselves they are 60
            for head in (b"POST /v1/check HTTP/1.1\r\nX: ", b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n"):
                with socket.create_connection(("127.0.0.1", service.port)) as client:
                    client.sendall(head)
                    self.assertTrue(self.is_cut_off(client))
            self.assertEqual(service.get("/healthz")[0], 200)

    @staticmethod
    def is_cut_off(client):
        client.settimeout(0.2)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                client.sendall(b"a")
                if client.recv(100) == b"":
                    return True
            except socket.timeout:
                continue
            except OSError:
                return True
        return False

    def test_more_than_may_wait_is_told_to_come_again(self):
        with Service(PROGRAM, "--max-waiting", "1", "--threads", "1") as service:
            statuses = []

            def ask(number):
                texts = [{"id": f"{number}-{i}", "text": words(number * 1000 + i)} for i in range(200)]
                statuses.append(service.post("/v1/check-and-insert", {"documents": texts})[0])
            threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertLessEqual(set(statuses), {200, 429})
            self.assertIn(200, statuses)

    def test_of_256_who_come_at_once_one_is_new(self):
        with Service(PROGRAM) as service:
            verdicts, start = [], threading.Barrier(256)

            def ask(number):
                connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=LONGEST_WAIT)
                connection.connect()
                start.wait()
                for turn in range(3):
                    body = json.dumps({"id": f"{number}-{turn}", "text": words(turn)})
                    connection.request("POST", "/v1/check-and-insert", body, {"Content-Type": "application/json"})
                    verdicts.append((turn, json.loads(connection.getresponse().read())["verdict"]))
                connection.close()
            threads = [threading.Thread(target=ask, args=(number,)) for number in range(256)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(verdicts), 768)
            for turn in range(3):
                self.assertEqual(verdicts.count((turn, "new")), 1)


class Keys(unittest.TestCase):
    def test_keys_open_what_they_may(self):
        with tempfile.TemporaryDirectory() as folder:
            full, read = pathlib.Path(folder, "full"), pathlib.Path(folder, "read")
            full.write_text("full-key-of-a-test\nanother-full-key-1\n")
            read.write_text("read-key-of-a-test\n")
            full.chmod(0o600)
            read.chmod(0o600)
            with Service(PROGRAM, "--full-key-file", full, "--read-key-file", read) as service:
                body, insert = {"id": "a", "text": "x"}, "/v1/check-and-insert"
                for key, path, status in ((None, "/v1/check", 401), ("wrong-key-of-a-test", "/v1/check", 401),
                                          ("read-key-of-a-test", "/v1/check", 200), ("read-key-of-a-test", insert, 403),
                                          ("full-key-of-a-test", insert, 200), ("another-full-key-1", insert, 200),
                                          ("full-key-of-a-tes", insert, 401)):
                    headers = {"Authorization": f"Bearer {key}"} if key else {}
                    self.assertEqual(service.post(path, body, headers)[0], status, (key, path))
                self.assertEqual(service.get("/healthz")[0], 200)
                self.assertEqual(service.get("/metrics")[0], 401)
                service.end()
                self.assertNotIn("full-key", "".join(service.log))

    def test_a_file_of_keys_is_for_its_owner_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            keys, store = pathlib.Path(folder, "keys file"), pathlib.Path(folder, "store")
            keys.write_text("full-key-of-a-test\n")
            subprocess.run([PROGRAM, "index", "create", store], check=True, capture_output=True)
            for flags in (("--full-key-file", keys), ("--tls-certificate", keys, "--tls-key", keys)):
                for mode in (0o644, 0o604, 0o640, 0o620, 0o602, 0o660, 0o666):
                    keys.chmod(mode)
                    run = subprocess.run([PROGRAM, "serve", store, "--listen", "127.0.0.1:0", *flags], capture_output=True, text=True,
                                         timeout=LONGEST_WAIT)
                    self.assertEqual(run.returncode, 1, oct(mode))
                    self.assertIn(f"chmod 600 '{keys}'", run.stderr)

    def test_a_public_address_needs_a_key(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([PROGRAM, "serve", folder, "--listen", "0.0.0.0:0"], capture_output=True, text=True)
            self.assertEqual(run.returncode, 1)
            self.assertIn("--full-key-file", run.stderr)


class Secure(unittest.TestCase):
    @unittest.skipUnless(shutil.which("openssl"), "openssl is not there")
    def test_https(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = pathlib.Path(folder, "key.pem"), pathlib.Path(folder, "certificate.pem")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "1",
                            "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
            with Service(PROGRAM, "--tls-certificate", certificate, "--tls-key", key, certificate=certificate) as service:
                self.assertTrue(service.url.startswith("https://"))
                self.assertEqual(service.post("/v1/check-and-insert", {"id": "a", "text": FERRY})[1]["verdict"], "new")
            run = subprocess.run([PROGRAM, "serve", service.folder, "--tls-key", key], capture_output=True, text=True)
            self.assertNotEqual(run.returncode, 0)


class Snapshots(unittest.TestCase):
    def test_a_snapshot_is_a_store(self):
        with tempfile.TemporaryDirectory() as folder:
            with Service(PROGRAM, "--snapshots", folder) as service:
                service.post("/v1/check-and-insert", {"id": "a", "text": FERRY})
                for name, status in (("one", 200), ("one", 409), ("../two", 400), (".hidden", 400)):
                    self.assertEqual(service.post("/v1/snapshot", {"name": name})[0], status, name)
            with Service(PROGRAM, folder=pathlib.Path(folder, "one")) as copy:
                self.assertEqual(copy.post("/v1/check", {"text": FERRY})[1]["duplicate_of"], "a")
                self.assertEqual(copy.post("/v1/snapshot", {"name": "x"})[0], 422)


class Ends(unittest.TestCase):
    def test_it_says_that_it_opens_and_when_it_is_ready(self):
        with Service(PROGRAM) as service:
            url = service.url
            self.assertEqual(service.process.stdout.readline(), f"opening {service.folder}: {url}/readyz says when it answers\n")
            service.process.send_signal(signal.SIGTERM)
            self.assertEqual(service.process.wait(LONGEST_WAIT), 0)
            service.reader.join(LONGEST_WAIT)
            events = [json.loads(line)["event"] for line in service.log]
            self.assertEqual(events[:3], ["listening", "opening", "ready"])
            self.assertEqual(service.process.stdout.read(), "", "a reader may be gone by then")

    def test_a_stop_loses_nothing_that_was_acknowledged(self):
        with tempfile.TemporaryDirectory() as root:
            self.check_end(root, signal.SIGTERM, 0)

    def test_a_kill_loses_nothing_that_was_acknowledged(self):
        with tempfile.TemporaryDirectory() as root:
            self.check_end(root, signal.SIGKILL, -9)

    def check_end(self, root, number, expected):
        folder = pathlib.Path(root, "store")
        subprocess.run([PROGRAM, "index", "create", folder], check=True, capture_output=True)
        service = Service(PROGRAM, folder=folder).wait_ready()
        acknowledged, over = [], threading.Event()

        def write(writer):
            for turn in range(10**6):
                name = f"{writer}-{turn}"
                try:
                    status, _ = service.post("/v1/check-and-insert", {"id": name, "text": words(writer * 10**6 + turn)})
                except (OSError, http.client.HTTPException, ValueError):
                    return
                if status != 200:
                    return
                acknowledged.append(name)
        threads = [threading.Thread(target=write, args=(writer,)) for writer in range(8)]
        for thread in threads:
            thread.start()
        try:
            wait_until(lambda: len(acknowledged) > 200, "writers are not answered")
        finally:  # the writers go on until then
            status = service.end(number)
        for thread in threads:
            thread.join()
        self.assertEqual(status, expected)
        with Service(PROGRAM, folder=folder) as again:
            missing = [name for name in acknowledged if again.get(f"/v1/documents/{name}")[0] != 200]
            self.assertEqual(missing, [])

    def test_folders_that_are_no_store_are_told_with_the_cure(self):
        with tempfile.TemporaryDirectory() as root:
            nothing, prints, other = (pathlib.Path(root, name) for name in ("nothing", "prints", "other"))
            lines = subprocess.run([PROGRAM, "fingerprint", "-"], input=FERRY, capture_output=True, text=True, check=True).stdout
            pathlib.Path(root, "prints.tsv").write_text(lines)
            subprocess.run([PROGRAM, "index", "create", prints, pathlib.Path(root, "prints.tsv")], check=True, capture_output=True)
            other.mkdir()
            (other / "file").touch()
            for folder, words_of_it in ((nothing, "neardup index create"), (prints, "index of fingerprints"), (other, "other files")):
                run = subprocess.run([PROGRAM, "serve", folder, "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=LONGEST_WAIT)
                self.assertNotEqual(run.returncode, 0)
                self.assertIn(words_of_it, run.stderr)

    def test_the_remains_of_a_first_start_are_taken(self):
        for names in (["LOCK"], ["LOCK", "SETTINGS"], ["LOCK", "SETTINGS.tmp12-3"], ["LOCK", "SETTINGS", "MANIFEST.tmp12-3"]):
            with tempfile.TemporaryDirectory() as root:
                folder = pathlib.Path(root, "store")
                folder.mkdir()
                for name in names:
                    (folder / name).touch()
                with Service(PROGRAM, folder=folder) as service:
                    self.assertEqual(service.post("/v1/check-and-insert", {"id": "a", "text": FERRY})[0], 200, names)

    def test_files_beside_an_empty_index_stay(self):
        with tempfile.TemporaryDirectory() as root:
            folder = pathlib.Path(root, "index")
            subprocess.run([PROGRAM, "index", "create", folder], check=True, capture_output=True)
            (folder / "thesis.txt").write_text("years of work")
            run = subprocess.run([PROGRAM, "serve", folder, "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=LONGEST_WAIT)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("a folder of its own", run.stderr)
            self.assertEqual((folder / "thesis.txt").read_text(), "years of work")

    def test_quotes_are_told_of_where_the_store_does(self):
        quote = " ".join(f"word{number}" for number in range(60))
        article = quote + " " + " ".join(f"other{number}" for number in range(80))
        with tempfile.TemporaryDirectory() as root:
            folder = pathlib.Path(root, "store")
            subprocess.run([PROGRAM, "index", "create", folder, "--contained", "0.8"], check=True, capture_output=True)
            with Service(PROGRAM, folder=folder) as service:
                service.post("/v1/check-and-insert", {"id": "article", "text": article})
                for _ in range(2):
                    answer = service.post("/v1/check-and-insert", {"id": "quote", "text": quote})[1]
                    self.assertEqual((answer["verdict"], answer["duplicate_of"], answer["similarity"]), ("contained", "article", 1))
                self.assertTrue(answer["repeated"])
                found = service.post("/v1/query", {"text": quote})[1]["found"]
                self.assertEqual([(one["id"], one["exact"], one["container"]) for one in found], [("article", False, True)])
                explained = service.post("/v1/explain", {"a": {"text": quote}, "b": {"text": article}})[1]
                self.assertEqual((explained["verdict"], explained["similarity"]), ("contained", 1))
                self.assertEqual(json.loads(service.get("/v1/documents/quote")[1])["verdict"], "contained")
                cluster = json.loads(service.get("/v1/clusters")[1])["clusters"][0]
                self.assertEqual([one["verdict"] for one in cluster["duplicates"]], ["contained"])
                stats = json.loads(service.get("/v1/stats")[1])
                self.assertEqual((stats["verdicts"]["contained"], stats["settings"]["contained"]), (2, 0.8))
                self.assertIn('neardup_verdicts_total{verdict="contained"} 2', service.get("/metrics")[1].decode())

    def test_a_typed_setting_must_be_the_stores(self):
        with tempfile.TemporaryDirectory() as root:
            folder = pathlib.Path(root, "store")
            folder.mkdir()
            with Service(PROGRAM, "--records", "signature", "--verify", "jaccard:0.9", folder=folder):
                pass
            for typed in (("--records", "tokens"), ("--keep-texts",), ("--verify", "origin"), ("--family", "simhash"), ("--recipe", "grams")):
                run = subprocess.run([PROGRAM, "serve", folder, "--listen", "127.0.0.1:0", *typed], capture_output=True, text=True, timeout=LONGEST_WAIT)
                self.assertNotEqual(run.returncode, 0, typed)
                self.assertIn(f"leave {typed[0]} out", run.stderr)
            with Service(PROGRAM, "--records", "signature", "--verify", "jaccard:0.9", folder=folder) as again:
                self.assertEqual(again.get("/readyz")[0], 200)

    def test_settings_come_from_anywhere(self):
        with tempfile.TemporaryDirectory() as root:
            config = pathlib.Path(root, "serve.toml")
            config.write_text('max-batch = 3\nmax-body = "1000"\n')
            environment = {**os.environ, "NEARDUP_SERVE_MAX_BATCH": "2", "NEARDUP_SERVE_KEEP_TEXTS": "true"}
            with Service(PROGRAM, "--config", config, environment=environment) as service:
                self.assertEqual(service.post("/v1/check", {"documents": [{"text": "x"}] * 3})[0], 413)
                self.assertEqual(service.post("/v1/check", {"text": "x" * 2000})[0], 413)
                self.assertTrue(json.loads(service.get("/v1/stats")[1])["settings"]["keep_texts"])


class FullDisk(unittest.TestCase):
    def test_a_start_without_room_answers_and_takes_what_comes_once_there_is(self):
        with tempfile.TemporaryDirectory() as folder:
            store, without_room = pathlib.Path(folder, "store"), pathlib.Path(folder, "without_room")
            subprocess.run([PROGRAM, "index", "create", store], check=True, capture_output=True)
            with Service(PROGRAM, folder=store) as service:
                self.assertEqual(service.post("/v1/insert", {"id": "before", "text": FERRY})[0], 200)
            without_room.write_text(f"#!/bin/sh\ntrap '' XFSZ\nulimit -S -f 0\nexec '{PROGRAM}' \"$@\"\n")
            without_room.chmod(0o700)
            with Service(without_room, folder=store) as service:
                again = {"id": "again", "text": FERRY}
                self.assertEqual(service.post("/v1/check", again)[1]["duplicate_of"], "before")
                for _ in range(2):
                    status, answer = service.post("/v1/check-and-insert", again)
                    self.assertEqual((status, answer["error"]["code"]), (507, "disk_full"))
                self.assertEqual(service.get("/readyz")[0], 200)
                resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, resource.getrlimit(resource.RLIMIT_FSIZE))
                self.assertEqual(service.post("/v1/check-and-insert", again)[1]["verdict"], "exact")
            with Service(PROGRAM, folder=store) as service:
                self.assertEqual(service.get("/v1/documents/again")[0], 200)


class ManyAtOnce(unittest.TestCase):
    """All that came while the threads of the transport did not look is answered, however much it is: libmicrohttpd 0.9.75
    waits for more where exactly 128 events come at once to a thread, and forgets those."""

    def test_any_number_of_requests_at_once_is_answered(self):
        with Service(PROGRAM, "--idle-timeout", "3600") as service:  # the last ones are asked again when all waves are over
            connections = [socket.create_connection(("127.0.0.1", service.port), LONGEST_WAIT) for _ in range(300)]
            self.wave(service, connections)
            for count in range(100, len(connections) + 1):
                self.wave(service, connections[:count])
            for connection in connections:
                connection.close()

    def wave(self, service, connections):
        """Sends a request on each while the server is stopped, and reads the answers."""
        service.process.send_signal(signal.SIGSTOP)
        for connection in connections:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        service.process.send_signal(signal.SIGCONT)
        for connection in connections:
            answer = b""
            while not answer.endswith(b"ok\n"):
                more = connection.recv(4096)
                self.assertTrue(more, f"cut off behind {answer}")
                answer += more


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Stores on a real Redis, through every face: the answers are those of a store in a folder, byte for byte.

Each test starts redis-server on a free port of 127.0.0.1, in a folder of its own, and ends it; without redis-server on
the PATH the whole is skipped (exit 77). With NEARDUP_TEST_STORE_SERVER (such as hbase://127.0.0.1:9090) the comparisons
are made with that server instead.

usage: remote_faces_test.py PROGRAM [TEST...]
"""
import json
import os
import pathlib
import random
import re
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

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
GIVEN_SERVER = os.environ.get("NEARDUP_TEST_STORE_SERVER", "")
PASSWORD = "geheim/1@x"


class Redis:
    """redis-server on a port that nobody has; `with` ends it. Its port is none of those that the system gives to clients and
    to servers that ask for any: while it is stopped nobody takes it, and no client meets itself there."""

    def __init__(self, folder, *flags):
        self.folder, self.flags = str(folder), flags
        for self.port in random.sample(range(20000, 32000), 100):
            if self.try_start():
                return
        raise RuntimeError("redis-server did not start: " + self.told)

    def start(self):
        """Again, on the same port."""
        if not self.try_start():
            raise RuntimeError("redis-server did not start: " + self.told)

    def try_start(self):
        """Returns whether it runs; it does not where another one has the port."""
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder, *self.flags],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.told = ""
        for line in self.process.stdout:
            if "Ready to accept connections" in line:
                self.rest = threading.Thread(target=self.process.stdout.read, daemon=True)  # it must not wait for a reader
                self.rest.start()
                return True
            self.told += line
        self.process.wait(LONGEST_WAIT)
        self.process.stdout.close()
        if "in use" in self.told:
            return False
        raise RuntimeError("redis-server did not start: " + self.told)

    def uri(self, name, user=""):
        return f"redis://{user}127.0.0.1:{self.port}/{name}"

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(LONGEST_WAIT)
        self.rest.join(LONGEST_WAIT)
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def sentence(source, words):
    return " ".join(f"w{source.randrange(5000)}" for _ in range(words))


def documents(seed, count, prefix):
    """Made-up documents: each third one is near or equal to one before it, or a quote of it."""
    source = random.Random(seed)
    made = []
    for i in range(count):
        text = sentence(source, 120)
        if i % 3 == 2:
            earlier = made[source.randrange(len(made))]["text"].split()
            if i % 9 == 2:
                text = " ".join(earlier).upper()
            elif i % 9 == 5:
                earlier[source.randrange(len(earlier))] = "changed"
                text = " ".join(earlier)
            else:
                text = " ".join(earlier[10:40])
        made.append({"id": f"{prefix}{i}", "text": text})
    return made


def renumbered(text):
    """An export with each number as its rank: a server gives numbers also to documents that were there already."""
    numbers = sorted({int(number) for number in re.findall(r'number":(\d+)', text)})
    return re.sub(r'number":(\d+)', lambda found: f'number":{numbers.index(int(found[1]))}', text)


def write_lines(path, values):
    path.write_text("".join(json.dumps(value) + "\n" for value in values))


class Compared(unittest.TestCase):
    """The same work on a folder and on a server."""

    @classmethod
    def setUpClass(cls):
        cls.room = tempfile.TemporaryDirectory(prefix="neardup_faces_")
        cls.root = pathlib.Path(cls.room.name)
        cls.redis = None if GIVEN_SERVER else Redis(cls.root)
        write_lines(cls.root / "a.jsonl", documents(1, 240, "a"))
        write_lines(cls.root / "b.jsonl", documents(2, 120, "b") + documents(1, 30, "again"))
        write_lines(cls.root / "c.jsonl", documents(1, 60, "c"))
        cls.names = 0

    @classmethod
    def tearDownClass(cls):
        if cls.redis:
            cls.redis.end()
        cls.room.cleanup()

    def setUp(self):
        Compared.names += 1
        self.folder = str(self.root / f"store{Compared.names}")
        name = f"t{os.getpid()}_{Compared.names}"
        self.uri = f"{GIVEN_SERVER}/{name}" if GIVEN_SERVER else self.redis.uri(name)
        self.made = []
        self.use(self.uri)

    def tearDown(self):
        for uri in self.made:
            self.run_one(["index", "drop", uri])

    def use(self, uri):
        self.made.append(uri)
        return uri

    def run_one(self, arguments, environment=None):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.root, capture_output=True, text=True, timeout=300,
                              env={**os.environ, **(environment or {})})
        return done.returncode, done.stdout, done.stderr

    def expect(self, arguments, status=0):
        got, out, err = self.run_one(arguments)
        self.assertEqual(got, status, f"{arguments}: {err}")
        return out, err

    def both(self, *arguments, files=(), status=0, says=True):
        """Runs a command on both places (STORE in its arguments, OUT is a name of an output) and compares all that it
        says (but for what tells of times, where it does not say) and writes; returns standard output."""
        told = []
        for place, out in ((self.folder, "out_folder"), (self.uri, "out_server")):
            shutil.rmtree(self.root / out, ignore_errors=True)
            words = [str(word).replace("STORE", place).replace("OUT", out) for word in arguments]
            got, stdout, stderr = self.run_one(words)
            self.assertEqual(got, status, f"{words}: {stderr}")
            written = {}
            for pattern in files:
                for path in sorted(self.root.glob(pattern.replace("OUT", out))):
                    written[str(path.relative_to(self.root)).replace(out, "OUT")] = path.read_bytes()
            if files:
                self.assertTrue(written, f"{words} wrote nothing of {files}")
            plain = [text.replace(place, "STORE").replace(out, "OUT") for text in (stdout, stderr)]
            if not says:
                plain[1] = ""
            plain[0] = renumbered(plain[0])
            told.append(([re.sub(r'"time":\d+', '"time":0', text) for text in plain], written))
        self.assertEqual(told[0], told[1], arguments)
        return told[0][0][0]

    def export(self, place):
        return self.expect(["index", "export", place])[0]

    def test_every_action_of_index(self):
        self.both("index", "create", "STORE", "a.jsonl", "--keep-texts", "--contained", "0.8", "--json")
        added = json.loads(self.both("index", "add", "STORE", "b.jsonl", "-o", "OUT", "--json", files=["OUT"], status=0))
        for kind in ("new", "exact", "near", "contained"):
            self.assertGreater(added[kind], 0, "the documents must show every verdict")
        again = json.loads(self.both("index", "add", "STORE", "b.jsonl", "-o", "OUT", "--json", files=["OUT"]))
        self.assertEqual(again["repeated"], again["read"], "the same again gets the same verdicts")
        found = self.both("index", "query", "STORE", "c.jsonl", "--json", "--limit", "3")
        self.assertIn('"container":true', found)
        self.both("index", "query", "STORE", "c.jsonl")
        self.both("index", "delete", "STORE", "a0", "a3", "b7", "nobody")
        self.both("index", "add", "STORE", "c.jsonl", "-o", "OUT", files=["OUT"])
        self.both("index", "export", "STORE")
        self.expect(["index", "compact", self.uri])
        self.expect(["index", "compact", self.folder])
        self.both("index", "export", "STORE")
        for place in (self.folder, self.uri):
            check = json.loads(self.expect(["index", "check", place, "--json"])[0])
            self.assertTrue(check["in_order"])
            self.assertEqual(check["documents"], self.export(place).count("\n"))
        info = [json.loads(self.expect(["index", "info", place, "--json"])[0]) for place in (self.folder, self.uri)]
        for member in ("documents", "duplicates", "open_tags", "recipe", "family", "rule", "contained", "records",
                       "keep_texts"):
            self.assertEqual(info[0][member], info[1][member], member)
        self.assertTrue(info[1]["facts"], "a server says what it is")
        if not GIVEN_SERVER:
            self.assertIn("bytes a document", self.expect(["index", "info", self.uri])[0])

    def test_families_and_records(self):
        for number, flags in enumerate((["--family", "simhash", "--recipe", "grams", "--distance", "6"],
                                        ["--records", "signature"], ["--verify", "origin"])):
            with self.subTest(flags):
                self.folder, self.uri = f"{self.folder}_{number}", self.use(f"{self.uri}_{number}")
                self.both("index", "create", "STORE", "a.jsonl", *flags, "--json")
                self.both("index", "add", "STORE", "b.jsonl", "-o", "OUT", files=["OUT"])
                self.both("index", "query", "STORE", "c.jsonl", "--json")
                self.both("index", "export", "STORE")
                self.expect(["index", "check", self.uri])

    def test_copies_between_all_kinds(self):
        self.expect(["index", "create", self.folder, "a.jsonl", "--keep-texts", "--contained", "0.8"])
        self.expect(["index", "add", self.folder, "b.jsonl", "--tag", "second"])
        self.expect(["index", "delete", self.folder, "a1", "a5", "b4"])
        there, back = self.use(self.uri + "_b"), self.folder + "_back"
        for source, target in ((self.folder, self.uri), (self.uri, there), (there, back)):
            _, told = self.expect(["index", "copy", source, target])
            self.assertIn("each compared", told)
            self.assertEqual(self.export(source), self.export(target), "also times, tags and numbers")
            self.expect(["index", "check", target])
        self.expect(["index", "copy", self.folder, self.uri], status=1)  # there is one
        told = []
        for number, place in enumerate((self.folder, self.uri, there, back)):  # a copy goes on as the first one does
            told.append(self.expect(["index", "add", place, "c.jsonl", "-o", f"verdicts{number}", "--json"])[0])
            told.append((self.root / f"verdicts{number}").read_text())
        self.assertEqual(told, told[:2] * 4)

    def test_dedup_against_and_into(self):
        results = ["OUT/kept/*", "OUT/duplicates.jsonl", "OUT/clusters.jsonl"]
        self.both("dedup", "a.jsonl", "--into", "STORE", "-o", "OUT", "--progress", "off", files=results, says=False)
        self.both("dedup", "b.jsonl", "--into", "STORE", "-o", "OUT", "--progress", "off", files=results, says=False)
        self.both("dedup", "c.jsonl", "--reference", "STORE", "-o", "OUT", "--progress", "off", files=results, says=False)
        self.both("index", "export", "STORE")
        self.both("dedup", "c.jsonl", "--reference", "STORE", "-o", "OUT", "--recipe", "grams", status=2)
        self.both("dedup", "c.jsonl", "--into", "STORE", "-o", "OUT", "--cluster", "components", status=2)
        missing = self.uri + "_none"
        _, told = self.expect(["dedup", "c.jsonl", "--reference", missing, "-o", "out"], status=2)
        self.assertIn("neardup index create makes one", told)

    def test_crawl_filter(self):
        subprocess.run([REPOSITORY / "tests/data/warc/make_warc.py", self.root / "crawl.warc.gz"], check=True,
                       capture_output=True)
        for _ in range(2):
            self.both("crawl-filter", "STORE", "crawl.warc.gz", "--tag", "t", "--transaction", "-o", "OUT.warc.gz",
                      "--overwrite", "--revisit", files=["OUT.warc.gz"])

    def test_a_store_that_is_not_there(self):
        for arguments in (["info"], ["add", "a.jsonl"], ["check"], ["export"], ["drop"], ["copy", "other"]):
            words = ["index", arguments[0], self.uri, *arguments[1:]]
            _, told = self.expect(words, status=2)
            self.assertEqual(told.count("\n"), 1, told)
        self.expect(["index", "create", self.uri, "a.jsonl"])
        _, told = self.expect(["index", "create", self.uri, "a.jsonl"], status=1)
        self.assertIn(self.uri.rsplit("/", 1)[1], told)
        self.expect(["index", "drop", self.uri])
        self.expect(["index", "info", self.uri], status=2)
        self.expect(["index", "create", self.uri, "a.jsonl"])

    def test_two_processes_at_once(self):
        self.expect(["index", "create", self.uri, "--recipe", "default"])
        same = documents(5, 300, "x")
        for which in "pq":  # the same texts under other ids
            write_lines(self.root / f"{which}.jsonl", [{**one, "id": which + one["id"]} for one in same])
        running = [subprocess.Popen([PROGRAM, "index", "add", self.uri, f"{which}.jsonl", "--json"], cwd=self.root,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for which in "pq"]
        counts = []
        for process in running:
            out, err = process.communicate(timeout=300)
            self.assertEqual(process.returncode, 0, err)
            counts.append(json.loads(out))
        distinct = len({one["text"].upper() for one in same})
        self.assertLessEqual(counts[0]["new"] + counts[1]["new"], distinct)
        kept = [json.loads(line) for line in self.export(self.uri).splitlines()]
        new = [one["checksum"] for one in kept if one["kind"] == "new"]
        self.assertEqual(len(new), len(set(new)), "of equal texts that come at once one is new")
        self.assertEqual(len(kept), 600)
        self.expect(["index", "check", self.uri])

    def serve(self, place, *flags):
        return Service(PROGRAM, "--keep-texts", *flags, folder=place)

    def conversation(self, service):
        """Talks to a service; returns all answers but times."""
        told = []

        def note(answer):
            told.append(re.sub(r'"time": ?\d+', '"time":0', json.dumps(answer)))

        lines = [json.loads(line) for line in (self.root / "a.jsonl").read_text().splitlines()]
        more = [json.loads(line) for line in (self.root / "b.jsonl").read_text().splitlines()]
        note(service.lines("/v1/check-and-insert?tag=first", lines))
        note(service.lines("/v1/check", more))
        note(service.post("/v1/tags/second/begin", {}))
        note(service.lines("/v1/check-and-insert?tag=second", more[:60]))
        note(service.lines("/v1/check", more[:60]))
        note(service.post("/v1/tags/second/commit", {}))
        note(service.post("/v1/tags/third/begin", {}))
        note(service.lines("/v1/check-and-insert?tag=third", more[60:]))
        note(json.loads(service.get("/v1/tags")[1]))
        note(service.post("/v1/tags/third/cancel", {}))
        note(service.lines("/v1/query?limit=4", more))
        note(json.loads(service.get("/v1/documents/a2")[1]))
        note(json.loads(service.get("/v1/clusters?limit=500")[1]))
        note(service.post("/v1/delete", {"ids": ["a2", "a4", "none"]}))
        note(service.post("/v1/explain", {"a": {"id": "a0"}, "b": {"text": lines[0]["text"] + " more"}}))
        note(service.lines("/v1/check-and-insert?time=1000", [{"id": "old", "text": "a b c d e f g h i j k l m n"}]))
        note(service.post("/v1/expire", {"before": 2000}))
        note(service.post("/v1/insert", lines[7]))
        note(json.loads(service.get("/v1/tags")[1]))
        return told

    def test_served(self):
        told = []
        for place in (self.folder, self.uri):
            if place == self.folder:
                self.expect(["index", "create", place, "--keep-texts"])
            snapshots = self.root / f"snapshots{len(told)}"
            snapshots.mkdir()
            with self.serve(place, "--snapshots", snapshots) as service:
                told.append(self.conversation(service))
                status, made = service.post("/v1/snapshot", {"name": "now"})
                self.assertEqual(status, 200, made)
                stats = json.loads(service.get("/v1/stats")[1])
                self.assertEqual(stats["store"]["kind"], "folder" if place == self.folder else place.split(":")[0])
                reached = f'neardup_store_reached{{kind="{stats["store"]["kind"]}"}} 1'  # not while an answer takes its time
                wait_until(lambda: reached in service.get("/metrics")[1].decode(), "the store is not said to be reached")
                after = service.lines("/v1/check", documents(1, 50, "z"))
            with self.serve(place) as service:  # again
                self.assertEqual(service.lines("/v1/check", documents(1, 50, "z")), after)
            self.assertEqual(self.export(place), self.export(snapshots / "now"))
            self.expect(["index", "check", snapshots / "now"])
            self.expect(["index", "check", place])
        self.assertEqual(told[0], told[1])

    def test_bench(self):
        flags = ["--count", "2000", "--documents", "500", "--batch-size", "50", "--distance", "3", "--json"]
        rows = [[json.loads(line) for line in self.expect(["bench", "store", "--uri", place, *flags])[0].splitlines()]
                for place in (self.folder, self.uri)]
        self.assertEqual([list(row) for row in rows[0]], [list(row) for row in rows[1]], "the same members")
        self.assertEqual([row["operation"] for row in rows[1]],
                         ["insert", "query", "check_and_insert", "merge", "reopen"])
        self.assertEqual(rows[1][1]["batch"], 50)
        if not GIVEN_SERVER:  # HBase does not tell through its gateway
            self.assertGreater(rows[1][2]["bytes_per_item"], 0)
        _, told = self.expect(["bench", "store", "--uri", self.uri, *flags], status=1)
        self.assertIn(self.uri.rsplit("/", 1)[1], told)


@unittest.skipIf(GIVEN_SERVER, "of a server of its own")
class OwnServer(unittest.TestCase):
    def setUp(self):
        self.room = tempfile.TemporaryDirectory(prefix="neardup_faces_")
        self.root = pathlib.Path(self.room.name)
        write_lines(self.root / "a.jsonl", documents(1, 60, "a"))

    def tearDown(self):
        self.room.cleanup()

    def run_one(self, *arguments, password=None):
        environment = {name: value for name, value in os.environ.items() if name != "NEARDUP_REDIS_PASSWORD"}
        if password:
            environment["NEARDUP_REDIS_PASSWORD"] = password
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.root, capture_output=True, text=True, timeout=300,
                              env=environment)
        return done.returncode, done.stdout + done.stderr

    def test_passwords_are_nowhere(self):
        quoted = PASSWORD.replace("/", "%2F").replace("@", "%40")
        with Redis(self.root, "--requirepass", PASSWORD) as redis:
            typed = redis.uri("p", f":{quoted}@")
            said = ""
            status, told = self.run_one("index", "create", redis.uri("p"), "a.jsonl")
            self.assertEqual(status, 2, told)
            status, told = self.run_one("index", "create", redis.uri("p"), "a.jsonl", password="wrong")
            self.assertEqual(status, 2, told)
            said += told
            for password, uri in ((PASSWORD, redis.uri("p")), (None, typed)):
                for words in (["index", "create", uri, "a.jsonl"], ["index", "info", uri], ["index", "create", uri],
                              ["index", "check", uri], ["index", "copy", uri, "copy"], ["crawl-filter", uri, "none"],
                              ["dedup", "a.jsonl", "--reference", uri, "-o", "out", "--overwrite"],
                              ["dedup", "a.jsonl", "--into", uri, "-o", "out", "--overwrite"],
                              ["index", "drop", uri]):
                    said += self.run_one(*words, password=password)[1]
                shutil.rmtree(self.root / "copy")
            service = Service(PROGRAM, folder=typed).wait_ready()
            said += service.get("/metrics")[1].decode() + service.get("/v1/stats")[1].decode()
            service.end()
            said += "".join(service.log)
            self.assertIn("redis://127.0.0.1", said)
            for path in self.root.rglob("*"):
                if path.is_file():
                    said += path.read_bytes().decode("latin1")
        for secret in (PASSWORD, quoted):
            self.assertNotIn(secret, said)

    def test_a_server_that_goes_and_comes_back(self):
        with Redis(self.root, "--appendonly", "yes", "--appendfsync", "always") as redis:
            with Service(PROGRAM, folder=redis.uri("p")) as service:
                texts = documents(3, 30, "t")
                first = service.lines("/v1/check-and-insert", texts)
                self.assertEqual(first[0], 200)
                redis.end()
                wait_until(lambda: service.get("/healthz")[0] == 503, "the server is not missed")
                self.assertEqual(service.get("/readyz")[0], 503)
                self.assertIn(b"store_gone", service.get("/healthz")[1])
                self.assertEqual(service.get("/livez")[0], 200)
                self.assertEqual(service.get("/metrics")[0], 200)
                status, _ = service.post("/v1/check-and-insert", {"id": "u", "text": "some text of six words"})
                self.assertEqual(status, 503, "send it again")
                redis.start()
                wait_until(lambda: service.get("/healthz")[0] == 200, "the server is not met again")
                again = service.lines("/v1/check-and-insert", texts)
                self.assertEqual([one["verdict"] for one in again[1]], [one["verdict"] for one in first[1]])
                self.assertTrue(all(one["repeated"] for one in again[1]))
            events = [json.loads(line)["event"] for line in service.log]
            self.assertIn("store_gone", events)
            self.assertIn("store_back", events)

    def test_a_server_that_is_not_there_is_told_at_once(self):
        """Nobody was ever there: it is not tried for as long as it may."""
        with socket.socket() as held:  # bound, but nobody listens: it refuses, and no other one can take it
            held.bind(("127.0.0.1", 0))
            uri = f"redis://127.0.0.1:{held.getsockname()[1]}/p?timeout=60"
            for words in (["index", "info", uri], ["serve", uri, "--listen", "127.0.0.1:0"], ["bench", "store", "--uri", uri]):
                begun = time.monotonic()
                status, told = self.run_one(*words)
                self.assertEqual(status, 2, told)
                self.assertIn(uri.split("/")[2], told)
                self.assertLess(time.monotonic() - begun, 30)


if __name__ == "__main__":
    if not GIVEN_SERVER and shutil.which("redis-server") is None:
        print("skipped: redis-server is not installed (apt-get install redis-server)")
        sys.exit(77)
    unittest.main()

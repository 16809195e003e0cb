#!/usr/bin/env python3
"""Refuses `neardup serve` the n-th piece of memory that a small load asks for, for n in steps: whoever is answered is answered
right, the others are told (503) or left (the connection ends), and the same request again has its answer. Nothing that was
acknowledged is lost, then and after a restart, and SIGTERM ends it.

Usage: serve_memory_test.py NEARDUP FAULT_SHIM [--each] [unittest options]; --each: every n
"""
import ctypes, http.client, json, os, pathlib, random, signal, subprocess, sys, tempfile, unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "server"))
from service import Service, wait_until

NEARDUP, SHIM = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
EACH = "--each" in sys.argv
if EACH:
    sys.argv.remove("--each")
MOST_TRIES = 4
LINES = {"Content-Type": "application/x-ndjson"}
JSON = {"Content-Type": "application/json"}
LEFT = (http.client.HTTPException, ConnectionError)  # not a time-out: who waits that long hangs


def words(number):
    """A text that no other number has."""
    source = random.Random(number)
    return " ".join(f"w{source.randrange(10**6)}" for _ in range(40))


class Load:
    """Requests by turns, each again until it has its answer; what was acknowledged is kept."""

    def __init__(self, service, case):
        self.service, self.case, self.known, self.turn = service, case, {}, 0

    def settled(self, method, path, body=None, headers=JSON):
        for _ in range(MOST_TRIES):
            try:
                status, _, answer = self.service.request(method, path, body, headers)
            except LEFT:
                continue
            self.case.assertIn(status, (200, 503), answer)
            if status == 200 and not answer.rstrip().endswith(b'"truncated":true}'):
                return answer
        self.case.fail(f"{method} {path} has no answer in {MOST_TRIES} tries")

    def insert(self, expected, body, headers=JSON):
        """`expected`: verdict and original of each id, in order."""
        found = [json.loads(line) for line in self.settled("POST", "/v1/check-and-insert", body, headers).splitlines()]
        self.case.assertEqual([(one["id"], (one["verdict"], one["duplicate_of"])) for one in found], list(expected.items()))
        self.known.update(expected)

    def run(self):
        self.turn += 1
        i, first = self.turn, f"first-{self.turn}"
        self.insert({first: ("new", None)}, json.dumps({"id": first, "text": words(3 * i)}))
        lines = [{"id": f"again-{i}", "text": words(3 * i)}, {"id": f"other-{i}", "text": words(3 * i + 1)}]
        self.insert({f"again-{i}": ("exact", first), f"other-{i}": ("new", None)}, "".join(json.dumps(line) + "\n" for line in lines), LINES)
        page = f"<html><body><h1>A page</h1><p>{words(3 * i + 2)}</p></body></html>"
        self.insert({f"page-{i}": ("new", None)}, json.dumps({"id": f"page-{i}", "html": page}))
        self.settled("POST", f"/v1/tags/a-tag-with-a-long-name-{i}/begin")
        self.settled("POST", f"/v1/tags/a-tag-with-a-long-name-{i}/commit")
        self.look(f"again-{i}")
        query = json.loads(self.settled("POST", "/v1/query", json.dumps({"text": words(3 * i + 1)})))
        self.case.assertEqual([one["id"] for one in query["found"]], [f"other-{i}"])
        self.settled("POST", "/v1/delete", json.dumps({"ids": [f"page-{i}"]}))
        del self.known[f"page-{i}"]
        for path in ("/v1/stats", "/metrics", "/v1/clusters?limit=2", "/readyz"):
            self.settled("GET", path, headers={})

    def look(self, name):
        one = json.loads(self.settled("GET", f"/v1/documents/{name}", headers={}))
        self.case.assertEqual((one["verdict"], one["duplicate_of"]), self.known[name], name)

    def look_at_all(self):
        for name in self.known:
            self.look(name)


class ServeMemory(unittest.TestCase):
    def setUp(self):
        root = tempfile.TemporaryDirectory(prefix="neardup_serve_memory_")
        self.addCleanup(root.cleanup)
        self.mark, self.anew, self.store = (pathlib.Path(root.name, name) for name in ("mark", "anew", "store"))
        subprocess.run([NEARDUP, "index", "create", self.store], check=True, capture_output=True)

    def serve(self, **fault):
        service = Service(NEARDUP, "--threads", "2", "--max-connections", "100", folder=self.store, environment={**os.environ, **fault})
        self.addCleanup(lambda: service.process.poll() is None and service.process.kill())
        return service.wait_ready()

    def serve_refused(self, least_bytes, **fault):
        """Returns a load on a service; what is made once is there."""
        load = Load(self.serve(LD_PRELOAD=SHIM, FAULT_CALL="alloc", FAULT_ERRNO="12", FAULT_BYTES=str(least_bytes), FAULT_ANEW=str(self.anew),
                               FAULT_MARK=str(self.mark), **fault), self)
        load.run()
        return load

    def refuse_each(self, least_bytes, step):
        load, n = self.serve_refused(least_bytes), 1
        service = load.service
        while True:
            self.refuse(service, n)
            load.run()
            if not self.mark.exists():
                break
            self.mark.unlink()
            n += 1 if EACH else step
        self.assertGreater(n, 1, "no piece was refused")
        self.refuse(service, 0)
        self.end(load)

    def end(self, load):
        load.look_at_all()
        self.assertEqual(load.service.end(), 0)
        with self.serve() as load.service:
            load.look_at_all()
        subprocess.run([NEARDUP, "index", "check", self.store], check=True, capture_output=True)

    def refuse(self, service, n):
        """Returns when the service counts anew: a signal waits until a thread of its process has its turn."""
        num_before = self.anew.stat().st_size
        ctypes.CDLL(None).sigqueue(service.process.pid, signal.SIGUSR1, ctypes.c_void_p(n))
        wait_until(lambda: self.anew.stat().st_size > num_before, "the signal has not arrived")

    def test_any_piece(self):
        self.refuse_each(0, 61)

    def test_large_pieces(self):
        self.refuse_each(4096, 3)

    def test_all_pieces_for_a_while(self):
        load, num_refused = self.serve_refused(0, FAULT_LASTS="1"), 0
        document = json.dumps({"id": "while", "text": words(0)})
        for n in range(1, 4000, 97 if EACH else 397):
            self.refuse(load.service, n)
            for method, path, body in (("POST", "/v1/check-and-insert", document), ("GET", "/v1/stats", None), ("GET", "/readyz", None)) * 3:
                try:
                    num_refused += load.service.request(method, path, body, JSON if body else {})[0] == 503
                except LEFT:
                    num_refused += 1
            self.refuse(load.service, 0)
            load.run()
        self.assertGreater(num_refused, 10)
        self.end(load)


if __name__ == "__main__":
    unittest.main()

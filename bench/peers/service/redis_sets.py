"""Redis: for each 16-bit piece a set of the fingerprints that have it; who is near is checked by the client."""
import subprocess
import time

import numpy as np
import redis

from stream import PIECES, add_own, pieces, within


class Peer:
    durability = "appendonly, appendfsync always: an answer waits for the disk"
    races = "yes: two callers with near documents may both be told new"
    uses_processes = True
    server = None

    def start(self, folder):
        self.path = str(folder / "redis.sock")
        self.server = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.path, "--dir", str(folder), "--save", "", "--appendonly",
             "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0"], stdout=subprocess.DEVNULL)
        for _ in range(200):
            try:
                redis.Redis(unix_socket_path=self.path).ping()
                return
            except redis.exceptions.ConnectionError:
                time.sleep(.05)
        raise RuntimeError("redis-server does not start")

    def fill(self, values):
        server, members = redis.Redis(unix_socket_path=self.path), values.byteswap().tobytes()
        for place in range(PIECES):
            keys = pieces(values)[:, place].astype(np.int64)
            order = np.argsort(keys, kind="stable")
            starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
            lines = server.pipeline(transaction=False)
            for number, rows in enumerate(np.split(order, starts[1:])):
                lines.sadd(int(keys[rows[0]]), *(members[8 * row:8 * row + 8] for row in rows.tolist()))
                if number % 1000 == 999:
                    lines.execute()
            lines.execute()

    def caller(self):
        return Caller(redis.Redis(unix_socket_path=self.path))

    def stop(self):
        if self.server:
            self.server.terminate()
            self.server.wait()


class Caller:
    def __init__(self, server):
        self.server = server

    def check_and_insert(self, batch, _first):
        keys = pieces(batch).ravel().tolist()
        lines = self.server.pipeline(transaction=False)
        for key in keys:
            lines.smembers(key)
        sets = lines.execute()
        sizes = np.array([len(members) for members in sets]).reshape(-1, PIECES).sum(axis=1)
        stored = np.frombuffer(b"".join(b"".join(members) for members in sets), dtype=">u8").astype(np.uint64)
        near = within(stored, np.repeat(batch, sizes))
        seen = np.zeros(len(batch), dtype=bool)
        seen[np.repeat(np.arange(len(batch)), sizes)[near]] = True
        self.insert(batch, keys, add_own(batch, seen))
        return seen

    def insert(self, batch, keys, seen):
        members = batch.byteswap().tobytes()
        lines = self.server.pipeline(transaction=False)
        for row in np.flatnonzero(~seen).tolist():
            for key in keys[PIECES * row:PIECES * row + PIECES]:
                lines.sadd(key, members[8 * row:8 * row + 8])
        lines.execute()

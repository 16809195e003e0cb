"""SQLite: a row for each 16-bit piece of a fingerprint; who is near is checked by the client, as it has no bit count."""
import sqlite3

import numpy as np

from stream import PIECES, add_own, pieces, within


class Peer:
    durability = "WAL, synchronous FULL: an answer waits for the disk"
    races = "no: one transaction checks and inserts, one caller at a time"
    uses_processes = True

    def start(self, folder):
        self.path = str(folder / "buckets.sqlite")

    def connect(self):
        connection = sqlite3.connect(self.path, timeout=120, isolation_level=None)
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        connection.execute("pragma cache_size = -1000000")
        connection.execute("pragma mmap_size = 4000000000")
        return connection

    def fill(self, values):
        keys = pieces(values).astype(np.int64)
        rows = zip(keys.ravel().tolist(), np.repeat(values.view(np.int64), PIECES).tolist())
        connection = self.connect()
        connection.execute("create table buckets (piece integer, fingerprint integer, "
                           "primary key (piece, fingerprint)) without rowid")
        connection.execute("begin")
        connection.executemany("insert or ignore into buckets values (?, ?)", sorted(rows))
        connection.execute("commit")

    def caller(self):
        return Caller(self.connect())

    def stop(self):
        pass


class Caller:
    def __init__(self, connection):
        self.connection = connection

    def check_and_insert(self, batch, _first):
        keys, signed = pieces(batch).astype(np.int64), batch.view(np.int64)
        self.connection.execute("begin immediate")
        stored, owners = [], []
        for row, own in enumerate(keys.tolist()):
            found = self.connection.execute("select fingerprint from buckets where piece in (?, ?, ?, ?)", own).fetchall()
            stored += found
            owners += [row] * len(found)
        owners = np.array(owners, dtype=np.int64)
        near = within(np.array(stored, dtype=np.int64).reshape(-1).view(np.uint64), batch[owners])
        seen = np.zeros(len(batch), dtype=bool)
        seen[owners[near]] = True
        new = np.flatnonzero(~add_own(batch, seen))
        self.connection.executemany("insert or ignore into buckets values (?, ?)",
                                    zip(keys[new].ravel().tolist(), np.repeat(signed[new], PIECES).tolist()))
        self.connection.execute("commit")
        return seen

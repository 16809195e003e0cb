"""PostgreSQL: a row for each 16-bit piece of a fingerprint, and bit_count over those that have one in common."""
import os
import subprocess
import time

import numpy as np
import psycopg

from stream import PIECES, add_own, pieces

PROGRAMS = "/usr/lib/postgresql/15/bin"
FIND = """
select distinct q.place
from unnest(%s::bigint[]) with ordinality as q(fingerprint, place)
cross join lateral unnest(array[q.fingerprint & 65535, q.fingerprint >> 16 & 65535 | 65536,
  q.fingerprint >> 32 & 65535 | 131072, q.fingerprint >> 48 & 65535 | 196608]) as p(piece)
join buckets b on b.piece = p.piece
where bit_count((b.fingerprint # q.fingerprint)::bit(64)) <= 3"""


class Peer:
    durability = "synchronous_commit on, fsync on: an answer waits for the disk"
    races = "yes at read committed, as here: two callers with near documents may both be told new"
    uses_processes = True
    server = None

    def start(self, folder):
        self.folder = folder
        user = {"user": "postgres"} if os.geteuid() == 0 else {}  # it does not run as root
        if user:
            subprocess.run(["chown", "postgres", folder], check=True)
        data = folder / "data"
        subprocess.run([f"{PROGRAMS}/initdb", "-D", data, "-U", "bench", "--auth", "trust"], check=True,
                       stdout=subprocess.DEVNULL, cwd=folder, **user)
        self.server = subprocess.Popen(
            [f"{PROGRAMS}/postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "shared_buffers=1GB",
             "-c", "max_wal_size=8GB"], stderr=subprocess.DEVNULL, cwd=folder, **user)
        for _ in range(200):
            try:
                self.connect().close()
                return
            except psycopg.OperationalError:
                time.sleep(.05)
        raise RuntimeError("postgres does not start")

    def connect(self):
        return psycopg.connect(host=str(self.folder), user="bench", dbname="postgres")

    def fill(self, values):
        keys, signed = pieces(values).astype(np.int64).tolist(), values.view(np.int64).tolist()
        with self.connect() as connection:
            connection.execute("create table buckets (piece integer, fingerprint bigint)")
            with connection.cursor().copy("copy buckets from stdin") as rows:
                for own, value in zip(keys, signed):
                    rows.write("".join(f"{key}\t{value}\n" for key in own))
            connection.execute("create index on buckets (piece) include (fingerprint)")
        with self.connect() as connection:
            connection.autocommit = True
            connection.execute("vacuum analyze buckets")

    def caller(self):
        return Caller(self.connect())

    def stop(self):
        if self.server:
            self.server.terminate()
            self.server.wait()


class Caller:
    def __init__(self, connection):
        self.connection = connection
        connection.execute("set enable_seqscan = off")  # as it has no better estimate of an unnested array
        connection.execute("set enable_hashjoin = off")
        connection.execute("set enable_mergejoin = off")
        connection.execute("set jit = off")

    def check_and_insert(self, batch, _first):
        signed = batch.view(np.int64)
        found = self.connection.execute(FIND, [signed.tolist()]).fetchall()
        seen = np.zeros(len(batch), dtype=bool)
        seen[[place - 1 for (place,) in found]] = True
        new = np.flatnonzero(~add_own(batch, seen))
        self.connection.execute("insert into buckets select * from unnest(%s::integer[], %s::bigint[])",
                                [pieces(batch[new]).astype(np.int64).ravel().tolist(),
                                 np.repeat(signed[new], PIECES).tolist()])
        self.connection.commit()
        return seen

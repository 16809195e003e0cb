"""Qdrant Edge, the engine of Qdrant within this process: HNSW over the 64 bits as vectors, whose Manhattan distance is the
number of bits that differ. Its server is in no registry of packages."""
import threading

import numpy as np
import qdrant_edge as qdrant

from stream import DISTANCE, add_own


def vectors(values):
    return np.unpackbits(values.view(np.uint8).reshape(-1, 8), axis=1).astype(np.float32).tolist()


class Peer:
    durability = "its default: a write-ahead log that the system writes when it likes"
    races = "no: behind a lock"
    uses_processes = False
    shard = None

    def start(self, folder):
        vector = qdrant.EdgeVectorParams(size=64, distance=qdrant.Distance.Manhattan,
                                         datatype=qdrant.VectorStorageDatatype.Uint8)
        self.shard, self.lock = qdrant.EdgeShard.create(str(folder / "shard"), qdrant.EdgeConfig(vectors=vector)), threading.Lock()

    def insert(self, values, numbers):
        points = [qdrant.Point(id=number, vector=vector) for number, vector in zip(numbers, vectors(values))]
        self.shard.update(qdrant.UpdateOperation.upsert_points(points))

    def fill(self, values):
        for first in range(0, len(values), 10000):
            self.insert(values[first:first + 10000], range(first, min(first + 10000, len(values))))
        self.shard.optimize()

    def caller(self):
        return self

    def check_and_insert(self, batch, first):
        asked = [qdrant.QueryRequest(limit=1, query=qdrant.Query.Nearest(vector), score_threshold=DISTANCE + .5)
                 for vector in vectors(batch)]
        with self.lock:
            found = self.shard.query_batch(qdrant.QueryBatchRequest(asked))
            seen = add_own(batch, np.array([len(points) > 0 for points in found]))
            self.insert(batch[~seen], (first + np.flatnonzero(~seen)).tolist())
        return seen

    def stop(self):
        if self.shard:
            self.shard.close()

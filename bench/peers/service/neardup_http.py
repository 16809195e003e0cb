"""neardup serve: files of fingerprints as bodies (docs/formats/fingerprints.md), from Python as the others."""
import http.client
import json
import struct
import subprocess
import time

import numpy as np
from xxhash import xxh3_64_intdigest as hash64

from stream import DISTANCE, mix64

RECORD = np.dtype([("id_bytes", "<u8"), ("has_values", "u1"), ("checksum", "<u8", 2), ("size", "<u8"), ("tokens", "<u8")])
ID = "https://example.org/%010d"


def file_of(recipe_id, batch, first):
    """A file of one block: documents first, first + 1, ..."""
    header = b"NDUPFPRT" + struct.pack("<IIIII", 2, 1, len(recipe_id), 0, 0) + recipe_id
    chain = hash64(header)
    header += struct.pack("<Q", chain)
    records = np.zeros(len(batch), dtype=RECORD)
    records["id_bytes"], records["has_values"] = len(ID % 0), 1
    ids = "".join(ID % number for number in range(first, first + len(batch))).encode()
    payload = records.tobytes() + batch.astype("<u8").tobytes() + ids
    block = struct.pack("<IIQ", len(batch), 0, len(payload))
    checksum = hash64(payload, hash64(block))
    chain = int(mix64(np.uint64((chain + 0x9E3779B97F4A7C15) % 2**64))) ^ checksum
    footer = b"NDUPFEND" + struct.pack("<QQ", len(batch), chain)
    return header + block + struct.pack("<Q", checksum) + payload + footer + struct.pack("<Q", hash64(footer))


class Peer:
    durability = "its default: an answer waits for the disk"
    races = "no: of two near documents that arrive at once one is new"
    uses_processes = True
    server = None

    def __init__(self, program):
        self.program = program

    def recipe(self):
        """One fingerprint that learns nothing: what it would make of texts is not asked."""
        recipe = json.loads(subprocess.run([self.program, "recipes", "paper"], check=True, capture_output=True).stdout)
        recipe["idf"] = "none"
        recipe["fingerprints"][0]["weight"] = "log_tf"
        return recipe

    def start(self, folder):
        (folder / "recipe.json").write_text(json.dumps(self.recipe()))
        (folder / "store").mkdir()
        self.server = subprocess.Popen(
            [self.program, "serve", folder / "store", "--listen", "127.0.0.1:0", "--recipe", folder / "recipe.json",
             "--distance", str(DISTANCE), "--verify", "none", "--records", "none"], stdout=subprocess.PIPE, text=True,
            stderr=(folder / "log").open("w"))
        self.port = int(self.server.stdout.readline().rsplit(":", 1)[1])
        while Caller(self.port, b"").send("GET", "/readyz", b"")[0] != 200:
            time.sleep(.05)
        self.recipe_id = json.loads(Caller(self.port, b"").send("GET", "/v1/recipe", b"")[1])["recipe"].encode()

    def fill(self, values):
        caller = self.caller()
        for first in range(0, len(values), 10000):
            caller.post("/v1/insert", values[first:first + 10000], first)

    def caller(self):
        return Caller(self.port, self.recipe_id)

    def stop(self):
        if self.server:
            self.server.terminate()
            self.server.wait()


class Caller:
    def __init__(self, port, recipe_id):
        self.connection, self.recipe_id = http.client.HTTPConnection("127.0.0.1", port, timeout=60), recipe_id

    def send(self, method, path, body):
        self.connection.request(method, path, body, {"Content-Type": "application/octet-stream"})
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def post(self, path, batch, first):
        status, body = self.send("POST", path, file_of(self.recipe_id, batch, first))
        if status != 200:
            raise RuntimeError(f"{status} {body}")
        return json.loads(body)["results"]

    def check_and_insert(self, batch, first):
        return np.array([result["verdict"] != "new" for result in self.post("/v1/check-and-insert", batch, first)])

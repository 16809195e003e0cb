"""neardup.compat: MinHash and MinHashLSH with the interface of datasketch, native inside.

    from neardup.compat import MinHash, MinHashLSH      # in the place of: from datasketch import MinHash, MinHashLSH

Sketches have the values of datasketch 2, and with scheme="legacy" those of datasketch 1, so what was stored goes on.
docs/datasketch.md says what differs, and what needs no sketches at all: neardup.dedup() takes the texts, and compares
what it finds. Needs numpy.
"""

from neardup._lsh import MinHashLSH, MinHashLSHDeletionSession, MinHashLSHInsertionSession
from neardup._minhash import MinHash, sha1_hash32, sha1_hash64, xxh3_hash32, xxh3_hash64

__all__ = ["MinHash", "MinHashLSH", "MinHashLSHDeletionSession", "MinHashLSHInsertionSession", "sha1_hash32",
           "sha1_hash64", "xxh3_hash32", "xxh3_hash64"]

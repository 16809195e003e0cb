"""neardup.compat: sketches against their definition, the index against a scan of all bands."""
import hashlib
import pickle
import subprocess
import sys

import neardup
import numpy
import pytest
from neardup.compat import MinHash, MinHashLSH, sha1_hash32, sha1_hash64, xxh3_hash32, xxh3_hash64

WORDS = [f"word{i}".encode() for i in range(300)]


def murmur(x, width):
    shifts, factors = {32: ((16, 13, 16), (0x85EBCA6B, 0xC2B2AE35)), 64: ((33, 33, 33), (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53))}[width]
    for shift, factor in zip(shifts, (*factors, 1)):
        x = (x ^ x >> shift) * factor % 2**width
    return x


def defined_values(tokens, num_perm, seed, scheme):
    """Returns the values of a sketch by the formula, in numbers of any size."""
    random = numpy.random.RandomState(seed)
    digests = [hashlib.sha1(token).digest() for token in tokens]
    if scheme == "legacy":
        prime = (1 << 61) - 1
        permutations = [(int(random.randint(1, prime, dtype=numpy.uint64)), int(random.randint(0, prime, dtype=numpy.uint64))) for _ in range(num_perm)]
        hashes = [int.from_bytes(digest[:4], "little") for digest in digests]
        return [min(((a * x + b) % 2**64 % prime) & 0xFFFFFFFF for x in hashes) for a, b in permutations]
    width = int(scheme[-2:])
    dtype = {32: numpy.uint32, 64: numpy.uint64}[width]
    a = [2 * int(x) + 1 for x in random.randint(0, 1 << (width - 1), num_perm, dtype=dtype)]
    b = [int(x) for x in random.randint(0, 1 << width, num_perm, dtype=dtype)]
    hashes = [murmur(int.from_bytes(digest[: width // 8], "little"), width) for digest in digests]
    return [min((a * x + b) % 2**width for x in hashes) for a, b in zip(a, b)]


def sketches(n=200, num_perm=32, seed=5):
    """Returns sketches of sets that overlap their neighbours."""
    random = numpy.random.default_rng(seed)
    sets, made = [], []
    for i in range(n):
        near = sets[-1] if i % 3 else set()
        sets.append({word for word in near if random.random() < 0.9} | {WORDS[j] for j in random.integers(0, 300, 2 if near else 20)})
        made.append(MinHash(num_perm))
        made[-1].update_batch(sets[-1])
    return made


def scanned(stored, query, b, r):
    """Returns the keys of the sketches that agree in all values of a band."""
    values = numpy.array([other.hashvalues for other in stored.values()])
    bands = (values == query.hashvalues)[:, : b * r].reshape(-1, b, r)
    return [key for key, meets in zip(stored, bands.all(axis=2).any(axis=1)) if meets]


@pytest.mark.parametrize("scheme,dtype", [("affine32", numpy.uint32), ("affine64", numpy.uint64), ("legacy", numpy.uint64)])
@pytest.mark.parametrize("num_perm,seed", [(4, 1), (128, 1), (63, 77)])
def test_values_are_those_of_the_formula(num_perm, seed, scheme, dtype):
    made = MinHash(num_perm, seed, scheme=scheme)
    made.update_batch(WORDS[:20])
    assert made.hashvalues.tolist() == defined_values(WORDS[:20], num_perm, seed, scheme)
    assert made.hashvalues.dtype == dtype and made.hashvalues.shape == (num_perm,)
    one_by_one = MinHash(num_perm, seed, scheme=scheme)
    for word in WORDS[:20]:
        one_by_one.update(word)
    assert one_by_one == made


def test_values_of_datasketch():
    """Written down from datasketch 1.10 and 2.0."""
    old, new = MinHash(4, scheme="legacy"), MinHash(4)
    old.update(b"Hello")
    new.update(b"Hello")
    assert old.hashvalues.tolist() == [734825475, 960773806, 359816889, 342714745]
    assert new.hashvalues.tolist() == [3231258861, 1388533999, 831950533, 1845606703]


def test_schemes_do_not_mix():
    old, new = MinHash(16, scheme="legacy"), MinHash(16)
    for call in (old.jaccard, old.merge):
        with pytest.raises(ValueError, match="schemes"):
            call(new)
    lsh, other = MinHashLSH(num_perm=16, params=(4, 4)), MinHashLSH(num_perm=16, params=(4, 4))
    lsh.insert("old", old)
    other.insert("new", new)
    for call in (lambda: lsh.insert("new", new), lambda: lsh.query(new), lambda: lsh.merge(other)):
        with pytest.raises(ValueError, match="scheme"):
            call()
    with pytest.raises(ValueError, match="scheme must be specified"):
        MinHash(hashvalues=new.hashvalues)
    with pytest.raises(ValueError, match="scheme is one of"):
        MinHash(scheme="affine16")
    with pytest.raises(ValueError, match="out of range"):
        MinHash(hashfunc=lambda value: 1 << 32).update(1)
    with pytest.raises(ValueError, match="out of range"):
        MinHash(hashfunc=sha1_hash64).update(b"a")


def test_jaccard_estimates():
    a, b = MinHash(1024), MinHash(1024)
    a.update_batch(WORDS[:200])
    b.update_batch(WORDS[100:300])
    assert abs(a.jaccard(b) - 1 / 3) < 0.06 and a.jaccard(a) == 1 and 150 < a.count() < 260


def test_merge_is_the_sketch_of_the_union():
    a, b, both = MinHash(), MinHash(), MinHash()
    a.update_batch(WORDS[:100])
    b.update_batch(WORDS[50:150])
    both.update_batch(WORDS[:150])
    before = a.digest()
    assert MinHash.union(a, b) == both and (a.hashvalues == before).all()
    a.merge(b)
    assert a == both and a != b


def test_copy_clear_and_pickle():
    made = MinHash(16, hashfunc=xxh3_hash32)
    made.update(b"a")
    copy = made.copy()
    copy.update(b"b")
    assert copy != made and copy.hashfunc is xxh3_hash32
    assert pickle.loads(pickle.dumps(made)) == made
    copy.clear()
    assert copy.is_empty() and not made.is_empty()


def test_bulk_and_any_hash_function():
    sets = [[1, 2, 3], [4], []]
    made = MinHash.bulk(sets, num_perm=8, hashfunc=lambda value: value)
    for values, sketch in zip(sets, made):
        alone = MinHash(8, hashfunc=lambda value: value)
        for value in values:
            alone.update(value)
        assert sketch == alone
    assert list(MinHash.generator(sets, num_perm=8, hashfunc=lambda value: value)) == made
    assert MinHash(hashvalues=made[0].hashvalues, scheme="affine32") == made[0]


def test_hash_functions():
    assert sha1_hash32(b"abc") == int.from_bytes(hashlib.sha1(b"abc").digest()[:4], "little")
    assert xxh3_hash32(b"") == 0x38D394C2 and 0 <= xxh3_hash32(b"abc") < 1 << 32
    assert sha1_hash64(b"abc") == int.from_bytes(hashlib.sha1(b"abc").digest()[:8], "little")
    assert xxh3_hash64(b"") == 0x2D06800538D394C2
    with pytest.raises(TypeError):
        MinHash().update("no bytes")


def test_sketches_that_cannot_be_compared():
    for other in (MinHash(64), MinHash(128, seed=2)):
        for call in (MinHash().jaccard, MinHash().merge):
            with pytest.raises(ValueError, match="different"):
                call(other)
    with pytest.raises(ValueError):
        MinHash.union(MinHash())
    with pytest.raises(ValueError):
        MinHash(hashfunc=3)
    with pytest.raises(ValueError):
        MinHash(permutations=numpy.ones((2, 3)), scheme="legacy")
    with pytest.raises(ValueError, match="odd"):
        MinHash(4, permutations=numpy.full((2, 4), 2, numpy.uint32), scheme="affine32")


@pytest.mark.parametrize("params", [(8, 4), (16, 2), (2, 1), None], ids=str)
def test_index_against_a_scan(params):
    stored = dict(enumerate(sketches()))
    lsh = MinHashLSH(threshold=0.5, num_perm=32, params=params)
    for key, sketch in stored.items():
        lsh.insert(key, sketch)
    queries = [*stored.values(), *sketches(60, seed=6)]
    expected = [scanned(stored, query, lsh.b, lsh.r) for query in queries]
    assert [lsh.query(query) for query in queries] == expected == lsh.query_many(queries)
    assert max(map(len, expected)) > 1 and len(lsh) == 200 and 7 in lsh and 700 not in lsh


def test_removal_against_a_scan():
    stored = dict(enumerate(sketches(400)))
    lsh = MinHashLSH(num_perm=32, params=(8, 4))
    lsh.insert_many(stored, list(stored.values()))
    random = numpy.random.default_rng(3)
    for _ in range(5):
        for key in [key for key in stored if random.random() < 0.4]:
            lsh.remove(key)
            del stored[key]
        for i, sketch in enumerate(sketches(200, seed=int(random.integers(1 << 30)))):
            key = ("new", len(stored), i)
            lsh.insert(key, sketch)
            stored[key] = sketch
        for key in list(stored)[::5]:
            assert set(lsh.query(stored[key])) == set(scanned(stored, stored[key], 8, 4))
    assert len(lsh) == len(stored) and all(key in lsh for key in stored)
    for key in list(stored):
        lsh.remove(key)
    assert lsh.is_empty() and lsh.query(next(iter(stored.values()))) == []


def test_removed_keys_give_their_memory_back():
    lsh = MinHashLSH(num_perm=32, params=(8, 4))
    made = sketches(50)
    for i in range(200):
        lsh.insert_many([(i, j) for j in range(50)], made)
        for j in range(50):
            lsh.remove((i, j))
    assert lsh.nbytes < 2_000_000


def test_keys_are_anything_hashable():
    lsh = MinHashLSH(num_perm=32, params=(8, 4))
    keys = ["a", 1, (2, "b"), None, b"c", frozenset([4])]
    lsh.insert_many(keys, [sketches(1)[0]] * len(keys))
    assert lsh.query(sketches(1)[0]) == keys


def test_duplicate_keys():
    a, b = sketches(20)[0], sketches(20, seed=9)[9]
    lsh = MinHashLSH(num_perm=32, params=(8, 4))
    lsh.insert("k", a)
    for insert in (lambda: lsh.insert("k", b), lambda: lsh.insert_many(["x", "k"], [a, b]), lambda: lsh.insert_many(["x", "x"], [a, b])):
        with pytest.raises(ValueError, match="already exists"):
            insert()
    assert len(lsh) == 1
    lsh.insert("k", b, check_duplication=False)
    assert lsh.query(b) == ["k"] and lsh.query(a) == [] and len(lsh) == 1
    with pytest.raises(ValueError, match="does not exist"):
        lsh.remove("x")


def test_sessions():
    stored = dict(enumerate(sketches(30)))
    lsh = MinHashLSH(num_perm=32, params=(8, 4))
    with lsh.insertion_session(buffer_size=7) as session:
        for key, sketch in stored.items():
            session.insert(key, sketch)
        with pytest.raises(ValueError, match="already exists"):
            session.insert(3, stored[3])
    assert [lsh.query(sketch) for sketch in stored.values()] == [scanned(stored, sketch, 8, 4) for sketch in stored.values()]
    with lsh.deletion_session() as session:
        session.remove(3)
    assert 3 not in lsh and len(lsh) == 29


def test_a_session_keeps_what_it_was_given():
    lsh, sketch = MinHashLSH(num_perm=32, params=(8, 4)), sketches(1)[0]
    before = sketch.copy()
    with lsh.insertion_session() as session:
        session.insert("k", sketch)
        sketch.update_batch(WORDS)
    assert lsh.query(before) == ["k"]


def test_query_buffer():
    stored = dict(enumerate(sketches(30)))
    lsh = MinHashLSH(num_perm=32, params=(8, 4))
    lsh.insert_many(stored, list(stored.values()))
    lsh.add_to_query_buffer(stored[1])
    lsh.add_to_query_buffer(stored[2])
    assert set(lsh.collect_query_buffer()) == set(lsh.query(stored[1])) & set(lsh.query(stored[2]))
    assert lsh.collect_query_buffer() == []


def test_merge_and_pickle():
    made = sketches(40)
    one, two = MinHashLSH(num_perm=32, params=(5, 5)), MinHashLSH(num_perm=32, params=(5, 5))
    one.insert_many(range(20), made[:20])
    two.insert_many(range(15, 40), made[15:])
    with pytest.raises(ValueError, match="overlapping"):
        one.merge(two, check_overlap=True)
    one.merge(two)
    again = pickle.loads(pickle.dumps(one))
    for lsh in (one, again):
        assert len(lsh) == 40
        assert all(set(lsh.query(sketch)) == set(scanned(dict(enumerate(made)), sketch, 5, 5)) for sketch in made)
    with pytest.raises(ValueError, match="initialization"):
        one.merge(MinHashLSH(num_perm=32, params=(4, 5)))


def test_tables_and_counts():
    stored = dict(enumerate(sketches(30)))
    lsh = MinHashLSH(num_perm=32, params=(8, 4))
    assert lsh.get_counts() == [{}] * 8 and lsh.get_subset_counts(1) == [{}] * 8
    lsh.insert_many(stored, list(stored.values()))
    assert list(lsh.keys) == list(stored) and len(lsh.keys) == 30
    for i, table in enumerate(lsh.hashtables):
        assert sum(map(len, table.values())) == 30
        assert all(key in table[lsh.keys[key][i]] for key in stored)
    assert [sum(counts.values()) for counts in lsh.get_counts()] == [30] * 8
    assert [sum(counts.values()) for counts in lsh.get_subset_counts(3, 4, 999)] == [2] * 8


def test_bands_from_the_threshold():
    """Those that datasketch finds."""
    found = {threshold: (MinHashLSH(threshold).b, MinHashLSH(threshold).r) for threshold in (0.5, 0.7, 0.8, 0.9)}
    assert found == {0.5: (25, 5), 0.7: (14, 9), 0.8: (9, 13), 0.9: (5, 25)}
    assert MinHashLSH(0.8, weights=(0.2, 0.8)).b > MinHashLSH(0.8).b


def test_signatures_of_texts(history):
    signatures = neardup.fingerprint(history, family="minhash")
    lsh = MinHashLSH(num_perm=128, params=(32, 4))
    lsh.insert_many([row["id"] for row in history], signatures)
    found = lsh.query_many(signatures)
    assert all(row["id"] in keys for row, keys in zip(history, found)) and max(map(len, found)) > 3


@pytest.mark.parametrize(
    "words",
    [{"threshold": 1.1}, {"num_perm": 1}, {"weights": (0.5, 0.6)}, {"weights": (-1, 2)}, {"num_perm": 8, "params": (3, 3)}, {"params": (1, 4)}],
    ids=str,
)
def test_what_cannot_be(words):
    with pytest.raises(ValueError):
        MinHashLSH(**words)


def test_other_storage_and_other_sizes():
    with pytest.raises(neardup.Unsupported, match="neardup.Store"):
        MinHashLSH(storage_config={"type": "redis"})
    lsh = MinHashLSH(num_perm=32)
    for call in (lambda: lsh.insert("k", MinHash(16)), lambda: lsh.query(MinHash(16)), lambda: lsh.query_many(numpy.ones((2, 16)))):
        with pytest.raises(ValueError, match="length 32, got 16"):
            call()
    with pytest.raises(ValueError, match="keys for"):
        lsh.insert_many(["a"], [])


def test_the_package_does_not_import_it():
    code = "import neardup, sys; assert 'neardup.compat' not in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)

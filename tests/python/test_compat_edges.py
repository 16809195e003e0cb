"""neardup.compat on what is odd: sketches of other kinds, keys that raise, numbers that do not fit, what datasketch allows."""
import hashlib
import pickle

import neardup
import numpy
import pytest
from neardup.compat import MinHash, MinHashLSH, sha1_hash64
from test_compat import WORDS, defined_values, scanned, sketches


def index(**words):
    return MinHashLSH(num_perm=32, **{"params": (8, 4)} | words)


class Weighted:
    """As datasketch's WeightedMinHash: two whole numbers a value, of which the second may be below 0."""

    def __init__(self, values):
        self.hashvalues = numpy.array(values, dtype=numpy.int64)

    def __len__(self):
        return len(self.hashvalues)


def weighted(n=40, seed=3):
    random = numpy.random.default_rng(seed)
    values = [random.integers(-3, 3, (32, 2))]
    for i in range(1, n):
        values.append(numpy.where(random.random((32, 1)) < 0.8, values[-1], random.integers(-3, 3, (32, 2))))
    return [Weighted(each) for each in values]


def test_weighted_sketches_against_a_scan():
    stored = dict(enumerate(weighted()))
    values = numpy.array([each.hashvalues for each in stored.values()])
    one, many = index(), index()
    for key, sketch in stored.items():
        one.insert(key, sketch)
    many.insert_many(stored, values)
    for query in stored.values():
        same = (values == query.hashvalues).all(axis=2).reshape(-1, 8, 4).all(axis=2).any(axis=1)
        assert one.query(query) == many.query(query) == numpy.flatnonzero(same).tolist()
    assert pickle.loads(pickle.dumps(one)).query(stored[5]) == one.query(stored[5])


def test_plain_and_weighted_do_not_mix():
    plain, other = sketches(3)[0], weighted(3)[0]
    for first, second in ((plain, other), (other, plain)):
        lsh = index()
        lsh.insert("k", first)
        for call in (lambda: lsh.insert("x", second), lambda: lsh.query(second), lambda: lsh.insert_many([1, 2], [first, second])):
            with pytest.raises(ValueError, match="plain and weighted"):
                call()
        assert list(lsh.keys) == ["k"] and lsh.query(first) == ["k"]


def test_nothing_inserted_says_nothing_of_the_sketches():
    lsh = index()
    lsh.insert_many([], numpy.empty((0, 32, 2), numpy.int64))
    lsh.insert_many([], [])
    assert lsh.query_many(numpy.empty((0, 32), numpy.uint32)) == [] and lsh.query_many([]) == []
    lsh.insert("k", sketches(1)[0])
    assert lsh.query(sketches(1)[0]) == ["k"]


def test_one_sketch_is_not_an_array_of_sketches():
    lsh, sketch = index(), sketches(1)[0]
    for call in (lambda: lsh.insert_many(range(32), sketch.hashvalues), lambda: lsh.query_many(sketch.hashvalues)):
        with pytest.raises(ValueError, match="shape"):
            call()
    assert len(lsh) == 0 and lsh.query(sketch) == []
    for shape in ((0, 4), (4, 0)):
        with pytest.raises(neardup.InvalidArgument):
            neardup._native.BandLists(*shape)


def test_iterators_are_taken():
    made = sketches(20)
    one, other = index(), index()
    one.insert_many(iter(range(20)), iter(made))
    other.insert_many(range(20), made)
    assert one.query_many(iter(made)) == other.query_many(made) != [[]] * 20


@pytest.mark.parametrize("kind", [list, tuple, numpy.uint64, numpy.int64, object], ids=str)
def test_numbers_are_taken_as_they_are(kind):
    big = [(1 << 63) - 1 - i for i in range(32)]
    make = (lambda values: numpy.array(values, dtype=kind)) if kind not in (list, tuple) else kind
    lsh = index(params=(2, 16))
    lsh.insert_many(["a", "b"], [make(big), numpy.array([value - 1 for value in big], dtype=numpy.uint64)])
    assert lsh.query(make(big)) == ["a"] and lsh.query([value - 1 for value in big]) == ["b"]


def test_a_list_of_several_types_is_not_rounded():
    first = [(1 << 64) - 1, *range(31)]
    lsh = index()
    lsh.insert("k", [numpy.uint64(first[0]), *first[1:]])
    assert lsh.query(first) == ["k"] and lsh.query([(1 << 64) - 1025, *[99] * 31]) == []


@pytest.mark.parametrize("wrong", [-1, 1 << 64, 1.5, float("nan"), "7", None], ids=str)
def test_numbers_that_are_none(wrong):
    lsh = index()
    for values in ([wrong] * 32, numpy.array([wrong] * 32, dtype=object)):
        for call in (lambda: lsh.insert("k", values), lambda: lsh.query(values)):
            with pytest.raises((ValueError, TypeError), match="hash values"):
                call()
    for array in (numpy.full((1, 32), -1), numpy.full((1, 32), 1.5), numpy.full((1, 32, 2), 1.5)):
        with pytest.raises((ValueError, TypeError), match="hash values"):
            lsh.insert_many(["k"], array)
    with pytest.raises((ValueError, TypeError), match="hash values"):
        MinHash(hashvalues=[wrong] * 4, scheme="affine64")
    assert len(lsh) == 0 and lsh.nbytes == 0


class Hostile:
    """A key whose comparison raises, as long as that is asked for."""

    raises = False

    def __hash__(self):
        return 7

    def __eq__(self, other):
        if Hostile.raises:
            raise RuntimeError("no")
        return self is other


def test_keys_that_raise_change_nothing():
    made, first = sketches(6), Hostile()
    lsh = index()
    lsh.insert("a", made[0])
    lsh.insert(first, made[1])
    for check in (True, False):
        with pytest.raises(TypeError):
            lsh.insert_many(["b", []], made[2:4], check_duplication=check)
        Hostile.raises = True
        with pytest.raises(RuntimeError):
            lsh.insert_many(["c", Hostile()], made[2:4], check_duplication=check)
        Hostile.raises = False
    assert len(lsh) == 2 and "b" not in lsh and "c" not in lsh
    stored = {"a": made[0], first: made[1]}
    lsh.insert("d", made[4])
    stored["d"] = made[4]
    assert all(lsh.query(sketch) == scanned(stored, sketch, 8, 4) for sketch in made)


class Stopped:
    """Bands that Ctrl-C stops before they took anything."""

    def __init__(self, bands):
        self.bands = bands

    def add(self, *_):
        raise KeyboardInterrupt

    def __getattr__(self, name):
        return getattr(self.bands, name)


def test_what_is_stopped_changes_nothing():
    made, lsh = sketches(6), index()
    lsh.insert_many("ab", made[:2])
    bands = lsh._stored._bands
    lsh._stored._bands = Stopped(bands)
    with pytest.raises(KeyboardInterrupt):
        lsh.insert_many("bc", made[2:4], check_duplication=False)
    lsh._stored._bands = bands
    lsh.insert("d", made[4])
    stored = dict(zip("abd", [made[0], made[1], made[4]]))
    assert list(lsh.keys) == list("abd") and all(lsh.query(sketch) == scanned(stored, sketch, 8, 4) for sketch in made)


def test_sessions_insert_at_once():
    """A query within a session sees what it took, and what fails at the end loses nothing, as in datasketch."""
    made = sketches(60)
    lsh, kept = index(), []
    with lsh.insertion_session() as session:
        for key, sketch in enumerate(made):
            if not lsh.query(sketch):
                session.insert(key, sketch)
                kept.append(key)
    assert list(lsh.keys) == kept and 1 < len(kept) < 60
    session = lsh.insertion_session()
    session.insert("x", made[0])
    lsh.remove("x")
    lsh.insert("x", made[1])
    with pytest.raises(ValueError, match="already exists"):
        session.insert("x", made[2])
    session.close()
    assert lsh.query(made[1]).count("x") == 1


def test_a_key_that_is_there_is_named():
    lsh, sketch = index(), sketches(1)[0]
    lsh.insert("k17", sketch)
    for keys in (["a", "k17"], ["a", "b", "a"]):
        with pytest.raises(ValueError, match=f"already exists: '{keys[-1]}'"):
            lsh.insert_many(keys, [sketch] * len(keys))
    with pytest.raises(ValueError, match="does not exist: 'z'"):
        lsh.remove("z")


def test_replaced_sketches_give_their_memory_back():
    lsh, made = index(), sketches(2)
    for i in range(20_001):
        lsh.insert("k", made[i % 2], check_duplication=False)
    assert lsh.nbytes < 2_000_000 and lsh.query(made[0]) == ["k"] and len(lsh) == 1
    other = index()
    other.insert_many(range(100), [made[0]] * 100)
    for _ in range(200):
        lsh.merge(other)
    assert lsh.nbytes < 2_000_000 and len(lsh) == 101


def test_equal_keys_of_one_call():
    lsh, made = index(), sketches(20)
    lsh.insert_many(["a", "b", "a"], [made[0], made[9], made[18]], check_duplication=False)
    assert len(lsh) == 2 and lsh.query(made[18]) == ["a"] and "a" not in lsh.query(made[0])


def test_the_order_outlives_removals_and_replacement():
    made, lsh = sketches(1)[0], index()
    lsh.insert_many(range(3000), [made] * 3000)
    lsh.insert(5, made, check_duplication=False)
    for key in range(100, 3000):
        lsh.remove(key)
    expected = [*range(5), *range(6, 100), 5]
    assert lsh.query(made) == expected == pickle.loads(pickle.dumps(lsh)).query(made)


def test_tables_are_read_only_and_made_once():
    lsh, made = index(), sketches(50)
    lsh.insert_many(range(50), made)
    first = lsh.hashtables
    assert all(a is b for a, b in zip(first, lsh.hashtables))
    with pytest.raises(TypeError):
        first[0]["x"] = {1}
    with pytest.raises(AttributeError):
        next(iter(first[0].values())).add(1)
    assert sum(first[3].itemcounts().values()) == 50 and first[3].size() == len(first[3])
    lsh.remove(7)
    assert all(7 not in keys for table in lsh.hashtables for keys in table.values())
    assert any(7 in keys for keys in first[0].values())  # as they were
    for table, query in zip(lsh.hashtables, lsh.keys[3]):
        assert 3 in table[query]


def test_what_is_not_there_is_empty():
    lsh = index()
    assert lsh.keys["a"] == [] and lsh.keys.get("a") == [] and "a" not in lsh.keys
    lsh.insert("k", sketches(1)[0])
    assert lsh.hashtables[0][b"none"] == frozenset() == lsh.hashtables[0].get(b"none") and b"none" not in lsh.hashtables[0]
    assert lsh.keys["a"] == [] and lsh.get_subset_counts("a") == [{}] * 8


@pytest.mark.parametrize("scheme,size", [("affine32", 4), ("affine64", 8), ("legacy", 8)])
def test_keys_have_the_bytes_of_the_values(scheme, size):
    sketch = MinHash(32, scheme=scheme)
    sketch.update_batch(WORDS[:20])
    heard = []
    lsh, hashed = index(), index(hashfunc=lambda data: heard.append(data) or hashlib.md5(data).digest())
    for each in (lsh, hashed):
        each.insert("k", sketch)
    expected = [bytes(sketch.hashvalues[first:end].byteswap().data) for first, end in lsh.hashranges]
    assert lsh.keys["k"] == expected and len(expected[0]) == 4 * size
    assert hashed.keys["k"] == [hashlib.md5(band).digest() for band in expected] and heard[:8] == expected
    assert hashed.query(sketch) == ["k"]


def test_many_equal_sketches_against_a_scan():
    stored = dict(enumerate(sketches(4) * 50))
    lsh = index()
    lsh.insert_many(stored, list(stored.values()))
    for _ in range(2):
        assert all(lsh.query(stored[i]) == scanned(stored, stored[i], 8, 4) for i in range(4))


def test_an_empty_index_is_true():
    assert index() and len(index()) == 0


def test_values_in_any_memory():
    rows = numpy.random.default_rng(1).integers(0, 30, (20, 10))
    made = MinHash.bulk(rows, num_perm=16)
    for row, sketch in zip(rows, made):
        assert sketch.hashvalues.tolist() == defined_values([value.tobytes() for value in row], 16, 1, "affine32")
    one, other = MinHash(16), MinHash(16)
    one.update_batch([b"word", b"other"])
    for value in (bytearray(b"word"), memoryview(b"other"), numpy.frombuffer(b"word", numpy.uint8)):
        other.update(value)
    assert one == other and sha1_hash64(bytearray(b"word")) == sha1_hash64(b"word")
    for value in ("word", 7, None, memoryview(b"abcd")[::2]):
        with pytest.raises(TypeError, match="not bytes"):
            one.update(value)


def test_legacy_takes_hashes_of_64_bits():
    """Written down from datasketch 2.0."""
    one, other = MinHash(4, hashfunc=sha1_hash64, scheme="legacy"), MinHash(4, hashfunc=lambda value: sha1_hash64(value), scheme="legacy")
    for each in (one, other):
        each.update(b"Hello")
    assert one.hashvalues.tolist() == other.hashvalues.tolist() == [734825468, 960773804, 359816891, 342714746]
    with pytest.raises(ValueError, match="out of range"):
        MinHash(4, hashfunc=lambda value: -1, scheme="legacy").update(b"")


def test_a_function_that_cannot_be_hashed():
    class Function:
        __hash__ = None

        def __call__(self, value):
            return value

    made = MinHash(4, hashfunc=Function())
    made.update(5)
    assert made == MinHash.bulk([[5]], num_perm=4, hashfunc=lambda value: value)[0]


def test_state_of_datasketch_1():
    old = MinHash(4, scheme="legacy")
    state = {name: value for name, value in old.__dict__.items() if name not in ("scheme", "_gpu_mode")}
    made = MinHash.__new__(MinHash)
    made.__setstate__(state)
    made.update(b"Hello")
    old.update(b"Hello")
    assert made == old and made.copy() == old


def test_a_class_made_of_it_has_words_of_its_own():
    class Named(MinHash):
        def __init__(self, name="?"):
            super().__init__(16)
            self.name = name

    made = Named("a")
    made.update(b"x")
    copy = made.copy()
    copy.update(b"y")
    assert copy.name == "a" and type(copy) is Named and copy != made
    assert Named.union(made, copy) == copy and [each.name for each in Named.bulk([[b"x"]], name="b")] == ["b"]


def test_values_that_were_set():
    made = MinHash(4)
    made.hashvalues = [1, 2, 3, 4]
    made.update(b"Hello")
    assert made.hashvalues.tolist() == [1, 2, 3, 4] and made.digest().tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "make",
    [
        lambda: MinHashLSH(params=(4.0, 2.0)),
        lambda: MinHashLSH(params=(4, -1)),
        lambda: MinHashLSH(params=(4, 0)),
        lambda: MinHashLSH(num_perm=128.0),
        lambda: MinHash(num_perm=4.0),
        lambda: MinHash(4, permutations=[[1, 3, 5, 7]], scheme="affine32"),
        lambda: MinHash(4, permutations=numpy.ones((1, 4), numpy.uint32), scheme="affine32"),
    ],
)
def test_what_cannot_be(make):
    with pytest.raises((TypeError, ValueError), match="whole number|has 1 or more|mismatch"):
        make()


def test_bands_of_many_values():
    """Those that datasketch finds; of 2,048 values in blocks."""
    found = MinHashLSH(0.9, num_perm=2048)
    assert (found.b, found.r) == (48, 42)
    assert [(lsh.b, lsh.r) for lsh in (MinHashLSH(0.5, weights=(0.2, 0.8)), MinHashLSH(0.9, weights=(0.9, 0.1)))] == [(30, 4), (3, 42)]

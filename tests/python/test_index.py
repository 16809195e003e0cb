"""Index against brute force."""
import gc

import neardup
import numpy
import pytest


def brute(stored, queries, k):
    """Returns what lies within k bits of each query: lists of (id, distance), by distance, then by id."""
    distances = numpy.bitwise_count(queries[:, None] ^ stored[None, :]).astype(int)
    return [
        sorted(((int(i), int(row[i])) for i in numpy.flatnonzero(row <= k)), key=lambda hit: (hit[1], hit[0])) for row in distances
    ]


def sample(n, seed=1):
    """Returns fingerprints of which many are near each other, and some are equal."""
    random = numpy.random.default_rng(seed)
    values = random.integers(0, 2**64, n, dtype=numpy.uint64)
    for at in range(1, n, 2):
        flips = random.integers(0, 64, random.integers(0, 12), dtype=numpy.uint64)
        values[at] = values[at - 1] ^ numpy.bitwise_or.reduce(numpy.uint64(1) << flips, initial=numpy.uint64(0))
    return values


@pytest.mark.parametrize("k", [0, 1, 3, 8, 16])
@pytest.mark.parametrize("n", [1, 2, 100, 3000])
def test_brute_force(n, k):
    stored = sample(n)
    queries = numpy.concatenate([stored[:50], sample(50, seed=2)])
    found = neardup.Index(stored, k).query(queries)
    assert [found[i] for i in range(len(found))] == brute(stored, queries, k)


def test_smaller_k():
    stored = sample(1000)
    index = neardup.Index(stored, k=8)
    for k in range(9):
        found = index.query(stored[:100], k)
        assert [found[i] for i in range(len(found))] == brute(stored, stored[:100], k)
    with pytest.raises(neardup.InvalidArgument, match="k = 9"):
        index.query(stored, 9)


def test_shapes_and_types():
    found = neardup.Index(sample(100), k=3).query(sample(10))
    assert [array.dtype for array in (found.offsets, found.ids, found.distances)] == [numpy.int64, numpy.int64, numpy.int32]
    assert found.offsets.shape == (11,) and found.offsets[-1] == len(found.ids) == len(found.distances)
    assert len(found) == 10


@pytest.mark.parametrize("k", [0, 3])
def test_empty(k):
    nothing = numpy.array([], dtype=numpy.uint64)
    assert neardup.Index(nothing, k).query(sample(5)).offsets.tolist() == [0] * 6
    assert neardup.Index(sample(5), k).query(nothing).offsets.tolist() == [0]
    assert len(neardup.Index(nothing, k)) == 0


def test_several_fingerprints_of_each():
    stored = numpy.stack([sample(400), sample(400, seed=3)], axis=1)
    queries = numpy.concatenate([stored[::3], stored[::5, ::-1]])
    found = neardup.Index(stored, k=5).query(queries)
    distances = numpy.bitwise_count(queries[:, None, :] ^ stored[None, :, :]).min(axis=2).astype(int)
    for i, row in enumerate(distances):
        near = [(int(id), int(row[id])) for id in numpy.flatnonzero(row <= 5)]
        assert found[i] == sorted(near, key=lambda hit: (hit[1], hit[0]))
    assert neardup.Index(stored).query(stored[:0]).offsets.tolist() == [0]
    with pytest.raises(neardup.InvalidArgument, match="as many"):
        neardup.Index(stored).query(sample(3))


def test_fingerprints_go_in_as_they_are(history):
    fingerprints = neardup.fingerprint(history)
    found = neardup.Index(fingerprints, k=8).query(fingerprints)
    assert all((i, 0) in found[i] for i in range(len(history))) and len(found.ids) > len(history)


def test_answers_of_one_query():
    found = neardup.Index(sample(10), k=0).query(sample(10))
    assert list(found) == [found[i] for i in range(10)] and found[-1] == found[9]
    with pytest.raises(IndexError):
        found[10]


def test_many_equal():
    stored = numpy.full(500, 7, dtype=numpy.uint64)
    found = neardup.Index(stored, k=3).query(numpy.array([7, 5, 2**63], dtype=numpy.uint64))
    assert found[0] == [(i, 0) for i in range(500)] and found[1] == [(i, 1) for i in range(500)] and found[2] == []


def test_more_queries_than_a_block():
    stored = sample(2000)
    queries = numpy.tile(stored, 20)
    found = neardup.Index(stored, k=0).query(queries)
    assert len(found) == len(queries) and (stored[found.ids] == numpy.repeat(queries, numpy.diff(found.offsets))).all()


def test_views_that_are_not_contiguous():
    stored = sample(1000)
    found = neardup.Index(stored[::2], k=3).query(stored[::-7])
    assert [found[i] for i in range(len(found))] == brute(stored[::2], stored[::-7], 3)


def test_the_array_is_not_needed_afterwards():
    stored = sample(1000)
    copy = stored.copy()
    index = neardup.Index(copy, k=3)
    copy[:] = 0
    del copy
    gc.collect()
    assert index.query(stored[:1])[0][0] == (0, 0)


def test_read_only_arrays():
    stored = sample(100)
    stored.flags.writeable = False
    assert len(neardup.Index(stored).query(stored)) == 100


@pytest.mark.parametrize(
    "wrong", [numpy.zeros(3, numpy.int64), numpy.zeros(3), numpy.zeros((3, 2, 1), numpy.uint64), [1, 2], numpy.uint64(3), numpy.zeros((3, 0), numpy.uint64)], ids=repr
)
def test_wrong_arrays(wrong):
    with pytest.raises(neardup.InvalidArgument, match="uint64 of shape"):
        neardup.Index(wrong)
    with pytest.raises(neardup.InvalidArgument, match="uint64 of shape"):
        neardup.Index(sample(3)).query(wrong)


@pytest.mark.parametrize("k", [-1, 17, 64])
def test_wrong_k(k):
    with pytest.raises(neardup.InvalidArgument, match="0 to 16"):
        neardup.Index(sample(3), k)


def test_figures():
    index = neardup.Index(sample(1000), k=4)
    assert len(index) == 1000 and index.k == 4 and index.nbytes >= 8000
    assert repr(index) == "Index(1,000 fingerprints, k=4)"

"""The documents of `neardup bench store`, as fingerprints, and what is true of them."""
import numpy as np

DISTANCE = 3
PIECES = 4  # of 16 bits: fingerprints within three bits are equal in one of them


def mix64(values):
    """The finisher of SplitMix64, as in src/neardup/base/hash.h."""
    values = np.asarray(values, dtype=np.uint64)
    with np.errstate(over="ignore"):
        values = (values ^ values >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ values >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return values ^ values >> np.uint64(31)


def fingerprints(first, count, seed=1):
    """Documents first, first + 1, ...: every twentieth is up to three bits from an earlier one."""
    seed, numbers = np.uint64(seed), np.arange(first, first + count, dtype=np.uint64)
    chance = mix64(seed ^ mix64(numbers))
    is_copy = (chance % np.uint64(20) == 0) & (numbers > 0)
    near = chance // np.uint64(20) % np.maximum(numbers, 1)
    copies = mix64(mix64(seed ^ mix64(near)))
    flips = mix64(chance + np.uint64(1)) % np.uint64(4)
    for place in range(1, 4):
        bit = np.uint64(1) << mix64(chance + np.uint64(place)) % np.uint64(64)
        copies = np.where(place <= flips, copies ^ bit, copies)
    return np.where(is_copy, copies, mix64(chance))


def pieces(values):
    """Row i holds the four pieces of values[i], each with its place above its 16 bits."""
    shifts = np.arange(PIECES, dtype=np.uint64)
    return (values[:, None] >> shifts * np.uint64(16) & np.uint64(0xFFFF)) | shifts << np.uint64(16)


def within(values, others):
    return np.bitwise_count(values ^ others) <= DISTANCE


def add_own(batch, seen):
    """Adds to `seen` who in the batch is near an earlier one of it that is new."""
    near = np.tril(within(batch[:, None], batch[None, :]), -1)
    for i in np.flatnonzero(near.any(axis=1)):
        seen[i] |= (near[i] & ~seen).any()
    return seen


def near_pairs(values, others):
    """Returns positions in `values` and in `others` of all that are near: those that share a piece, compared whole."""
    pairs = []
    for place in range(PIECES):
        keys = pieces(others)[:, place]
        order = np.argsort(keys, kind="stable")
        asked = pieces(values)[:, place]
        first = np.searchsorted(keys[order], asked)
        sizes = np.searchsorted(keys[order], asked, side="right") - first
        mine = np.repeat(np.arange(len(values)), sizes)
        theirs = order[np.arange(len(mine)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(first, sizes)]
        near = within(values[mine], others[theirs])
        pairs.append(np.stack([mine[near], theirs[near]], axis=1))
    return np.unique(np.concatenate(pairs), axis=0).T


def check_sample(values, others, owners, count=500):
    """The same by a linear scan, of some."""
    for place in np.linspace(0, len(values) - 1, count).astype(int):
        assert within(values[place], others).sum() == (owners == place).sum()


class Truth:
    """Who is near whom. Callers at once have no order, so what is true of a document does not lean on
    one: `stored` is near a document that was there before anything arrived, `anybody` near one of those or of the
    stream, `pairs` are near each other within the stream."""

    def __init__(self, filled, stream):
        owners, found = near_pairs(stream, np.concatenate([filled, stream]))
        check_sample(stream, np.concatenate([filled, stream]), owners)
        self.stored, self.anybody = np.zeros((2, len(stream)), dtype=bool)
        self.stored[owners[found < len(filled)]] = True
        self.anybody[owners[found != owners + len(filled)]] = True
        inside = found - len(filled)
        self.pairs = np.stack([owners, inside], axis=1)[(inside >= 0) & (inside < owners)]

    def figures(self, was_sent, seen):
        """`recall`: of those near a stored document that were sent, the share that was told to repeat one. `wrong`: told
        so, and near nobody. `both_new`: near pairs of which both were sent and both told to be new."""
        due = self.stored & was_sent
        both = (was_sent & ~seen)[self.pairs].all(axis=1)
        return {"near_stored": int(due.sum()), "recall": round(float(seen[due].mean()), 5),
                "wrong": int((seen & ~self.anybody).sum()), "both_new": int(both.sum())}

"""neardup.compat: MinHash and MinHashLSH with the interface of datasketch, native inside.

    from neardup.compat import MinHash, MinHashLSH      # in the place of: from datasketch import MinHash, MinHashLSH

Sketches have the values of datasketch 2, and with scheme="legacy" those of datasketch 1, so what was stored goes on.
docs/datasketch.md says what differs, and what needs no sketches at all: neardup.dedup() takes the texts, and compares
what it finds. Needs numpy.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Mapping
from typing import Any, Callable, Hashable, Iterable, Iterator

import numpy

from neardup import _native

__all__ = ["MinHash", "MinHashLSH", "MinHashLSHDeletionSession", "MinHashLSHInsertionSession", "sha1_hash32",
           "sha1_hash64", "xxh3_hash32", "xxh3_hash64"]


def sha1_hash32(data: bytes) -> int:
    """Returns the first 4 bytes of SHA-1, the lowest first: what datasketch hashes tokens with."""
    return sha1_hash64(data) & 0xFFFFFFFF


def sha1_hash64(data: bytes) -> int:
    """Returns the first 8 bytes of SHA-1, the lowest first."""
    return int.from_bytes(_native.sha1_hashes([data]), "little")


def xxh3_hash32(data: bytes) -> int:
    """Returns the lower 32 bits of XXH3: much faster than SHA-1, and other sketches."""
    return xxh3_hash64(data) & 0xFFFFFFFF


def xxh3_hash64(data: bytes) -> int:
    """Returns XXH3 of 64 bits."""
    return int.from_bytes(_native.xxh3_hashes([data]), "little")


#: Hash functions of which whole batches are hashed at once, and the bits that count.
_BATCHES = {
    sha1_hash32: (_native.sha1_hashes, 32),
    sha1_hash64: (_native.sha1_hashes, 64),
    xxh3_hash32: (_native.xxh3_hashes, 32),
    xxh3_hash64: (_native.xxh3_hashes, 64),
}

_PRIME = (1 << 61) - 1


class _Scheme:
    """How hashes are permuted: the type of the values, the greatest one, and the native loop over a batch."""

    def __init__(self, width: int, dtype: type, lower: Callable, is_affine: bool):
        self.width = width
        self.dtype = dtype
        self.empty = dtype((1 << width) - 1)
        self.lower = lower
        self.is_affine = is_affine

    @functools.lru_cache(maxsize=64)
    def permutations(self, num_perm: int, seed: int) -> numpy.ndarray:
        """Returns a and b of each permutation, shape (2, num_perm): those that datasketch draws."""
        random = numpy.random.RandomState(seed)
        draw = functools.partial(random.randint, dtype=self.dtype)
        if self.is_affine:
            a = draw(0, 1 << (self.width - 1), num_perm) * self.dtype(2) + self.dtype(1)
            made = numpy.array([a, draw(0, 1 << self.width, num_perm)])
        else:
            made = numpy.array([(draw(1, _PRIME), draw(0, _PRIME)) for _ in range(num_perm)], dtype=self.dtype).T.copy()
        made.flags.writeable = False
        return made

    def numbers(self, values: Any, what: str) -> numpy.ndarray:
        """Returns an array of the scheme's type. Raises ValueError where a value does not fit."""
        if isinstance(values, numpy.ndarray) and values.dtype == self.dtype:
            return values
        try:
            made = numpy.array([int(value) for value in values], dtype=self.dtype)
        except OverflowError as error:
            raise ValueError(f"{what} out of range for {self.width} bits: {error}") from error
        return made


_SCHEMES = {
    "affine32": _Scheme(32, numpy.uint32, _native.lower_affine32, True),
    "affine64": _Scheme(64, numpy.uint64, _native.lower_affine64, True),
    "legacy": _Scheme(32, numpy.uint64, _native.lower_legacy, False),
}


class MinHash:
    """A sketch of a set, from which the Jaccard similarity of two sets is estimated; as datasketch.MinHash.

    num_perm: how many values it has; of `hashvalues` where they are given.
    seed: of the permutations; sketches of one seed, size and scheme can be compared.
    hashfunc: from a value to a whole number of as many bits as the scheme has. sha1_hash32 (the default; sha1_hash64 of
        "affine64") and xxh3_hash32 take bytes, and are hashed natively in batches.
    hashvalues, permutations: of another MinHash, whose scheme must be named with them.
    scheme: "affine32", the default, and "affine64", of datasketch 2; "legacy", the only one of datasketch 1.
    gpu_mode is accepted; there is no GPU code. hashobj is ignored.

    hashvalues is a numpy array of shape (num_perm,), uint32 of "affine32", else uint64; permutations one of shape
    (2, num_perm). Threads: one at a time.
    """

    def __init__(
        self,
        num_perm: int = 128,
        seed: int = 1,
        gpu_mode: str = "disable",
        hashfunc: Callable[[Any], int] | None = None,
        hashobj: object = None,
        hashvalues: Any = None,
        permutations: Any = None,
        scheme: str | None = None,
    ):
        if scheme is None and (hashvalues is not None or permutations is not None):
            raise ValueError(
                "scheme must be specified with hashvalues or permutations: that of the MinHash they are of; "
                "scheme='legacy' for those of datasketch before 2.0.0"
            )
        self.scheme = scheme or "affine32"
        if self.scheme not in _SCHEMES:
            raise ValueError(f"scheme is one of {', '.join(_SCHEMES)}, not {scheme!r}")
        if hashfunc is None:
            hashfunc = sha1_hash64 if self.scheme == "affine64" else sha1_hash32
        if not callable(hashfunc):
            raise ValueError("The hashfunc must be a callable.")
        if hashobj is not None:
            warnings.warn("hashobj is ignored, use hashfunc instead.", DeprecationWarning, stacklevel=2)
        self.seed = seed
        self.hashfunc = hashfunc
        given = None if hashvalues is None else self._numbers(hashvalues, "hash values").copy()
        self.hashvalues = self._empty(num_perm) if given is None else given
        self.num_perm = len(self.hashvalues)
        self.permutations = self._permutations(permutations)
        self._gpu_mode = gpu_mode

    @property
    def _rules(self) -> _Scheme:
        return _SCHEMES[self.scheme]

    def _empty(self, num_perm: int) -> numpy.ndarray:
        if not 0 < num_perm <= 1 << 32:
            raise ValueError(f"num_perm is 1 to 2^32, not {num_perm}")
        return numpy.full(num_perm, self._rules.empty, dtype=self._rules.dtype)

    def _numbers(self, values: Any, what: str) -> numpy.ndarray:
        return self._rules.numbers(values, what)

    def _permutations(self, given: Any) -> numpy.ndarray:
        if given is None:
            return self._rules.permutations(self.num_perm, self.seed)
        if isinstance(given, numpy.ndarray) and given.dtype == self._rules.dtype:
            made = given
        else:
            made = numpy.array([self._numbers(each, "permutation parameters") for each in given])
        if self._rules.is_affine and not (made[0] & self._rules.dtype(1)).all():
            raise ValueError(f"all `a` permutation parameters must be odd for scheme {self.scheme!r}")
        if len(made[0]) != self.num_perm:
            raise ValueError("Numbers of hash values and permutations mismatch")
        return made

    def update(self, b: Any) -> None:
        """Adds a value to the set."""
        self.update_batch((b,))

    def update_batch(self, b: Iterable[Any]) -> None:
        """Adds values to the set, at once. Raises ValueError where hashfunc returns what does not fit the scheme."""
        hashes = self._hashes(b)
        if len(hashes) == 0:
            return
        if self._gpu_mode == "always":
            raise RuntimeError("GPU mode 'always' requested, and neardup has no GPU code.")
        values = self.hashvalues.copy()  # who has the old array keeps it
        self._rules.lower(values, *map(numpy.ascontiguousarray, self.permutations), hashes)
        self.hashvalues = values

    def _hashes(self, values: Iterable[Any]) -> numpy.ndarray:
        """Returns uint64 of shape (n,)."""
        batch, width = _BATCHES.get(self.hashfunc, (None, 64))
        if batch is None:
            hashes = [self.hashfunc(value) for value in values]
            return self._rules.numbers(hashes, "hashes").astype(numpy.uint64) if self._rules.is_affine else numpy.array(
                hashes, dtype=numpy.uint64)
        hashes = numpy.frombuffer(batch(list(values)), dtype=numpy.uint64)
        if width > self._rules.width:
            raise ValueError(f"hashfunc makes {width} bits, out of range for scheme {self.scheme!r}")
        return hashes if width == 64 else hashes & numpy.uint64(0xFFFFFFFF)

    def _check(self, other: MinHash, what: str) -> None:
        if getattr(other, "scheme", None) != self.scheme:
            raise ValueError(f"Cannot {what} MinHash with different permutation schemes")
        if other.seed != self.seed:
            raise ValueError(f"Cannot {what} MinHash with different seeds")
        if len(self) != len(other):
            raise ValueError(f"Cannot {what} MinHash with different numbers of permutation functions")

    def jaccard(self, other: MinHash) -> float:
        """Returns the estimated Jaccard similarity of the sets, 0 to 1. Raises ValueError for other seeds or sizes."""
        self._check(other, "compute Jaccard given")
        return float(numpy.count_nonzero(self.hashvalues == other.hashvalues)) / len(self)

    def count(self) -> float:
        """Returns the estimated number of values in the set."""
        return len(self) / float(numpy.sum(self.hashvalues / float(self._rules.empty))) - 1.0

    def merge(self, other: MinHash) -> None:
        """Makes this the sketch of the union of both. Raises ValueError for other seeds or sizes."""
        self._check(other, "merge")
        self.hashvalues = numpy.minimum(other.hashvalues, self.hashvalues)

    def digest(self) -> numpy.ndarray:
        """Returns a copy of hashvalues."""
        return self.hashvalues.copy()

    def is_empty(self) -> bool:
        """Returns whether nothing was added."""
        return bool((self.hashvalues == self._rules.empty).all())

    def clear(self) -> None:
        """Forgets all values."""
        self.hashvalues = self._empty(len(self))

    def copy(self) -> MinHash:
        """Returns another one of the same set."""
        return type(self)(seed=self.seed, gpu_mode=self._gpu_mode, hashfunc=self.hashfunc, hashvalues=self.hashvalues,
                          permutations=self.permutations, scheme=self.scheme)

    def __len__(self) -> int:
        """How many values the sketch has."""
        return len(self.hashvalues)

    def __eq__(self, other: object) -> bool:
        return (type(self) is type(other) and (self.scheme, self.seed) == (other.scheme, other.seed)
                and numpy.array_equal(self.hashvalues, other.hashvalues))

    __hash__ = None

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update({"scheme": "legacy"} | state)  # of datasketch 1, which knew no other one

    @classmethod
    def union(cls, *mhs: MinHash) -> MinHash:
        """Returns the sketch of the union of two or more. Raises ValueError for fewer, other seeds or sizes."""
        if len(mhs) < 2:
            raise ValueError("Cannot union less than 2 MinHash")
        made = mhs[0].copy()
        for other in mhs[1:]:
            made.merge(other)
        return made

    @classmethod
    def bulk(cls, b: Iterable[Iterable[Any]], **minhash_kwargs: Any) -> list[MinHash]:
        """Returns the sketches of many sets; the words are those of the constructor."""
        return list(cls.generator(b, **minhash_kwargs))

    @classmethod
    def generator(cls, b: Iterable[Iterable[Any]], **minhash_kwargs: Any) -> Iterator[MinHash]:
        """The same one after the other."""
        empty = cls(**minhash_kwargs)
        for values in b:
            made = empty.copy()
            made.update_batch(values)
            yield made


@functools.lru_cache(maxsize=64)
def _best_bands(threshold: float, num_perm: int, weight_of_false: float, weight_of_missed: float) -> tuple[int, int]:
    """Returns bands and rows with the least weighted area of wrong answers below and above the threshold."""
    shapes = numpy.array([(b, r) for b in range(1, num_perm + 1) for r in range(1, num_perm // b + 1)])
    points, weights = numpy.polynomial.legendre.leggauss(400)
    areas = []
    for low, high, is_missed in ((0.0, threshold, False), (threshold, 1.0, True)):
        similarity = low + (points + 1) / 2 * (high - low)
        # Logarithms: (1 - s^r)^b of hundreds of bands.
        nobody = numpy.exp(shapes[:, :1] * numpy.log1p(-(similarity[None, :] ** shapes[:, 1:])))
        areas.append(((nobody if is_missed else 1 - nobody) * weights).sum(axis=1) * (high - low) / 2)
    wrong = areas[0] * weight_of_false + areas[1] * weight_of_missed
    return tuple(int(each) for each in shapes[numpy.argmin(wrong)])


class MinHashLSH:
    """An index of sketches by their bands, as datasketch.MinHashLSH: it answers with candidates, not compared.

    threshold, weights: the Jaccard similarity from which on sets are to be found, and how much a false answer and a
        missed one weigh (they sum to 1); from these the numbers of bands `b` and of values in a band `r` are found.
    params: (b, r) themselves. num_perm: how many values the sketches have.
    hashfunc: of the keys of `hashtables`. prepickle is accepted: any hashable key will do.
    storage_config: {"type": "dict"}, or None; for what lasts, or has many writers, there is neardup.Store.

    Takes MinHash, whatever else has `hashvalues` and a length, such as a WeightedMinHash of datasketch, and arrays of
    unsigned whole numbers: also signatures of neardup.fingerprint(texts, family="minhash"). Threads: one at a time.
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        weights: tuple[float, float] = (0.5, 0.5),
        params: tuple[int, int] | None = None,
        storage_config: dict | None = None,
        prepickle: bool | None = None,
        hashfunc: Callable[[bytes], Any] | None = None,
    ):
        if not 0.0 <= threshold <= 1.0:
            raise ValueError("threshold must be in [0.0, 1.0]")
        if num_perm < 2:
            raise ValueError("Too few permutation functions")
        if any(not 0.0 <= weight <= 1.0 for weight in weights):
            raise ValueError("Weight must be in [0.0, 1.0]")
        if sum(weights) != 1.0:
            raise ValueError("Weights must sum to 1.0")
        if storage_config and storage_config.get("type", "dict") != "dict":
            raise _native.Unsupported(
                f"storage {storage_config['type']!r} is not there: take neardup.Store for an index that lasts"
            )
        self.threshold = threshold
        self.h = num_perm
        self.b, self.r = _best_bands(threshold, num_perm, *weights) if params is None else params
        if self.b * self.r > num_perm:
            raise ValueError(f"params are {self.b} bands of {self.r}, more values than the {num_perm} of num_perm")
        if self.b < 2:
            raise ValueError("The number of bands are too small (b < 2)")
        self.prepickle = prepickle
        self.hashfunc = hashfunc
        self.buffer_size = 50000
        self._buffer: list[set] = []  # of queries
        self._scheme: str | None = None  # of the sketches
        self._forget()

    def _forget(self) -> None:
        self._bands = None  # made with the first sketch, which says how many numbers a value is
        self._numbers: dict[Hashable, int] = {}  # of the keys
        self._keys: list[Hashable] = []  # of the numbers

    def insert(self, key: Hashable, minhash: Any, check_duplication: bool = True) -> None:
        """Adds a sketch under a key. Raises ValueError where the key is there already, or for another num_perm.

        With check_duplication=False the sketch takes the place of the one that is there.
        """
        self.insert_many([key], [minhash], check_duplication)

    def insert_many(self, keys: Iterable[Hashable], minhashes: Any, check_duplication: bool = True) -> None:
        """The same of many at once, all or none: sketches, or an array of unsigned numbers, shape (n, num_perm)."""
        scheme = self._scheme_of(minhashes)
        self._insert(list(keys), self._rows(minhashes), check_duplication)
        self._scheme = scheme

    def _insert(self, keys: list, rows: numpy.ndarray, check_duplication: bool) -> None:
        if len(keys) != len(rows):
            raise ValueError(f"{len(keys)} keys for {len(rows)} sketches")
        if check_duplication and (len(set(keys)) != len(keys) or any(key in self._numbers for key in keys)):
            raise ValueError("The given key already exists")
        if self._bands is None:
            self._bands = _native.BandLists(self.b, self.r * (rows.shape[1] // self.h))
        first = self._bands.add(rows)
        for number, key in enumerate(keys, first):
            if key in self._numbers:
                self._bands.erase(self._numbers[key])
            self._numbers[key] = number
        self._keys.extend(keys)

    def _rows(self, minhashes: Any) -> numpy.ndarray:
        if not isinstance(minhashes, numpy.ndarray):
            minhashes = [getattr(each, "hashvalues", each) for each in minhashes]
            for values in minhashes:
                self._check_length(len(values))
            minhashes = numpy.array(minhashes) if minhashes else numpy.empty((0, self.h))
        if minhashes.ndim > 1:
            self._check_length(minhashes.shape[1])
        rows = minhashes.reshape(len(minhashes), -1) if len(minhashes) else numpy.empty((0, self.h))
        return numpy.ascontiguousarray(rows.astype(numpy.uint64, copy=False))

    def _scheme_of(self, minhashes: Any) -> str | None:
        """Returns the scheme of these and of those before; None goes with any. Raises ValueError where two differ."""
        known = self._scheme
        for minhash in () if isinstance(minhashes, numpy.ndarray) else minhashes:
            scheme = getattr(minhash, "scheme", None)
            if None not in (scheme, known) and scheme != known:
                raise ValueError(f"MinHash scheme {scheme!r} does not match scheme {known!r} of those before")
            known = known or scheme
        return known

    def _check_length(self, length: int) -> None:
        if length != self.h:
            raise ValueError(f"Expecting minhash with length {self.h}, got {length}")

    def query(self, minhash: Any) -> list[Hashable]:
        """Returns the keys of the sketches that agree with this one in a band, each once, oldest first."""
        return self.query_many([minhash])[0]

    def query_many(self, minhashes: Any) -> list[list[Hashable]]:
        """The same of many at once: sketches, or a numpy array of shape (n, num_perm)."""
        self._scheme_of(minhashes)
        rows = self._rows(minhashes)
        if self._bands is None:
            return [[] for _ in rows]
        offsets, numbers = (numpy.frombuffer(each, dtype=numpy.int64).tolist() for each in self._bands.find(rows))
        keys = [self._keys[number] for number in numbers]
        return [keys[begin:end] for begin, end in zip(offsets, offsets[1:])]

    def add_to_query_buffer(self, minhash: Any) -> None:
        """Asks for a sketch; collect_query_buffer() answers."""
        self._buffer.append(set(self.query(minhash)))

    def collect_query_buffer(self) -> list[Hashable]:
        """Returns the keys that all sketches of the buffer meet, which is empty then."""
        asked, self._buffer = self._buffer, []
        return list(set.intersection(*asked)) if asked else []

    def remove(self, key: Hashable) -> None:
        """Takes a key out. Raises ValueError where it is not there."""
        if key not in self._numbers:
            raise ValueError("The given key does not exist")
        self._bands.erase(self._numbers.pop(key))
        if self._bands.num_rows > 2 * len(self._numbers) + 1024:
            self._compact()

    def _compact(self) -> None:
        """Gives back what removed keys took. Cost: that of inserting all others, spread over as many removals."""
        numbers = numpy.frombuffer(self._bands.compact(), dtype=numpy.uint32).tolist()
        self._keys = [self._keys[number] for number in numbers]
        self._numbers = {key: number for number, key in enumerate(self._keys)}

    def merge(self, other: MinHashLSH, check_overlap: bool = False) -> None:
        """Adds all of another index of the same num_perm, b and r. Raises ValueError for others.

        Of a key that both have the other's sketch counts; with check_overlap=True that is a ValueError.
        """
        if type(self) is not type(other):
            raise ValueError(f"Cannot merge type MinHashLSH and type {type(other).__name__}.")
        if (self.h, self.b, self.r) != (other.h, other.b, other.r):
            raise ValueError("Cannot merge MinHashLSH with different initialization parameters.")
        if None not in (self._scheme, other._scheme) and self._scheme != other._scheme:
            raise ValueError(f"Cannot merge MinHashLSH of scheme {other._scheme!r} into one of scheme {self._scheme!r}")
        if check_overlap and self._numbers.keys() & other._numbers.keys():
            raise ValueError("The keys are overlapping, duplicate key exists.")
        if other._numbers:
            self._insert(list(other._numbers), other._all_rows(), check_duplication=False)
        self._scheme = self._scheme or other._scheme

    def _all_rows(self) -> numpy.ndarray:
        """Returns the numbers of the bands of all keys, as wide as sketches: what is in no band is 0."""
        rows = numpy.array([self._row(number) for number in self._numbers.values()])
        return numpy.pad(rows, ((0, 0), (0, rows.shape[1] // (self.b * self.r) * self.h - rows.shape[1])))

    def _row(self, number: int) -> numpy.ndarray:
        return numpy.frombuffer(self._bands.row(number), dtype=numpy.uint64)

    def _hashes(self, number: int) -> list:
        """Returns what stands for each band of a sketch in `hashtables`."""
        bands = self._row(number).reshape(self.b, -1).byteswap()
        return [band.tobytes() if self.hashfunc is None else self.hashfunc(band.tobytes()) for band in bands]

    def insertion_session(self, buffer_size: int = 50000) -> MinHashLSHInsertionSession:
        """Returns a context in which insert() gathers sketches, and adds them at once."""
        return MinHashLSHInsertionSession(self, buffer_size)

    def deletion_session(self, buffer_size: int = 50000) -> MinHashLSHDeletionSession:
        """Returns a context with remove()."""
        return MinHashLSHDeletionSession(self, buffer_size)

    def is_empty(self) -> bool:
        """Returns whether there is no key."""
        return not self._numbers

    @property
    def nbytes(self) -> int:
        """Bytes of memory that bands and values take, keys apart."""
        return 0 if self._bands is None else self._bands.nbytes

    @property
    def keys(self) -> Mapping:
        """The bands of each key, a read-only mapping: keys[key][i] is in hashtables[i]."""
        return _Keys(self)

    @property
    def hashtables(self) -> list[Mapping]:
        """Of each band a read-only mapping from its values to the keys that have them. Cost: a look at every sketch."""
        tables: list[dict] = [{} for _ in range(self.b)]
        for key, number in self._numbers.items():
            for table, value in zip(tables, self._hashes(number)):
                table.setdefault(value, []).append(key)
        return tables

    def get_counts(self) -> list[dict[Any, int]]:
        """Returns of each band how many keys have each of its values."""
        return [{value: len(keys) for value, keys in table.items()} for table in self.hashtables]

    def get_subset_counts(self, *keys: Hashable) -> list[dict[Any, int]]:
        """The same of some keys alone."""
        subset = type(self)(num_perm=self.h, params=(self.b, self.r), hashfunc=self.hashfunc)
        wanted = [key for key in dict.fromkeys(keys) if key in self._numbers]
        if wanted:
            rows = dict(zip(self._numbers, self._all_rows()))
            subset._insert(wanted, numpy.array([rows[key] for key in wanted]), check_duplication=False)
        return subset.get_counts()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._numbers

    def __len__(self) -> int:
        """How many keys there are."""
        return len(self._numbers)

    def __getstate__(self) -> dict:
        state = {name: value for name, value in self.__dict__.items() if not name.startswith("_")}
        return state | {"_saved": (self._scheme, list(self._numbers), self._all_rows() if self._numbers else None)}

    def __setstate__(self, state: dict) -> None:
        scheme, keys, rows = state.pop("_saved")
        self.__dict__.update(state)
        self._scheme = scheme
        self._buffer = []
        self._forget()
        if keys:
            self._insert(keys, rows, check_duplication=False)


class _Keys(Mapping):
    def __init__(self, lsh: MinHashLSH):
        self._lsh = lsh

    def __getitem__(self, key: Hashable) -> list:
        return self._lsh._hashes(self._lsh._numbers[key])

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._lsh._numbers)

    def __len__(self) -> int:
        return len(self._lsh)


class MinHashLSHInsertionSession:
    """Gathers sketches for an index, and adds them at the end, or when there are buffer_size of them."""

    def __init__(self, lsh: MinHashLSH, buffer_size: int):
        self.lsh = lsh
        self._buffer_size = max(1, buffer_size)
        self._waiting: dict[Hashable, Any] = {}

    def insert(self, key: Hashable, minhash: Any, check_duplication: bool = True) -> None:
        """As MinHashLSH.insert()."""
        self.lsh._check_length(len(minhash))
        self.lsh._scheme = self.lsh._scheme_of([minhash])
        if check_duplication and (key in self.lsh or key in self._waiting):
            raise ValueError("The given key already exists")
        self._waiting[key] = getattr(minhash, "hashvalues", minhash)  # that an update() replaces, and leaves as it is
        if len(self._waiting) >= self._buffer_size:
            self.close()

    def close(self) -> None:
        """Adds what was gathered."""
        waiting, self._waiting = self._waiting, {}
        if waiting:
            self.lsh.insert_many(waiting.keys(), list(waiting.values()), check_duplication=False)

    def __enter__(self) -> MinHashLSHInsertionSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class MinHashLSHDeletionSession:
    """Takes keys out of an index."""

    def __init__(self, lsh: MinHashLSH, buffer_size: int):
        self.lsh = lsh

    def remove(self, key: Hashable) -> None:
        """As MinHashLSH.remove()."""
        self.lsh.remove(key)

    def close(self) -> None:
        """Nothing waits."""

    def __enter__(self) -> MinHashLSHDeletionSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

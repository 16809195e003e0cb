"""MinHashLSH as datasketch has it: the index of neardup.compat."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any, Callable, Hashable, Iterable, Iterator, NamedTuple

import numpy

from neardup import _native
from neardup._keyed_bands import KeyedBands
from neardup._minhash import whole_numbers
from neardup._options import whole


@functools.lru_cache(maxsize=64)
def _best_bands(threshold: float, num_perm: int, weight_of_false: float, weight_of_missed: float) -> tuple[int, int]:
    """Returns bands and rows with the least weighted area of wrong answers below and above the threshold."""
    points, weights = numpy.polynomial.legendre.leggauss(400)
    best = (math.inf, 0, 0)
    for r in range(1, num_perm + 1):
        bands = numpy.arange(1, num_perm // r + 1)
        false, missed = (
            _wrong_areas(bands, r, low + (points + 1) / 2 * (high - low), weights * (high - low) / 2, is_missed)
            for low, high, is_missed in ((0.0, threshold, False), (threshold, 1.0, True))
        )
        wrong = false * weight_of_false + missed * weight_of_missed
        least = int(numpy.argmin(wrong))
        best = min(best, (float(wrong[least]), least + 1, r))
    return best[1:]


def _wrong_areas(
    bands: numpy.ndarray, r: int, similarity: numpy.ndarray, weights: numpy.ndarray, is_missed: bool
) -> numpy.ndarray:
    """Returns for each number of bands the area of sets that meet in none of them, or in some."""
    # Logarithms: (1 - s^r)^b of hundreds of bands.
    nobody = numpy.exp(bands[:, None] * numpy.log1p(-(similarity**r)))
    return (nobody if is_missed else 1 - nobody) @ weights


class _Kind(NamedTuple):
    """What sketches of one index have in common; None where no sketch said it yet."""

    scheme: str | None = None
    width: int | None = None  # whole numbers for each value: 1, or 2 of WeightedMinHash
    num_bytes: int = 1  # of a whole number, in `keys` and `hashtables`

    def with_scheme(self, scheme: str | None) -> _Kind:
        if None not in (scheme, self.scheme) and scheme != self.scheme:
            raise ValueError(f"MinHash scheme {scheme!r} does not match scheme {self.scheme!r} of those before")
        return self if scheme in (None, self.scheme) else self._replace(scheme=scheme)

    def with_values(self, width: int, num_bytes: int) -> _Kind:
        if self.width not in (None, width):
            raise ValueError(
                f"the sketches have {width} whole numbers for each value, those before {self.width}: plain and "
                "weighted ones do not go into one index"
            )
        if self.width == width and self.num_bytes >= num_bytes:
            return self
        return self._replace(width=width, num_bytes=max(self.num_bytes, num_bytes))


class MinHashLSH:
    """An index of sketches by their bands, as datasketch.MinHashLSH: it answers with candidates, not compared.

    threshold, weights: the Jaccard similarity from which on sets are to be found, and how much a false answer and a
        missed one weigh (they sum to 1); from these the numbers of bands `b` and of values in a band `r` are found.
    params: (b, r) themselves. num_perm: how many values the sketches have.
    hashfunc: of the keys of `hashtables`. prepickle is accepted: any hashable key will do.
    storage_config: {"type": "dict"}, or None; for what lasts, or has many writers, there is neardup.Store.

    Takes MinHash, whatever else has `hashvalues` and a length, such as a WeightedMinHash of datasketch, and arrays of
    unsigned whole numbers: also signatures of neardup.fingerprint(texts, family="minhash"). An index of sketches with
    one whole number for each value takes none with two. What raises changes nothing. Threads: one at a time.
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
        if whole(num_perm, "num_perm") < 2:
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
        self._check_params()
        self.prepickle = prepickle
        self.hashfunc = hashfunc
        self.buffer_size = 50000
        self._forget()

    def _check_params(self) -> None:
        if whole(self.r, "the number of values in a band") < 1:
            raise ValueError(f"params are {self.b} bands of {self.r} values: a band has 1 or more")
        if whole(self.b, "the number of bands") < 2:
            raise ValueError("The number of bands are too small (b < 2)")
        if self.b * self.r > self.h:
            raise ValueError(f"params are {self.b} bands of {self.r}, more values than the {self.h} of num_perm")

    def _forget(self) -> None:
        self._kind = _Kind()
        self._stored: KeyedBands | None = None  # made with the first sketch, which says how many numbers a value is
        self._buffer: list[set] = []  # of queries
        self._tables: tuple[int, list[Mapping]] = (-1, [])  # of a version of _stored

    @property
    def _numbers(self) -> dict[Hashable, int]:
        return {} if self._stored is None else self._stored.numbers

    @property
    def hashranges(self) -> list[tuple[int, int]]:
        """The first value of each band, and the one behind its last."""
        return [(i * self.r, (i + 1) * self.r) for i in range(self.b)]

    def insert(self, key: Hashable, minhash: Any, check_duplication: bool = True) -> None:
        """Adds a sketch under a key. Raises ValueError where the key is there already, or for another num_perm.

        With check_duplication=False the sketch takes the place of the one that is there.
        """
        self.insert_many([key], [minhash], check_duplication)

    def insert_many(self, keys: Iterable[Hashable], minhashes: Any, check_duplication: bool = True) -> None:
        """The same of many at once, all or none: sketches, or an array of unsigned numbers, shape (n, num_perm)."""
        kind, rows = self._read(minhashes)
        self._insert(list(keys), rows, kind, check_duplication)

    def _insert(self, keys: list, rows: numpy.ndarray, kind: _Kind, check_duplication: bool) -> None:
        if len(keys) != len(rows):
            raise ValueError(f"{len(keys)} keys for {len(rows)} sketches")
        if check_duplication:
            self._check_new(keys)
        if not keys:
            return
        stored = self._stored or KeyedBands(self.b, self.r * kind.width)
        stored.insert(keys, rows)
        self._stored, self._kind = stored.compacted() if stored.is_sparse else stored, kind

    def _check_new(self, keys: list) -> None:
        seen: set[Hashable] = set()
        for key in keys:
            if key in seen or key in self._numbers:
                raise ValueError(f"The given key already exists: {key!r}")
            seen.add(key)

    def _read(self, minhashes: Any) -> tuple[_Kind, numpy.ndarray]:
        """Returns what sketches are, and their bands as rows of uint64. Raises ValueError for those of another kind."""
        if isinstance(minhashes, numpy.ndarray):
            if minhashes.ndim < 2:
                raise ValueError(f"an array of sketches has the shape (n, num_perm), not {minhashes.shape}")
            self._check_length(minhashes.shape[1])
            kind, values = _whole_values(minhashes, self._kind)
        else:
            kind, values = self._read_list(list(minhashes))
        if self.b * self.r < self.h:
            values = values[:, : self.b * self.r]
        return kind, numpy.ascontiguousarray(values).reshape(len(values), -1 if len(values) else 1)

    def _read_list(self, minhashes: list) -> tuple[_Kind, numpy.ndarray]:
        kind = self._kind
        for scheme in dict.fromkeys(getattr(each, "scheme", None) for each in minhashes):
            kind = kind.with_scheme(scheme)
        rows = [getattr(each, "hashvalues", each) for each in minhashes]
        for row in rows:
            self._check_length(len(row))
        if not rows:
            return kind, numpy.empty((0, self.h), numpy.uint64)
        if len({_type_of(row) for row in rows}) == 1 and isinstance(rows[0], numpy.ndarray):
            return _whole_values(numpy.array(rows), kind)
        made = []
        for row in rows:
            kind, values = _whole_values(row[None] if isinstance(row, numpy.ndarray) else [row], kind)
            made.append(values)
        return kind, numpy.concatenate(made)

    def _check_length(self, length: int) -> None:
        if length != self.h:
            raise ValueError(f"Expecting minhash with length {self.h}, got {length}")

    def query(self, minhash: Any) -> list[Hashable]:
        """Returns the keys of the sketches that agree with this one in a band, each once, oldest first."""
        return self.query_many([minhash])[0]

    def query_many(self, minhashes: Any) -> list[list[Hashable]]:
        """The same of many at once: sketches, or a numpy array of shape (n, num_perm)."""
        _, rows = self._read(minhashes)
        return [[] for _ in rows] if self._stored is None or not len(rows) else self._stored.find(rows)

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
            raise ValueError(f"The given key does not exist: {key!r}")
        self._stored.erase(key)
        if self._stored.is_sparse:
            self._stored = self._stored.compacted()

    def merge(self, other: MinHashLSH, check_overlap: bool = False) -> None:
        """Adds all of another index of the same num_perm, b and r. Raises ValueError for others.

        Of a key that both have the other's sketch counts; with check_overlap=True that is a ValueError.
        """
        if type(self) is not type(other):
            raise ValueError(f"Cannot merge type MinHashLSH and type {type(other).__name__}.")
        if (self.h, self.b, self.r) != (other.h, other.b, other.r):
            raise ValueError("Cannot merge MinHashLSH with different initialization parameters.")
        kind = self._kind.with_scheme(other._kind.scheme)
        if check_overlap and self._numbers.keys() & other._numbers.keys():
            raise ValueError("The keys are overlapping, duplicate key exists.")
        if other._numbers:
            kind = kind.with_values(other._kind.width, other._kind.num_bytes)
            self._insert(other._stored.keys(), other._stored.rows(), kind, check_duplication=False)
        self._kind = kind

    def _bands_of(self, key: Hashable) -> list:
        """Returns what stands for each band of a sketch in `hashtables`; nothing where the key is not there."""
        if key not in self._numbers:
            return []
        values = self._stored.row(key).astype(f"u{self._kind.num_bytes}")
        bands = (band.tobytes() for band in values.reshape(self.b, -1).byteswap())
        return list(bands if self.hashfunc is None else map(self.hashfunc, bands))

    def insertion_session(self, buffer_size: int = 50000) -> MinHashLSHInsertionSession:
        """Returns a context with insert()."""
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
        return 0 if self._stored is None else self._stored.nbytes

    @property
    def keys(self) -> Mapping:
        """The bands of each key, a read-only mapping: keys[key][i] is in hashtables[i]; [] where there is no key."""
        return _ReadOnly(self._numbers, self._bands_of)

    @property
    def hashtables(self) -> list[Mapping]:
        """Of each band a read-only mapping from its values to the frozenset of the keys that have them.

        What no key has stands for an empty one. Cost: a look at every sketch, once after each change.
        """
        if self._stored is not None and self._tables[0] != self._stored.version:
            self._tables = (self._stored.version, self._made_tables())
        return list(self._tables[1]) if self._stored is not None else [_table({}) for _ in range(self.b)]

    def _made_tables(self) -> list[Mapping]:
        tables: list[dict] = [{} for _ in range(self.b)]
        for key in self._stored.keys():
            for table, value in zip(tables, self._bands_of(key)):
                table.setdefault(value, []).append(key)
        return [_table({value: frozenset(keys) for value, keys in table.items()}) for table in tables]

    def get_counts(self) -> list[dict[Any, int]]:
        """Returns of each band how many keys have each of its values."""
        return [table.itemcounts() for table in self.hashtables]

    def get_subset_counts(self, *keys: Hashable) -> list[dict[Any, int]]:
        """The same of some keys alone."""
        counts: list[dict[Any, int]] = [{} for _ in range(self.b)]
        for key in dict.fromkeys(keys):
            for count, value in zip(counts, self._bands_of(key)):
                count[value] = count.get(value, 0) + 1
        return counts

    def __contains__(self, key: Hashable) -> bool:
        return key in self._numbers

    def __len__(self) -> int:
        """How many keys there are."""
        return len(self._numbers)

    def __bool__(self) -> bool:
        """True: an index is one that is empty, too, as in datasketch; is_empty() tells."""
        return True

    def __getstate__(self) -> dict:
        state = {name: value for name, value in self.__dict__.items() if not name.startswith("_")}
        stored = None if self._stored is None else (self._stored.keys(), self._stored.rows())
        return state | {"_saved": (tuple(self._kind), stored)}

    def __setstate__(self, state: dict) -> None:
        kind, stored = state.pop("_saved")
        self.__dict__.update(state)
        self._forget()
        self._kind = _Kind(*kind)
        if stored is not None:
            self._insert(*stored, self._kind, check_duplication=False)


def _type_of(row: Any) -> Any:
    """Returns what two arrays have in common that can be put into one without a look at their values."""
    return (row.dtype, row.shape) if isinstance(row, numpy.ndarray) else None


def _whole_values(values: Any, kind: _Kind) -> tuple[_Kind, numpy.ndarray]:
    """Returns the values of sketches, shape (n, num_perm) or (n, num_perm, 2), as uint64, and what they are."""
    if not isinstance(values, numpy.ndarray):
        return kind.with_values(1, 8), whole_numbers(values[0], numpy.uint64, "hash values")[None]
    width, num_bytes = math.prod(values.shape[2:]), values.dtype.itemsize if values.dtype.kind in "iu" else 8
    if len(values):
        kind = kind.with_values(width, num_bytes)
    if values.ndim == 2:
        numbers = whole_numbers(values.ravel(), numpy.uint64, "hash values")
        return kind, numbers.reshape(values.shape)
    if values.dtype.kind not in "iu":
        raise TypeError(f"hash values are whole numbers, not {values.dtype}")
    return kind, values.astype(numpy.uint64)  # of weighted ones the second may be below 0, and stays apart


class _ReadOnly(Mapping):
    """What datasketch has a storage for: what is not there has an empty value."""

    def __init__(self, there: Mapping, value_of: Callable[[Hashable], Any]):
        self._there = there
        self._value_of = value_of

    def __getitem__(self, key: Hashable) -> Any:
        return self._value_of(key)

    def get(self, key: Hashable, default: Any = None) -> Any:
        """Returns the value, also an empty one, and `default` where it is given and the key is not there."""
        return self._value_of(key) if default is None or key in self._there else default

    def __contains__(self, key: Hashable) -> bool:
        return key in self._there

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._there)

    def __len__(self) -> int:
        return len(self._there)

    def size(self) -> int:
        """Returns how many keys there are."""
        return len(self._there)

    def itemcounts(self) -> dict[Any, int]:
        """Returns how many items each value has."""
        return {key: len(value) for key, value in self.items()}


def _table(values: dict[Any, frozenset]) -> _ReadOnly:
    return _ReadOnly(values, lambda value: values.get(value, frozenset()))


class MinHashLSHInsertionSession:
    """Puts sketches into an index, each at once: a query sees them, and what raises leaves those before it."""

    def __init__(self, lsh: MinHashLSH, buffer_size: int):
        self.lsh = lsh
        self.lsh.buffer_size = buffer_size

    def insert(self, key: Hashable, minhash: Any, check_duplication: bool = True) -> None:
        """As MinHashLSH.insert()."""
        self.lsh.insert(key, minhash, check_duplication)

    def close(self) -> None:
        """Nothing waits."""

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

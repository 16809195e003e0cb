"""MinHash as datasketch has it: the sketches of neardup.compat."""

from __future__ import annotations

import functools
import operator
import warnings
from typing import Any, Callable, Iterable, Iterator

import numpy

from neardup import _native
from neardup._options import whole


def whole_numbers(values: Any, dtype: Any, what: str) -> numpy.ndarray:
    """Returns `values`, an array or a sequence, as an array of an unsigned type: nothing is rounded, cut or wrapped.

    Raises ValueError where one does not fit, TypeError where one is no whole number.
    """
    if not isinstance(values, numpy.ndarray) or values.dtype.kind not in "iu":
        values = _indices(values, what)  # each by itself: numpy makes floats of uint64 beside other whole numbers
    elif numpy.can_cast(values.dtype, dtype, "safe"):
        return values.astype(dtype, copy=False)
    limits = numpy.iinfo(dtype)
    if len(values):
        least, greatest = _ends(values)
        if least < 0 or greatest > limits.max:
            raise ValueError(f"{what} out of range for {limits.bits} bits: {least} to {greatest}")
    return numpy.array(values, dtype=dtype)


def _ends(values: numpy.ndarray | list[int]) -> tuple[int, int]:
    return (int(values.min()), int(values.max())) if isinstance(values, numpy.ndarray) else (min(values), max(values))


def _indices(values: Any, what: str) -> list[int]:
    try:
        return [operator.index(value) for value in values]
    except TypeError as error:
        raise TypeError(f"{what} are whole numbers: {error}") from error


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
_BATCHES = (
    (sha1_hash32, _native.sha1_hashes, 32),
    (sha1_hash64, _native.sha1_hashes, 64),
    (xxh3_hash32, _native.xxh3_hashes, 32),
    (xxh3_hash64, _native.xxh3_hashes, 64),
)


def _batch_of(hashfunc: Callable) -> tuple[Callable | None, int]:
    """Returns what hashes a batch, and the bits of a hash; None for any other function, which may be no key of dict."""
    return next(((batch, width) for function, batch, width in _BATCHES if function is hashfunc), (None, 64))


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
        """Returns an array of the scheme's type. Errors: those of whole_numbers()."""
        return whole_numbers(values, self.dtype, what)


_SCHEMES = {
    "affine32": _Scheme(32, numpy.uint32, _native.lower_affine32, True),
    "affine64": _Scheme(64, numpy.uint64, _native.lower_affine64, True),
    "legacy": _Scheme(32, numpy.uint64, _native.lower_legacy, False),
}


class MinHash:
    """A sketch of a set, from which the Jaccard similarity of two sets is estimated; as datasketch.MinHash.

    num_perm: how many values it has; of `hashvalues` where they are given.
    seed: of the permutations; sketches of one seed, size and scheme can be compared.
    hashfunc: from a value to a whole number of as many bits as the scheme has ("legacy" takes 64). sha1_hash32 (the
        default; sha1_hash64 of "affine64") and xxh3_hash32 take bytes and whatever else lies in memory side by side,
        such as bytearray, numbers and rows of numpy, and are hashed natively in batches.
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
        if not 0 < whole(num_perm, "num_perm") <= 1 << 32:
            raise ValueError(f"num_perm is 1 to 2^32, not {num_perm}")
        return numpy.full(num_perm, self._rules.empty, dtype=self._rules.dtype)

    def _numbers(self, values: Any, what: str) -> numpy.ndarray:
        return self._rules.numbers(values, what)

    def _permutations(self, given: Any) -> numpy.ndarray:
        if given is None:
            return self._rules.permutations(self.num_perm, self.seed)
        if len(given) != 2 or any(numpy.shape(each) != (self.num_perm,) for each in given):
            raise ValueError(f"Numbers of hash values and permutations mismatch: they are 2 rows of {self.num_perm}")
        if isinstance(given, numpy.ndarray) and given.dtype == self._rules.dtype:
            made = given
        else:
            made = numpy.array([self._numbers(each, "permutation parameters") for each in given])
        if self._rules.is_affine and not (made[0] & self._rules.dtype(1)).all():
            raise ValueError(f"all `a` permutation parameters must be odd for scheme {self.scheme!r}")
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
        values = self._numbers(self.hashvalues, "hash values").copy()  # who has the old array keeps it
        self._rules.lower(values, *map(numpy.ascontiguousarray, self.permutations), hashes)
        self.hashvalues = values

    def _hashes(self, values: Iterable[Any]) -> numpy.ndarray:
        """Returns uint64 of shape (n,)."""
        batch, width = _batch_of(self.hashfunc)
        limit = numpy.uint64 if self.scheme == "legacy" else self._rules.dtype  # legacy reduces it, as datasketch
        if batch is None:
            return whole_numbers([self.hashfunc(value) for value in values], limit, "hashes").astype(numpy.uint64)
        if width > numpy.iinfo(limit).bits:
            raise ValueError(f"hashfunc makes {width} bits, out of range for scheme {self.scheme!r}")
        hashes = numpy.frombuffer(batch(list(values)), dtype=numpy.uint64)
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
        return numpy.array(self.hashvalues)

    def is_empty(self) -> bool:
        """Returns whether nothing was added."""
        return bool((self.hashvalues == self._rules.empty).all())

    def clear(self) -> None:
        """Forgets all values."""
        self.hashvalues = self._empty(len(self))

    def copy(self) -> MinHash:
        """Returns another one of the same set, of the same class, with whatever else this one has."""
        made = type(self).__new__(type(self))  # a class that is made of this one may be made of other words
        made.__dict__.update(self.__dict__)
        made.hashvalues = self.digest()
        return made

    def __len__(self) -> int:
        """How many values the sketch has."""
        return len(self.hashvalues)

    def __eq__(self, other: object) -> bool:
        return (type(self) is type(other) and (self.scheme, self.seed) == (other.scheme, other.seed)
                and numpy.array_equal(self.hashvalues, other.hashvalues))

    __hash__ = None

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update({"scheme": "legacy", "_gpu_mode": "disable"} | state)  # of datasketch 1, which had neither

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

"""Rows of whole numbers under keys, which are found by their bands: what an index of sketches stands on."""

from __future__ import annotations

from typing import Hashable

import numpy

from neardup import _native

_LEAST_GONE = 1024  # rows whose memory is not asked back


class KeyedBands:
    """Rows of num_bands * band_size numbers, each under a key.

    What raises, or is stopped by Ctrl-C, leaves it as it was. Threads: one at a time.
    """

    def __init__(self, num_bands: int, band_size: int):
        self._shape = (num_bands, band_size)
        self._bands = _native.BandLists(num_bands, band_size)
        self._keys: list[Hashable] = []  # of the numbers of rows
        self.numbers: dict[Hashable, int] = {}  #: of the keys
        self.version = 0  #: another one after each change

    @property
    def row_size(self) -> int:
        """How many numbers a row has."""
        return self._shape[0] * self._shape[1]

    @property
    def nbytes(self) -> int:
        """Bytes of memory that bands and rows take, keys apart."""
        return self._bands.nbytes

    @property
    def is_sparse(self) -> bool:
        """Whether more than half of the rows are gone, so that compacted() pays."""
        return self._bands.num_rows > 2 * len(self.numbers) + _LEAST_GONE

    def insert(self, keys: list, rows: numpy.ndarray) -> None:
        """Puts each row, uint64, under its key, in the place of the one before; of equal keys the last one counts."""
        first = self._bands.num_rows
        made = dict(zip(keys, range(first, first + len(keys))))  # keys that cannot be hashed or compared raise here
        before = {key: self.numbers[key] for key in made if key in self.numbers}
        gone = [*before.values(), *(set(range(first, first + len(keys))) - set(made.values()))]
        self._keys[first:] = keys
        try:
            self.numbers.update(made)
            self._bands.add(rows, gone)
        except BaseException:
            if self._bands.num_rows == first:
                self._restore(made, before)
            raise
        self.version += 1

    def _restore(self, made: dict, before: dict) -> None:
        for key in made:
            if key in before:
                self.numbers[key] = before[key]
            else:
                self.numbers.pop(key, None)

    def erase(self, key: Hashable) -> None:
        """Requires: the key is there."""
        self._bands.erase(self.numbers[key])
        del self.numbers[key]
        self.version += 1

    def find(self, rows: numpy.ndarray) -> list[list[Hashable]]:
        """Returns for each row the keys of those that agree in all numbers of some band, each once, oldest first."""
        offsets, numbers = (numpy.frombuffer(each, dtype=numpy.int64).tolist() for each in self._bands.find(rows))
        keys = [self._keys[number] for number in numbers]
        return [keys[begin:end] for begin, end in zip(offsets, offsets[1:])]

    def row(self, key: Hashable) -> numpy.ndarray:
        """Returns the numbers of a key, uint64. Raises KeyError where it is not there."""
        return numpy.frombuffer(self._bands.rows([self.numbers[key]]), dtype=numpy.uint64)

    def keys(self) -> list[Hashable]:
        """Returns all keys in the order of their rows, oldest first."""
        return sorted(self.numbers, key=self.numbers.__getitem__)

    def rows(self) -> numpy.ndarray:
        """Returns the numbers of keys(), uint64 of shape (n, row_size)."""
        joined = self._bands.rows(sorted(self.numbers.values()))
        return numpy.frombuffer(joined, dtype=numpy.uint64).reshape(-1, self.row_size)

    def compacted(self) -> KeyedBands:
        """Returns the same without what removed rows left. Cost: that of inserting all others."""
        made = KeyedBands(*self._shape)
        made._keys = self.keys()
        made.numbers = {key: number for number, key in enumerate(made._keys)}
        made._bands = self._bands.subset(sorted(self.numbers.values()))
        made.version = self.version + 1
        return made

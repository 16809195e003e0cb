"""mix64 and the digest of a set of matches or pairs, whatever their order: the same as in src/lib.rs."""
import numpy as np


def mix64(x):
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return x ^ x >> np.uint64(31)


def digest(a, b, distance):
    """Returns the sum of mix64(a << 32 | b) ^ distance over all (a, b, distance), modulo 2^64."""
    a, b, distance = (np.asarray(numbers, dtype=np.uint64) for numbers in (a, b, distance))
    return int(np.sum(mix64(a << np.uint64(32) | b) ^ distance, dtype=np.uint64))

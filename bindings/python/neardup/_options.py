"""Parameters that many functions take, as the native part wants them."""

from __future__ import annotations

import numbers
import operator
import os
from typing import Any, Callable, Union

from neardup import _native
from neardup._recipe import Recipe, typed_recipe

_MOST_THREADS = 4096  # as the command line
Progress = Union[None, bool, Callable[[str, int, int, str], Any]]


def whole(value: Any, name: str) -> int:
    """Returns a whole number as int. Raises TypeError that says which parameter is none."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None


def word(value: Any, name: str, example: str) -> str:
    """Returns a str as it is. Raises TypeError that says which parameter is none, and what one is."""
    if isinstance(value, str):
        return value
    raise TypeError(f"{name} is a str such as {example!r}, not {value!r}")


def share_of(value: Any, name: str) -> float:
    """Returns a number as float. Raises TypeError that says which parameter is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is a number from 0 to 1, not {value!r}") from None


def recipe_of(recipe: str | os.PathLike | Recipe, unnamed: str = "default") -> Recipe:
    """Returns the recipe of a name, or of the path of its file, and what is changed of it; a Recipe as it is. Changes
    without a name are those of the recipe called `unnamed`."""
    return recipe if isinstance(recipe, Recipe) else typed_recipe(recipe, unnamed)


def idf_of(idf: str | os.PathLike | None, recipe: Recipe) -> str:
    """Returns the file of the IDF that was named, "" for none. Raises InvalidArgument where two are."""
    given = os.fspath(idf) if idf else ""
    if given and recipe._idf:
        raise _native.InvalidArgument(f"idf is given twice, as {given!r} and in recipe as {recipe._idf!r}: give it once")
    return given or recipe._idf


def matching_of(
    recipe: str | os.PathLike | Recipe = "default",
    family: str = "auto",
    verify: str = "",
    distance: int | None = None,
    idf: str | os.PathLike | None = None,
    commonness: str | os.PathLike | None = None,
    bands: int | None = None,
    templates: bool = False,
) -> _native.Matching:
    """Returns what makes two texts duplicates."""
    named = recipe_of(recipe)
    return _native.Matching(
        recipe=named._complete(),
        family=word(family, "family", "auto"),
        verify=word(verify, "verify", "origin"),
        idf=idf_of(idf, named),
        commonness=os.fspath(commonness) if commonness else "",
        distance=distance_of(distance),
        bands=None if bands is None else min(max(whole(bands, "bands"), -1), 1 << 20),  # what is beyond is refused
        templates=bool(templates),
    )


def distance_of(distance: int | None) -> int | None:
    """Returns the distance that was asked for, None for none."""
    return None if distance is None else min(max(whole(distance, "distance"), -1), 1 << 16)  # what is beyond is refused


def half_or_more(value: float | None, name: str, of: str) -> float:
    """Returns a share that is asked for as the native part takes it: 0 where nothing is asked. Raises InvalidArgument for
    what is none from 0.5 to 1."""
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} is a share of {of} such as 0.8, not {value!r}")
    if not 0.5 <= value <= 1:
        raise _native.InvalidArgument(f"{name} is a share of {of}, from 0.5 to 1, found {value!r}")
    return float(value)


def contained_of(contained: float | None) -> float:
    return half_or_more(contained, "contained", "a text")


def kept_recipe(recipe: str | os.PathLike | Recipe | None, family: str, idf: str | os.PathLike | None) -> Recipe:
    """Returns the recipe of values that are kept: "grams", which learns nothing, where nothing asks for another."""
    unnamed = "default" if family == "minhash" or idf else "grams"
    return recipe_of(unnamed if recipe is None else recipe, unnamed)


def bytes_of(size: int | str) -> int:
    """Returns the bytes of 4_000_000_000, "4G", "500M" (binary multiples, as on the command line)."""
    if isinstance(size, str):
        return _native.bytes_of_size(size)
    try:
        bytes = operator.index(size)
    except TypeError:
        raise TypeError(f'memory is bytes, a whole number, or a str such as "4G", not {size!r}') from None
    if not 0 <= bytes < 1 << 63:
        raise _native.InvalidArgument(f"memory is 0 bytes or more, and less than 2^63, not {bytes}")
    return bytes


def progress_of(progress: Progress) -> Callable[[str, int, int, str], Any] | None:
    """Returns the callable that hears of progress: None for none; True shows tqdm's bars."""
    if progress is None or progress is False:
        return None
    if progress is not True:
        return progress
    from neardup._bars import Bars

    return Bars()


def threads_of(threads: int) -> int:
    """Returns the number of threads; 0 is one for each core."""
    threads = whole(threads, "threads")
    if not 0 <= threads <= _MOST_THREADS:
        raise _native.InvalidArgument(f"threads is 0 to {_MOST_THREADS}, not {threads}")
    return threads

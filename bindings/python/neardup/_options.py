"""Parameters that many functions take, as the native part wants them."""

from __future__ import annotations

import os
from typing import Any, Callable, Union

from neardup import _native
from neardup._recipe import Recipe

Progress = Union[None, bool, Callable[[str, int, int, str], Any]]


def recipe_of(recipe: str | os.PathLike | Recipe) -> Recipe:
    """Returns the recipe of a name, or of the path of its file; a Recipe as it is."""
    return recipe if isinstance(recipe, Recipe) else Recipe(os.fspath(recipe))


def matching_of(
    recipe: str | os.PathLike | Recipe = "default",
    family: str = "auto",
    verify: str = "",
    distance: int | None = None,
    idf: str | os.PathLike | None = None,
    commonness: str | os.PathLike | None = None,
) -> _native.Matching:
    """Returns what makes two texts duplicates."""
    return _native.Matching(
        recipe=recipe_of(recipe)._native,
        family=family,
        verify=verify,
        idf=os.fspath(idf) if idf else "",
        commonness=os.fspath(commonness) if commonness else "",
        distance=distance,
    )


def kept_recipe(family: str, idf: str | os.PathLike | None) -> str:
    """Returns the recipe of values that are kept: "grams", which learns nothing, where nothing asks for another."""
    return "default" if family == "minhash" or idf else "grams"


def bytes_of(size: int | str) -> int:
    """Returns the bytes of 4_000_000_000, "4G", "500M" (binary multiples, as on the command line)."""
    return size if isinstance(size, int) else _native.bytes_of_size(size)


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
    if threads < 0:
        raise _native.InvalidArgument(f"threads is 0 or more, not {threads}")
    return threads

"""explain(): are two texts duplicates, and why? contained(): how much of the one stands in the other?"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from neardup import _native
from neardup._options import matching_of, recipe_of, contained_of
from neardup._warnings import tells_at_end


class Explanation(NamedTuple):
    """What dedup makes of two texts that it is given alone."""

    are_duplicates: bool
    are_equal: bool  #: the texts are equal, but for case, width and white space
    are_candidates: bool  #: whether dedup would look at the two at all
    similarity: float  #: what the rule looks at, 0 to 1
    asked: float  #: from which similarity on it accepts them
    distance: int  #: values or bits that differ
    distance_of: int  #: of so many
    is_contained: bool  #: the shorter one goes for the longer one, which holds it
    held: float | None  #: the share of the shorter one that the longer one holds; None unless contained= asks
    verdict: str
    reasons: list[str]

    def __bool__(self) -> bool:
        return self.are_duplicates

    def __str__(self) -> str:
        return "\n".join([self.verdict, *(f"  {reason}" for reason in self.reasons)])


@tells_at_end
def explain(
    a: str,
    b: str,
    *,
    recipe: Any = "default",
    family: str = "auto",
    verify: str = "",
    templates: bool = False,
    distance: int | None = None,
    bands: int | None = None,
    idf: str | os.PathLike | None = None,
    commonness: str | os.PathLike | None = None,
    contained: float | None = None,
) -> Explanation:
    """Returns whether two texts are duplicates, and why; parameters as in dedup()."""
    matching = matching_of(recipe, family, verify, distance, idf, commonness, bands, templates)
    return Explanation(**_native.compare(a, b, matching, contained_of(contained)))


class Contained(NamedTuple):
    """How much of each of two texts stands in the other, 0 to 1."""

    a_in_b: float
    b_in_a: float


def contained(a: str, b: str, *, recipe: Any = "default") -> Contained:
    """Returns how much of each text stands in the other: the share of its words (of the recipe's tokens) that lie in a
    run of 8 which the other one has, too, one after the other. dedup(contained=...) looks at the same share, and asks
    that one of the two is longer.
    """
    return Contained(*_native.contained(a, b, recipe_of(recipe)._complete()))

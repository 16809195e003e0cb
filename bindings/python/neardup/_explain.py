"""explain(): are two texts duplicates, and why?"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from neardup import _native
from neardup._options import matching_of


class Explanation(NamedTuple):
    """What dedup makes of two texts that it is given alone."""

    are_duplicates: bool
    are_equal: bool  #: the texts are equal, but for case, width and white space
    are_candidates: bool  #: whether dedup would look at the two at all
    similarity: float  #: what the rule looks at, 0 to 1
    asked: float  #: from which similarity on it accepts them
    distance: int  #: values or bits that differ
    distance_of: int  #: of so many
    verdict: str
    reasons: list[str]

    def __bool__(self) -> bool:
        return self.are_duplicates

    def __str__(self) -> str:
        return "\n".join([self.verdict, *(f"  {reason}" for reason in self.reasons)])


def explain(
    a: str,
    b: str,
    *,
    recipe: Any = "default",
    family: str = "auto",
    verify: str = "",
    distance: int | None = None,
    idf: str | os.PathLike | None = None,
    commonness: str | os.PathLike | None = None,
) -> Explanation:
    """Returns whether two texts are duplicates, and why; parameters as in dedup()."""
    return Explanation(**_native.compare(a, b, matching_of(recipe, family, verify, distance, idf, commonness)))

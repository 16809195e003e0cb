"""Recipes: how texts become fingerprints or signatures."""

from __future__ import annotations

from typing import Any

from neardup import _native


class Recipe:
    """All that changes a fingerprint, as one value that does not change.

    Recipe("default"), Recipe("web", mask=["dates"]), Recipe("file.json"). `name` is one of recipe_names() or the path
    of a JSON file; further words change keys of the JSON form (docs/formats/recipe.md). Two results can be compared
    where their recipes have the same `id`.

    Raises NotFound for a name that there is not, InvalidArgument for a key or value that there is not.
    """

    def __init__(self, name: str = "default", **changes: Any):
        native = _native.find_recipe(name)
        if changes:
            import json

            native = _native.recipe_from_json(json.dumps({**json.loads(native.json), "name": "custom", **changes}))
        self._native = native

    @property
    def name(self) -> str:
        """Its name, for people; "custom" where something was changed."""
        return self._native.name

    @property
    def id(self) -> str:
        """12 hexadecimal digits that stand for all that changes a fingerprint."""
        return self._native.id

    @property
    def json(self) -> str:
        """The canonical JSON form: Recipe can read it from a file."""
        return self._native.json

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"Recipe({self.name!r}, id={self.id!r})"

    def __reduce__(self):
        return (_recipe_of_json, (self.json,))


def _recipe_of_json(text: str) -> Recipe:
    recipe = Recipe.__new__(Recipe)
    recipe._native = _native.recipe_from_json(text)
    return recipe


def recipe_names() -> list[str]:
    """Returns the names that Recipe() knows, "default" first."""
    return _native.recipe_names()

"""Recipes: how texts become fingerprints or signatures."""

from __future__ import annotations

import os
from typing import Any

from neardup import _native

_NO_FILES = ("", "", "", [])  # idf, phrases, dictionary, words of the user


class Recipe:
    """All that changes a fingerprint, as one value that does not change.

    Recipe("default"), Recipe("web,mask=dates"), Recipe("web", mask=["dates"]), Recipe("file.json"). `name` is what
    --recipe takes on the command line: one of recipe_names() or the path of a JSON file, and what is changed of it, such
    as "chinese,top_n=20,weight=tfidf,idf=jieba" (`neardup dedup --help-all` lists the keys). Further words change keys
    of the JSON form (docs/formats/recipe.md). Two results can be compared where their recipes have the same `id`.
    Dictionaries, phrases and IDF files that it names are opened where it is used.

    Raises NotFound for a name that there is not, InvalidArgument for a key or value that there is not.
    """

    def __init__(self, name: str = "default", **changes: Any):
        native, self._files = _native.read_recipe(os.fspath(name), "default")
        if changes:
            import json

            native = _native.recipe_from_json(json.dumps({**json.loads(native.json), "name": "custom", **changes}))
        self._native = native
        self._completed: Any = None

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

    def _complete(self) -> _native.NativeRecipe:
        """Returns it with the dictionary and the phrases that it needs."""
        if self._completed is None:
            is_ready = not self._native.needs_dictionary and self._files[1:] == _NO_FILES[1:]
            self._completed = self._native if is_ready else _native.complete_recipe(self._native, self._files, _places())
        return self._completed

    @property
    def _idf(self) -> str:
        """The file that idf=FILE names; "" for none."""
        return self._files[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"Recipe({self.name!r}, id={self.id!r})"

    def __reduce__(self):
        return (_recipe_of_json, (self.json, self._files))


def _recipe_of_json(text: str, files: tuple = _NO_FILES) -> Recipe:
    return _recipe(_native.recipe_from_json(text), files)


def _recipe(native: _native.NativeRecipe, files: tuple) -> Recipe:
    recipe = Recipe.__new__(Recipe)
    recipe._native, recipe._files, recipe._completed = native, tuple(files), None
    return recipe


def typed_recipe(typed: str | os.PathLike, unnamed: str) -> Recipe:
    """Returns the recipe of what was typed; what names none, as "mask=dates", changes the one called `unnamed`."""
    return _recipe(*_native.read_recipe(os.fspath(typed), unnamed))


def _places() -> tuple[list[str], str, str, str]:
    """Returns where jieba may be: the folders of an installed package, the environment, the user's; and the cache."""
    import importlib.util

    package = importlib.util.find_spec("jieba")
    home = os.environ.get("HOME", "")
    cache = os.environ.get("XDG_CACHE_HOME") or (os.path.join(home, ".cache") if home else "")
    folders = list(package.submodule_search_locations or ()) if package else []
    return folders, os.environ.get("VIRTUAL_ENV", ""), home, os.path.join(cache, "neardup") if cache else ""


def recipe_names() -> list[str]:
    """Returns the names that Recipe() knows, "default" first."""
    return _native.recipe_names()

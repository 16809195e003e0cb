"""Recipe and explain()."""
import copy
import json
import pickle

import neardup
import pytest
from conftest import FERRY, FERRY_EDITED, FERRY_LOUD, OTHER


def test_names_and_ids(run):
    assert neardup.recipe_names()[0] == "default" and len(set(neardup.recipe_names())) == len(neardup.recipe_names())
    for name in neardup.recipe_names():
        recipe = neardup.Recipe(name)
        assert recipe.name == name and recipe.id in run("recipes") and len(recipe.id) == 12


def test_pickle_copy_and_equality():
    recipe = neardup.Recipe("web", quotes="all")
    for other in (pickle.loads(pickle.dumps(recipe)), copy.copy(recipe), copy.deepcopy(recipe), neardup.Recipe("web", quotes="all")):
        assert other == recipe and hash(other) == hash(recipe) and other.json == recipe.json
    assert recipe != neardup.Recipe("web") and recipe != "web"
    assert len({recipe, neardup.Recipe("web"), neardup.Recipe("web")}) == 2


def test_file(tmp_path):
    recipe = neardup.Recipe("default", quotes="all")
    (tmp_path / "mine.json").write_text(recipe.json)
    assert neardup.Recipe(str(tmp_path / "mine.json")) == recipe
    assert neardup.dedup([FERRY, FERRY_EDITED], recipe=tmp_path / "mine.json").counts["near"] == 1
    assert neardup.dedup([FERRY, FERRY_EDITED], recipe=recipe).counts["near"] == 1


def test_changes():
    recipe = neardup.Recipe("default", quotes="all")
    assert json.loads(recipe.json)["name"] == "custom" and recipe.id != neardup.Recipe().id
    assert repr(neardup.Recipe()) == f"Recipe('default', id='{neardup.Recipe().id}')"


def test_errors():
    with pytest.raises(neardup.NotFound):
        neardup.Recipe("nonsense")
    with pytest.raises(neardup.InvalidArgument, match="nonsense"):
        neardup.Recipe("default", nonsense=1)
    with pytest.raises(neardup.InvalidArgument):
        neardup.Recipe("default", quotes="nonsense")
    with pytest.raises(AttributeError):
        neardup.Recipe().id = "x"


def test_explain():
    found = neardup.explain(FERRY, FERRY_EDITED)
    assert found and found.are_duplicates and found.are_candidates and not found.are_equal
    assert found.asked <= found.similarity < 1 and 0 < found.distance < found.distance_of == 128
    assert found.verdict in str(found) and len(str(found).splitlines()) == 1 + len(found.reasons)
    assert neardup.explain(FERRY, FERRY_LOUD).are_equal
    assert not neardup.explain(FERRY, OTHER)


def test_explain_words():
    assert neardup.explain(FERRY, FERRY_EDITED, family="simhash", recipe="grams").distance_of == 64
    assert not neardup.explain(FERRY, FERRY_EDITED, verify="jaccard:0.99")
    with pytest.raises(neardup.InvalidArgument):
        neardup.explain(FERRY, OTHER, verify="nonsense")

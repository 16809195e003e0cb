"""Recipe and explain()."""
import copy
import importlib.util
import json
import os
import pathlib
import pickle
import re
import subprocess

import neardup
import numpy
import pytest
from conftest import FERRY, FERRY_EDITED, FERRY_LOUD, LANGUAGES, OTHER, ROOT, rows_of, write_rows

PROGRAM = os.environ.get("NEARDUP_PROGRAM", str(ROOT / "build" / "release" / "neardup"))


def test_names_and_ids(run):
    assert neardup.recipe_names()[0] == "default" and len(set(neardup.recipe_names())) == len(neardup.recipe_names())
    printed = run("recipes")
    for name in neardup.recipe_names():
        recipe = neardup.Recipe(name)
        assert recipe.name == name and recipe.id in printed and len(recipe.id) == 12


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


@pytest.fixture(scope="module")
def chinese(tmp_path_factory):
    rows = [row for row in rows_of(LANGUAGES) if re.search("[\u4e00-\u9fff]", row["text"])][:8]
    assert len(rows) == 8
    return rows, write_rows(tmp_path_factory.mktemp("chinese") / "rows.jsonl", rows)


@pytest.mark.parametrize("text", ["chinese,top_n=20,weight=tfidf,idf=jieba", "top_n=3", "web,mask=dates,urls", "mask=numbers", "jieba,top_n=5,weight=tf"])
def test_is_typed_as_on_the_command_line(run, chinese, text):
    if "jieba" in text and not importlib.util.find_spec("jieba") and not pathlib.Path("/usr/lib/python3/dist-packages/jieba/dict.txt").exists():
        pytest.skip("jieba's dictionary is not there")
    rows, path = chinese
    printed = [line.split("\t")[1] for line in run("fingerprint", path, "--recipe", text).splitlines()]
    found = neardup.fingerprint(rows, recipe=text)
    assert [",".join(f"{value:016x}" for value in numpy.atleast_1d(row)) for row in found] == printed


@pytest.mark.parametrize(
    "text", ["web,mask=dats", "web,maks=dates", "web,top_n=x", "web,top_n=1,top_n=2", "web,weight=", "web,weight=tfdf", "web,fold_han=no",
             "web,dictionary=/nothing", "jieba,dictionary=/nothing", "web,phrases=/nothing", "nothing"]
)
def test_the_messages_are_those_of_the_command_line(text):
    done = subprocess.run([PROGRAM, "fingerprint", "/dev/null", "--recipe", text], capture_output=True, text=True)
    with pytest.raises(neardup.Error) as told:
        neardup.fingerprint(["a text"], recipe=text)
    said = str(told.value)
    assert "--" not in said
    said = said.removeprefix("recipe: ").replace('recipe="jieba"', "--recipe jieba")
    assert said in done.stderr, done.stderr


def test_a_typed_recipe_is_a_value(tmp_path):
    recipe = neardup.Recipe("web,mask=dates")
    assert recipe == neardup.Recipe("web", mask=["dates"]) and recipe.name == "custom"
    assert neardup.Recipe("web,mask=dates", quotes="all") == neardup.Recipe("web", mask=["dates"], quotes="all")
    assert neardup.dedup(["seen on 2 May 2020", "seen on 3 June 2021"], recipe="web,mask=dates").counts["exact"] == 1
    assert neardup.explain("seen on 2 May 2020", "seen on 3 June 2021", recipe="mask=dates").are_equal
    with pytest.raises(neardup.InvalidArgument, match="idf is given twice, as 'a.idf' and in recipe as 'b.idf'"):
        neardup.fingerprint(["a"], recipe="paper,idf=b.idf", idf="a.idf")
    named = neardup.Recipe(f"paper,idf={tmp_path / 'none.idf'}")
    for each in (named, pickle.loads(pickle.dumps(named))):
        with pytest.raises(neardup.NotFound, match="none.idf"):
            neardup.fingerprint(["a"], recipe=each)

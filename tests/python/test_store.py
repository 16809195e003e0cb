"""Store: what lasts."""
import json
import os
import time

import neardup
import pytest
from conftest import FERRY, FERRY_EDITED, FERRY_LOUD, HISTORY, OTHER, lines_of, write_rows


@pytest.fixture
def store(tmp_path):
    with neardup.Store(tmp_path / "store") as store:
        yield store


def test_verdicts_and_reopening(tmp_path):
    with neardup.Store(tmp_path / "store") as store:
        assert store.add("a", FERRY) is None and store.add("b", OTHER) is None
        assert store.add("c", FERRY_EDITED).duplicate_of == "a"
        assert len(store) == 3
    with neardup.Store(tmp_path / "store") as store:
        assert len(store) == 3
        hit = store.add("d", FERRY_LOUD)
        assert (hit.kind, hit.duplicate_of) == ("exact", "a")
        again = store.add("c", FERRY_EDITED)
        assert again.is_repeated and again.duplicate_of == "a"


def test_many(store):
    hits = store.add_many(["a", "b", "c"], [FERRY, OTHER, FERRY_EDITED])
    assert hits[:2] == [None, None] and hits[2].duplicate_of == "a"
    assert store.add_many([], []) == []
    assert store.add_many(iter(["d"]), (text for text in [FERRY_LOUD]))[0].kind == "exact"


def test_check_keeps_nothing(store):
    assert store.check(FERRY) is None and len(store) == 0
    store.add("a", FERRY)
    assert store.check(FERRY_EDITED).duplicate_of == "a" and len(store) == 1


def test_insert_and_query(store):
    store.insert_many(["a", "b", "c"], [FERRY, FERRY_EDITED, OTHER])
    found = store.query(FERRY)
    assert [each.id for each in found] == ["a", "b"] and found[0].is_exact and found[0].similarity == 1
    assert [each.id for each in store.query(FERRY, limit=1)] == ["a"]
    assert store.query("nothing of the kind is in here at all, not a word") == []


def test_contained(tmp_path):
    quote = " ".join(f"word{number}" for number in range(60))
    article = "Of this the paper said: " + quote + " And so on, " + " ".join(f"other{number}" for number in range(80))
    for _ in range(2):  # the second time it is there, and keeps its share
        with neardup.Store(tmp_path / "store", contained=0.8) as store:
            assert store.add("article", article) is None
            hit = store.add("quote", quote)
            assert (hit.kind, hit.duplicate_of, hit.similarity) == ("contained", "article", 1)
    with neardup.Store(tmp_path / "store") as store:
        assert store.check(quote).kind == "contained"
        found = store.query(quote)
        assert [(each.id, each.is_container, each.is_exact) for each in found] == [("article", True, False)]
        assert store.query(article)[0].is_container is False
    with pytest.raises(neardup.InvalidArgument, match="records"):
        neardup.Store(tmp_path / "other", contained=0.8, records="none")


def test_delete(store):
    store.insert_many(["a", "b"], [FERRY, OTHER])
    assert store.delete(["a", "nobody"]) == 1 and store.check(FERRY) is None and len(store) == 1


def test_tags(store):
    assert store.begin_tag("monday")
    assert store.add("a", FERRY, tag="monday") is None
    assert store.add("b", FERRY_EDITED, tag="monday").duplicate_of == "a"
    assert store.check(FERRY) is None
    assert store.commit_tag("monday")
    assert store.check(FERRY).duplicate_of == "a"
    store.begin_tag("tuesday")
    store.add("c", OTHER, tag="tuesday")
    assert store.cancel_tag("tuesday") and store.check(OTHER) is None
    assert store.delete_tag("monday") == 2 and store.check(FERRY) is None


def test_expire(store):
    store.add("a", FERRY)
    assert store.expire(int(time.time()) - 3600) == 0
    assert store.expire(int(time.time()) + 3600) == 1 and len(store) == 0


def test_html(store):
    page = f"<html><head><title>x</title></head><body><nav>Home</nav><article><p>{FERRY}</p></article></body></html>"
    store.add("a", FERRY)
    assert store.add("b", page, html=True).duplicate_of == "a"


def test_the_store_of_the_program(run, tmp_path, history):
    run("index", "create", tmp_path / "store")
    run("index", "add", tmp_path / "store", HISTORY, "-o", tmp_path / "verdicts.jsonl")
    with neardup.Store(tmp_path / "ours") as ours:
        hits = ours.add_many([row["id"] for row in history], [row["text"] for row in history])
    for hit, verdict in zip(hits, lines_of(tmp_path / "verdicts.jsonl"), strict=True):
        assert (hit.duplicate_of if hit else None) == verdict["duplicate_of"]
        assert (round(hit.similarity, 4) if hit else None) == pytest.approx(verdict["similarity"], abs=1e-4)
    with neardup.Store(tmp_path / "store") as theirs:
        assert len(theirs) == len(history) and theirs.check(history[0]["text"]).kind == "exact"


def test_words_of_a_new_store_last(tmp_path):
    neardup.Store(tmp_path / "store", family="simhash", recipe="grams", records="none").close()
    with neardup.Store(tmp_path / "store") as store:
        store.add("a", FERRY)
        assert store.check(FERRY).kind == "exact"


GIVEN = [
    {"recipe": "grams", "family": "simhash", "distance": 5},
    {"recipe": "web", "verify": "origin", "templates": True},
    {"verify": "jaccard:0.7", "records": "signature"},
    {"recipe": neardup.Recipe("web", mask=["dates"]), "keep_texts": True},
    {"contained": 0.8, "commonness": "none"},
    {"recipe": "default", "family": "minhash", "records": "tokens", "keep_texts": False},
    {"keep_texts": 1},
]


@pytest.mark.parametrize("words", GIVEN, ids=lambda words: "-".join(words))
def test_what_a_store_was_made_with_may_be_given_again(tmp_path, words):
    for given in (words, words, {}, *({word: value} for word, value in words.items() if "templates" not in words)):
        with neardup.Store(tmp_path / "store", **given) as store:
            store.add("a", FERRY)
            assert len(store) == 1


@pytest.mark.parametrize(
    "made, given, has, asked",
    [
        ({"recipe": "grams"}, {"recipe": "default"}, "grams", "default"),
        ({}, {"recipe": "web"}, "default", "web"),
        ({}, {"recipe": neardup.Recipe("default", mask=["dates"])}, "default", "custom"),
        ({}, {"family": "simhash"}, "minhash", "simhash"),
        ({"recipe": "grams", "family": "simhash", "distance": 5}, {"distance": 4}, "5", "4"),
        ({}, {"verify": "origin"}, "content", "origin"),
        ({"verify": "origin"}, {"verify": "origin", "templates": True}, "origin", "templates"),
        ({}, {"records": "none"}, "tokens", "none"),
        ({"records": "none"}, {"records": "tokens"}, "none", "tokens"),
        ({"keep_texts": True}, {"keep_texts": False}, "with keep_texts", "leave keep_texts out"),
        ({}, {"contained": 0.8}, "without contained", "0.8"),
        ({"contained": 0.9}, {"contained": 0.8}, "0.9", "0.8"),
    ],
)
def test_another_than_is_there_is_refused(tmp_path, made, given, has, asked):
    neardup.Store(tmp_path / "store", **made).close()
    with pytest.raises(neardup.Mismatch) as told:
        neardup.Store(tmp_path / "store", **given)
    words = str(told.value)
    assert has in words and asked in words and "leave" in words and "--" not in words, words
    with neardup.Store(tmp_path / "store") as store:  # the one that failed has let go of it
        assert len(store) == 0


@pytest.fixture(scope="module")
def idf_of(run, tmp_path_factory):
    """Returns the IDF file of a recipe, learnt from a few texts or from one more."""
    folder = tmp_path_factory.mktemp("idf")

    def learnt(recipe, texts=(FERRY, OTHER)):
        name = folder / f"{recipe}-{len(texts)}.idf"
        if name.exists():
            return name
        rows = [{"id": str(n), "text": text} for n, text in enumerate(texts)]
        run("idf", write_rows(folder / f"{name.name}.jsonl", rows), "--recipe", recipe, "-o", name)
        return name

    return learnt


@pytest.mark.parametrize("recipe", ["web", "default", "paper"])
def test_the_idf_of_a_store_may_be_given_without_its_recipe(tmp_path, idf_of, recipe):
    words = {"recipe": recipe, "idf": idf_of(recipe)}
    for given in (words, {"idf": words["idf"]}, {"recipe": recipe}, {"family": "simhash"}, words):
        with neardup.Store(tmp_path / "store", **given) as store:
            store.add("a", FERRY)
            assert len(store) == 1


@pytest.mark.parametrize("given, expected", [
    ({"idf": "other"}, "has the IDF dictionary {own}, and idf names {other}: leave idf out"),
    ({"idf": "other", "recipe": "web"}, "has the IDF dictionary {own}, and idf names {other}: leave idf out"),
    ({"recipe": "default"}, "has the recipe web (.*), and recipe names default (.*): leave recipe out"),
    ({"recipe": "default", "idf": "own"}, "has the recipe web (.*), and recipe names default (.*): leave recipe out"),
    ({"recipe": "grams"}, "has the recipe web (.*), and recipe names grams (.*): leave recipe out"),
])
def test_another_recipe_or_idf_than_of_a_store_that_has_one(tmp_path, run, idf_of, given, expected):
    files = {"own": idf_of("web"), "other": idf_of("web", (FERRY, OTHER, FERRY_EDITED))}
    neardup.Store(tmp_path / "store", recipe="web", idf=files["own"]).close()
    words = {**given, **({"idf": files[given["idf"]]} if "idf" in given else {})}
    ids = {name: json.loads(run("idf", "info", file, "--json"))["id"] for name, file in files.items()}
    with pytest.raises(neardup.Mismatch, match=expected.format(**ids).replace("(.*)", r"\(.*\)")):
        neardup.Store(tmp_path / "store", **words)


def test_what_a_store_of_minhash_has_not_is_refused(tmp_path, idf_of):
    neardup.Store(tmp_path / "store").close()
    for given, expected in (
        ({"idf": idf_of("default")}, "was made without idf: leave idf out, or choose another store$"),
        ({"idf": idf_of("default"), "recipe": "default"}, "was made without idf: leave idf out"),
        ({"distance": 3}, "has MinHash signatures, and distance counts bits of SimHash fingerprints: leave distance out"),
        ({"contained": 0.8}, "without contained: leave contained out, or make another store with contained 0.8$"),
    ):
        with pytest.raises(neardup.Mismatch, match=expected):
            neardup.Store(tmp_path / "store", **given)
    with pytest.raises(neardup.NotFound):
        neardup.Store(tmp_path / "store", idf="/nowhere")


def test_closed(tmp_path):
    store = neardup.Store(tmp_path / "store")
    store.close()
    store.close()
    for call in (lambda: store.add("a", "b"), lambda: len(store), lambda: store.check("a"), lambda: store.delete(["a"])):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_errors(tmp_path, store):
    with pytest.raises(neardup.InvalidArgument, match="as many ids"):
        store.add_many(["a"], [FERRY, OTHER])
    with pytest.raises(neardup.InvalidArgument, match="row 1"):
        store.add_many(["a", "b"], [FERRY, None])
    assert len(store) == 0
    with pytest.raises(TypeError, match="row 0"):
        store.add("a", 7)
    with pytest.raises(neardup.InvalidArgument, match="records"):
        neardup.Store(tmp_path / "other", records="nonsense")
    assert not os.path.exists(tmp_path / "other") or not os.listdir(tmp_path / "other")
    (tmp_path / "no_store").mkdir()
    (tmp_path / "no_store" / "file").write_text("x")
    with pytest.raises(neardup.Error):
        neardup.Store(tmp_path / "no_store")


def test_places_that_are_no_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(neardup.IoError, match="127.0.0.1:1") as told:
        neardup.Store("redis://:geheim@127.0.0.1:1/seen")  # a port that nobody listens to
    assert "geheim" not in str(told.value)
    with pytest.raises(neardup.Unsupported, match="mysql://"):
        neardup.Store("mysql://host/seen")
    with pytest.raises(neardup.InvalidArgument):
        neardup.Store("redis://127.0.0.1:1")  # no name
    assert os.listdir(tmp_path) == []


def test_open_once(tmp_path, store):
    with pytest.raises(neardup.Error):
        neardup.Store(tmp_path / "store")

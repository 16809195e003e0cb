"""NeardupFilter in a pipeline keeps what a Deduplicator calls new."""
import gzip
import json
import pickle
import re
import shutil

import neardup
import pytest
from conftest import HISTORY, ROOT, TEXTS, rows_of

pytest.importorskip("datatrove")

from datatrove.data import Document  # noqa: E402
from datatrove.executor import LocalPipelineExecutor  # noqa: E402
from datatrove.pipeline.readers import JsonlReader  # noqa: E402
from datatrove.pipeline.writers import JsonlWriter  # noqa: E402
from neardup.datatrove import NeardupFilter  # noqa: E402


def documents(rows):
    return (Document(text=row["text"], id=row["id"]) for row in rows)


def new_ones(rows, **words):
    seen = neardup.Deduplicator(**words)
    return [row["id"] for row in rows if seen.add(row["id"], row["text"]) is None]


@pytest.mark.parametrize("words", [{}, {"family": "simhash", "recipe": "grams"}, {"verify": "none", "batch_size": 1}], ids=str)
def test_what_stays(history, words):
    step = NeardupFilter(**words)
    kept = [doc.id for doc in step.run(documents(history))]
    words.pop("batch_size", None)
    assert kept == new_ones(history, **words) and 0 < len(kept) < len(history)
    assert step.stats["dropped"].total + step.stats["forwarded"].total == len(history)


def test_a_pipeline(tmp_path, history):
    pipeline = [
        JsonlReader(str(HISTORY.parent), glob_pattern=HISTORY.name),
        NeardupFilter(exclusion_writer=JsonlWriter(str(tmp_path / "dropped"), compression=None)),
        JsonlWriter(str(tmp_path / "kept"), compression=None),
    ]
    LocalPipelineExecutor(pipeline, tasks=1, logging_dir=str(tmp_path / "logs")).run()
    kept, dropped = (rows_of(tmp_path / name / "00000.jsonl") for name in ("kept", "dropped"))
    assert [row["id"] for row in kept] == new_ones(history) and len(kept) + len(dropped) == len(history)
    seen = neardup.Deduplicator()
    matches = {row["id"]: seen.add(row["id"], row["text"]) for row in history}
    for row in dropped:
        match, metadata = matches[row["id"]], row["metadata"]
        assert metadata["duplicate_of"] == match.duplicate_of and metadata["filter_reason"] == match.kind
        assert metadata["similarity"] == round(match.similarity, 4)


def test_a_store_remembers(tmp_path, history):
    first = [doc.id for doc in NeardupFilter(store=tmp_path / "seen").run(documents(history[:200]))]
    assert first == new_ones(history[:200])
    again = [doc.id for doc in NeardupFilter(store=tmp_path / "seen").run(documents(history[:200]))]
    assert again == first
    others = [{"id": f"copy of {row['id']}", "text": row["text"]} for row in history[:200]]
    assert list(NeardupFilter(store=tmp_path / "seen").run(documents(others))) == []


def test_the_step_can_be_sent_to_a_worker():
    step = pickle.loads(pickle.dumps(NeardupFilter(verify="origin")))
    rows = [{"id": str(i), "text": text} for i, text in enumerate(TEXTS)]
    assert [doc.id for doc in step.run(documents(rows))] == new_ones(rows, verify="origin")


def test_shards_are_refused():
    with pytest.raises(neardup.InvalidArgument, match="one of 4 shards"):
        next(NeardupFilter().run(iter([]), rank=0, world_size=4))


def test_wrong_words_are_refused():
    """Before anything runs."""
    for store in ({}, {"store": "no/such/folder"}):
        with pytest.raises(TypeError, match="nothing"):
            NeardupFilter(nothing=1, **store)
        with pytest.raises(neardup.NotFound, match="nope"):
            NeardupFilter(recipe="nope", **store)
    with pytest.raises(TypeError, match="records"):
        NeardupFilter(records="none")


def test_documents_may_share_an_id():
    text, other = TEXTS[0], "Another text, which says that from this spring on a library lends spades, shears and a wheelbarrow."
    docs = [Document(text=each, id=id) for each, id in ((text, "u"), (text, "u"), (other, "u"), (text, "v"), (other, 7))]
    for batch_size in (1, 1000):
        step = NeardupFilter(batch_size=batch_size)
        assert [doc.text for doc in step.run(iter(docs))] == [text, other]
    dropped = [doc for doc in docs if "duplicate_of" in doc.metadata]
    assert [doc.metadata["duplicate_of"] for doc in dropped] == ["u", "u", "u"]


def test_odd_documents(tmp_path):
    half = TEXTS[0] + " \ud800"
    for store in (None, tmp_path / "seen"):
        docs = [Document(text=half, id="a\udfff"), Document(text=half, id="b"), Document(text=TEXTS[2], id=5)]
        kept = list(NeardupFilter(store=store).run(iter(docs)))
        assert [doc.id for doc in kept] == ["a\udfff"] and docs[1].metadata["duplicate_of"] == "a\udfff"
        with pytest.raises(TypeError, match="text of document 'x' is NoneType, not str"):
            list(NeardupFilter(store=store).run(iter([Document(text=None, id="x")])))


def test_a_step_outside_of_a_run():
    with pytest.raises(neardup.InvalidArgument, match="while run.. goes on"):
        NeardupFilter().filter(Document(text="a", id="b"))


def test_the_pipeline_of_the_cookbook(tmp_path, monkeypatch, history):
    """As it stands there; twice, since its store lasts."""
    page = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "in").mkdir()
    shutil.copy(HISTORY, tmp_path / "in")
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        exec(compile(code, "docs/cookbook.md", "exec"), {})
        kept, dropped = ([row["id"] for path in (tmp_path / name).iterdir() for row in read(path)] for name in ("kept", "dropped"))
        assert kept == new_ones(history) and len(kept) + len(dropped) == len(history)


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]

"""similar_files() against `neardup similar`."""
import json
import os
import random
import time

import neardup
import pytest

LETTERS = "etaoin shrdlu\n"


def text(size, seed):
    return "".join(random.Random(seed).choices(LETTERS, k=size))


@pytest.fixture
def tree(tmp_path):
    folder = tmp_path / "tree"
    folder.mkdir()
    whole = text(20_000, 1)
    (folder / "whole").write_text(whole)
    (folder / "part").write_text(whole[4_000:9_000])
    (folder / "copy").write_text(whole)
    (folder / "other").write_text(text(20_000, 2))
    (folder / "binary").write_bytes(b"\0" * 100)
    yesterday = time.time() - 86_400
    for path in folder.iterdir():
        os.utime(path, (yesterday, yesterday))
    return folder


def rows_of(found):
    return [{"a": pair.a, "b": pair.b, "a_in_b": round(100 * pair.a_in_b, 1), "b_in_a": round(100 * pair.b_in_a, 1),
             "basis": pair.basis, "a_bytes": pair.a_bytes, "b_bytes": pair.b_bytes} for pair in found.pairs]


@pytest.mark.parametrize("options, flags", [
    ({}, []),
    ({"verify": True, "threshold": 0.1}, ["--verify", "--threshold", "0.1"]),
    ({"select": "sample", "zero_bits": 4}, ["--select", "sample", "--zero-bits", "4"]),
    ({"fold": "code", "common": "ignore", "common_files": 3}, ["--fold", "code", "--common", "ignore",
                                                               "--common-files", "3"]),
])
def test_is_what_the_program_finds(run, tree, options, flags):
    printed = run("similar", tree, *flags, "--output-format", "jsonl", "--progress", "off")
    assert rows_of(neardup.similar_files(tree, **options)) == [json.loads(line) for line in printed.splitlines()]


def test_pairs_groups_and_what_is_left_out(tree):
    found = neardup.similar_files(tree, show=1)
    equal, part = found.pairs
    assert (equal.basis, equal.similarity, equal.passages) == ("equal", 1, ())
    assert os.path.basename(part.b) == "part" and part.b_in_a > 0.98 and abs(part.a_in_b - 0.25) < 0.02
    (passage,) = part.passages
    whole, found_part = (open(path).read()[side.begin:side.end] for path, side in ((part.a, passage.a), (part.b, passage.b)))
    assert abs(passage.a.begin - 4_000) < 3 and abs(passage.a.end - 9_000) < 3 and whole.split() == found_part.split()
    assert [sorted(map(os.path.basename, group)) for group in found.groups] == [["copy", "part", "whole"]]
    assert found.skipped == {str(tree / "binary"): "looks binary"}
    assert found.num_files == len(list(tree.iterdir())) - 1 and len(found) == 2
    assert found.columns()["basis"] == ["equal", "estimate"]
    assert repr(found) == "SimilarFiles(4 files, 2 pairs, 1 groups)"


def test_passages_that_cannot_be_shown_have_a_reason(tmp_path):
    whole = text(4_000_000, 1)  # a 64th of the memory is less
    (tmp_path / "a").write_text(whole)
    (tmp_path / "b").write_text(whole + "x")
    (pair,) = neardup.similar_files(tmp_path, show=1, memory="128M").pairs
    assert pair.passages is None and "raise the limit" in pair.passages_reason
    (pair,) = neardup.similar_files(tmp_path, show=1).pairs
    assert len(pair.passages) == 1 and pair.passages_reason is None


def test_references_and_patterns(tree):
    found = neardup.similar_files([tree / "part"], reference=[tree], exclude="copy")
    assert [os.path.basename(pair.b) for pair in found.pairs] == ["whole"]
    assert not neardup.similar_files(tree, include=["other", "part"]).pairs


def test_an_index_is_kept(tree, tmp_path):
    index = tmp_path / "index"
    first = neardup.similar_files(tree, index=index)
    again = neardup.similar_files(tree, index=index)
    assert first.num_reused == 0 and again.num_reused == again.num_files and again.read_bytes == 0
    assert first.pairs == again.pairs
    with pytest.raises(neardup.Mismatch, match="--window 64"):
        neardup.similar_files(tree, index=index, window=32)
    catalogue = index / "CATALOGUE"
    catalogue.write_bytes(catalogue.read_bytes()[:-1])
    with pytest.raises(neardup.Corruption, match="remove CATALOGUE and fingerprints"):
        neardup.similar_files(tree, index=index)


def test_code_is_folded(tmp_path):
    source = "\n".join(f"def first_{i}(one, two):\n    # adds\n    return one * {i} + two - {i * i}\n" for i in range(9))
    (tmp_path / "a.py").write_text(source)
    (tmp_path / "b.py").write_text(source.replace("one", "x").replace("two", "y").replace("first", "g")
                                   .replace("    # adds\n", ""))
    assert not neardup.similar_files(tmp_path).pairs
    (pair,) = neardup.similar_files(tmp_path, fold="code", verify=True).pairs
    assert pair.similarity == 1


def test_any_name(tmp_path):
    name = os.fsencode(tmp_path) + b"/\xff\n\\"
    for end in (b"1", b"2"):
        with open(name + end, "wb") as file:
            file.write(text(1_000, 3).encode())
    (pair,) = neardup.similar_files([tmp_path]).pairs
    assert os.fsencode(pair.a) == name + b"1" and os.path.exists(pair.b)


def test_what_cannot_be_is_refused(tree):
    with pytest.raises(neardup.NotFound):
        neardup.similar_files(tree / "nowhere")
    for wrong in ({"fold": "text"}, {"select": "all"}, {"common": "x"}, {"threshold": 2.0}, {"window": 0},
                  {"substring": 1 << 40}, {"index": ""}, {"verify": True, "common": "weigh"}):
        with pytest.raises(neardup.InvalidArgument):
            neardup.similar_files(tree, **wrong)
    with pytest.raises(neardup.InvalidArgument):
        neardup.similar_files([])
    with pytest.raises(TypeError):
        neardup.similar_files(7)
    with pytest.raises(TypeError):
        neardup.similar_files(tree, show="3")


def test_progress_is_told_and_stops_the_work(tree):
    stages = []
    neardup.similar_files(tree, progress=lambda stage, done, total, what: stages.append(stage))

    def stop(*told):
        raise KeyError("enough")

    for i in range(3000):
        (tree / f"f{i}").write_text(text(600, i % 50))
    with pytest.raises(KeyError):
        for _ in range(50):
            neardup.similar_files(tree, progress=stop, threads=1)

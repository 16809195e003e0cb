"""One table of errors: src/neardup/base/code_table.h."""
import builtins
import pathlib
import re

import neardup
import pytest
from conftest import ROOT
from neardup import _native


def rows_of_table():
    table = (ROOT / "src" / "neardup" / "base" / "code_table.h").read_text()
    return re.findall(r'\{Code::k\w+, "(\w+)", \w+, \d+, "(\w+)", "(\w+)"\}', table)


def test_the_table_was_read():
    names = re.findall(r"^  k(\w+),", (ROOT / "src" / "neardup" / "base" / "result.h").read_text(), re.M)
    assert len(rows_of_table()) >= 9 and (not names or len(names) == len(rows_of_table()))


@pytest.mark.parametrize("code,name,parent", rows_of_table())
def test_each_code_has_its_exception(code, name, parent):
    exception = getattr(neardup, name)
    assert name in neardup.__all__ and exception.__module__ == "neardup" and exception.code == code
    assert issubclass(exception, neardup.Error) and issubclass(exception, getattr(builtins, parent))


def test_invalid_argument_is_a_value_error():
    with pytest.raises(ValueError, match="family is auto, minhash or simhash"):
        neardup.dedup([], family="nonsense")
    for words in ({"verify": "nonsense"}, {"distance": 99}, {"memory": "much"}, {"threads": -1}, {"keep": ""}):
        with pytest.raises(neardup.InvalidArgument):
            neardup.dedup([], **words)


def test_not_found_is_a_file_not_found_error(tmp_path):
    for words in ({"recipe": "nonsense"}, {"idf": "/nowhere", "family": "simhash"}, {"commonness": "/nowhere"}):
        with pytest.raises(FileNotFoundError) as raised:
            neardup.dedup(["a"], **words)
        assert raised.value.code == "not_found"
    with pytest.raises(neardup.NotFound, match="nowhere"):
        neardup.dedup("/nowhere.jsonl", out=tmp_path / "out")


def test_corruption_is_an_os_error(tmp_path):
    (tmp_path / "commonness.bin").write_bytes(b"nonsense" * 100)
    with pytest.raises(OSError) as raised:
        neardup.dedup(["a"], commonness=tmp_path / "commonness.bin")
    assert isinstance(raised.value, neardup.Corruption)


def test_messages_speak_of_parameters():
    with pytest.raises(neardup.Error) as raised:
        neardup.dedup(["a"], family="minhash", distance=3)
    assert "--" not in str(raised.value) and "distance" in str(raised.value)


def test_unsupported():
    with pytest.raises(NotImplementedError):
        neardup.Deduplicator(recipe="code", verify="code")


def test_too_little_memory():
    with pytest.raises(neardup.InvalidArgument, match="bytes of memory"):
        neardup.dedup(["a"] * 10, memory=1)


def test_the_stub_knows_them():
    stub = (pathlib.Path(_native.__file__).parent / "_native.pyi").read_text()
    for _, name, parent in rows_of_table():
        assert f"class {name}(Error, {parent}):" in stub

"""Long calls: Ctrl-C, progress, threads, fork; and what an import costs."""
import functools
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import warnings

import neardup
import numpy
import pytest
from conftest import FERRY, FERRY_EDITED, OTHER


TRIES = 5


@functools.cache
def many_texts():
    """Returns 9,999 texts of 300 words, each with two that are near: some tenths of a second of the processor for dedup()."""
    words = [f"w{i}" for i in range(5000)]
    random = numpy.random.default_rng(1)
    texts = [" ".join(words[i] for i in random.integers(0, 5000, 300)) for _ in range(3333)]
    return texts + [f"{number} {text}" for number in range(2) for text in texts]


def all_but_one(shares):
    """Returns what all of several tries but one keep to: a busy machine may spoil that one, and what fails now and then is seen."""
    assert len(shares) == TRIES
    return sorted(shares)[-2]


# The signal comes when the call is at work. It is heard there where its threads still run while the handler does: whoever did not
# listen would hear it at the end, when they are gone. How much is done afterwards is told in time of the processor from then on, as
# a share of what a whole call takes: that is work alone, whatever else the machine has to do.
INTERRUPTED = """
import os, signal, sys, threading, time
import neardup
sys.path.insert(0, {folder!r})
from test_running import many_texts
texts = many_texts()
begin = time.process_time()
neardup.dedup(texts, verify={verify!r}, threads=2)
whole = time.process_time() - begin
def threads():
    return len(os.listdir("/proc/self/task"))
def interrupt():
    while threads() <= least:
        time.sleep(0.001)
    begin = time.process_time()
    while time.process_time() < begin + whole / 10:
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)
def hear(*_):
    heard.append((time.process_time(), threads() > least))
    raise KeyboardInterrupt
signal.signal(signal.SIGINT, hear)
least = threads() + 1  # with the one that interrupts
for _ in range({tries}):
    heard = []
    other = threading.Thread(target=interrupt)
    try:
        other.start()
        while True:  # where the machine let a whole call pass before, the signal comes in the next one
            neardup.dedup(texts, verify={verify!r}, threads=2)
    except KeyboardInterrupt:
        end = time.process_time()
        other.join()
        print((end - heard[0][0]) / whole if heard[0][1] and threads() == least - 1 else 9)
"""


def rests_after_ctrl_c(verify):
    """Returns how much of what a whole call takes is done after the signal is heard, of each try; 9 where it was not heard at work."""
    code = INTERRUPTED.format(folder=os.path.dirname(__file__), verify=verify, tries=TRIES)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [float(line) for line in done.stdout.split()]


@pytest.mark.parametrize("verify", ["content", "none"])
def test_ctrl_c_stops(verify):
    assert all_but_one(rests_after_ctrl_c(verify)) < 0.2


def test_progress_is_called_by_the_caller():
    heard = []
    neardup.dedup([f"{OTHER} {i * 7919}" for i in range(20_000)], progress=lambda *words: heard.append((*words, threading.get_ident())))
    assert heard and {each[4] for each in heard} == {threading.get_ident()}
    for stage, done, total, unit, _ in heard:
        assert isinstance(stage, str) and unit and 0 <= done and (total == 0 or done <= total)


def test_a_progress_that_raises_stops_the_work():
    calls = []

    def stop(*_):
        calls.append(time.process_time())
        raise KeyError("enough")

    texts = many_texts()
    begin = time.process_time()
    neardup.dedup(texts)
    whole = time.process_time() - begin
    with pytest.raises(KeyError, match="enough"):
        neardup.dedup(texts, progress=stop)
    # What is done after that, whenever a busy machine lets the first call come.
    assert len(calls) == 1 and time.process_time() - calls[0] < whole / 2
    assert neardup.dedup([FERRY, FERRY_EDITED]).counts["near"] == 1


def test_bars(capsys):
    pytest.importorskip("tqdm")
    neardup.dedup([f"{OTHER} {i * 7919}" for i in range(20_000)], progress=True)
    assert "%" in capsys.readouterr().err


def longest_wait(texts):
    """Returns how long another thread did not come to its turn during a call, at most: as a share of the call, in time of the
    processor."""
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(time.process_time())

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.process_time()
    neardup.dedup(texts)
    end = time.process_time()
    stop.set()
    thread.join()
    return max(numpy.diff([begin, *(at for at in ticks if begin < at < end), end])) / (end - begin)


def test_other_threads_run_meanwhile():
    texts = many_texts()
    assert all_but_one([longest_wait(texts) for _ in range(TRIES)]) < 0.3


def test_calls_at_once():
    results = {}

    def call(number):
        results[number] = neardup.dedup([FERRY, OTHER, FERRY_EDITED] * (number + 1)).counts["kept"]

    threads = [threading.Thread(target=call, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == dict.fromkeys(range(6), 2)


def test_fork_after_use(tmp_path):
    assert neardup.dedup([FERRY, FERRY_EDITED]).counts["near"] == 1
    index = neardup.Index(neardup.fingerprint([FERRY, OTHER]))
    seen = neardup.Deduplicator()
    seen.add("a", FERRY)
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        fine = (
            neardup.dedup([FERRY, OTHER, FERRY_EDITED]).kept == [FERRY, OTHER]
            and index.query(neardup.fingerprint([FERRY]))[0][0] == (0, 0)
            and seen.add("b", FERRY_EDITED).duplicate_of == "a"
        )
        os._exit(0 if fine else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_multiprocessing_by_fork():
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map(neardup.fingerprint, [[FERRY], [OTHER], [FERRY]])
    assert (found[0] == found[2]).all() and (found[0] != found[1]).any()


# What Python's own modules of types and tables bring: all that an import may take of the standard library.
LIGHT = "__future__, array, atexit, collections.abc, contextvars, datetime, functools, itertools, numbers, operator, os, typing, weakref"
IMPORTED = f"""
import sys
import {LIGHT}
before, calls = set(sys.modules), 0
def count(frame, event, _):
    global calls
    calls += event == "call" and "importlib" not in frame.f_code.co_filename
sys.setprofile(count)
import neardup
sys.setprofile(None)
print(calls, *sorted(set(sys.modules) - before))
"""


def test_import_is_quick():
    """By what it does, which is the same on every machine: it takes nothing of the standard library that costs time, none of its
    own modules that only some need, and runs few functions."""
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True)
    calls, *modules = done.stdout.split()
    own = {name for name in modules if name.partition(".")[0] == "neardup"}
    assert set(modules) == own and len(own) < 25
    assert not [name for name in own if "spark" in name or name.rpartition(".")[2] in ("compat", "datatrove", "polars", "_bars")]
    assert int(calls) < 2000


def test_import_takes_no_other_library():
    code = """
import sys
import neardup
neardup.dedup(["a b c", "d e f"]).duplicates
neardup.Deduplicator().add("a", "b")
print(sorted({"numpy", "pandas", "pyarrow", "polars", "datasets", "tqdm", "nanobind"} & set(sys.modules)))
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_warnings_are_pythons():
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        neardup.dedup([FERRY, FERRY_EDITED])
        neardup.dedup([FERRY] * 40)
    assert all(each.category is neardup.DedupWarning and "--" not in str(each.message) for each in heard)
    assert issubclass(neardup.DedupWarning, UserWarning) and len(heard) >= 1
    assert {each.filename for each in heard} == {__file__}  # the line that called


def test_warnings_that_are_errors_lose_no_result(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps({"id": "same", "text": f"{FERRY} {i // 2}"}) + "\n" for i in range(40)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(neardup.DedupWarning) as told:
            neardup.dedup([FERRY] * 40)
        assert told.value.result.kept == [FERRY] and len(told.value.result.duplicates) == 39
        with pytest.raises(neardup.DedupWarning) as told:
            neardup.dedup(str(path), out=tmp_path / "out")
        assert told.value.result["read"] == 40 and (tmp_path / "out/report.json").exists()
        with pytest.raises(neardup.DedupWarning, match="rejected") as told:
            neardup.evaluate([{"id": i, "cluster": i // 2, "text": f"{FERRY} {i // 2}" if i else None} for i in range(40)], cluster="cluster")
        assert told.value.result.settings
    neardup.dedup([FERRY, OTHER])  # nothing of them is left for the next call


def test_warnings_that_are_errors_are_all_told():
    """One error has them all, for it comes alone; those that are none come one by one."""
    rows = [{"id": "1", "text": FERRY}] + [{"id": None, "text": FERRY}] * 39
    with pytest.warns(neardup.DedupWarning) as heard:
        neardup.dedup(rows)
    texts = [str(each.message) for each in heard]
    assert len(texts) == 2 and "have no id" in texts[1], texts
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(neardup.DedupWarning) as told:
            neardup.dedup(rows)
        assert told.value.messages == texts and str(told.value) == "\n".join(texts) and len(told.value.result.duplicates) == 39
        warnings.filterwarnings("always", message=re.escape(texts[0]))
        with pytest.warns(neardup.DedupWarning) as heard, pytest.raises(neardup.DedupWarning) as told:
            warnings.filterwarnings("error", message=re.escape(texts[1]))
            neardup.dedup(rows)
        assert [str(each.message) for each in heard] == texts[:1] and told.value.messages == texts[1:]
    assert pickle.loads(pickle.dumps(neardup.DedupWarning("one", "two"))).messages == ["one", "two"]


def test_nothing_leaks():
    code = f"""
import gc, neardup
from neardup import _native
texts = [{FERRY!r} + str(i) for i in range(2000)]
def rss():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
for _ in range(3):
    neardup.dedup(texts)
before = rss()
for _ in range(20):
    neardup.dedup(texts)
assert rss() - before < 8e6, rss() - before
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and "leaked" not in done.stderr, done.stderr


def test_what_the_command_line_warns_of_is_a_warning(tmp_path):
    rows = [{"id": "same", "text": f"{FERRY} {i} {i * 7} {'abcdefgh'[i % 8] * 9}"} for i in range(40)]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.warns(UserWarning) as told:
        neardup.dedup(str(path), out=tmp_path / "out")
    told = [str(warning.message) for warning in told]
    report = json.loads((tmp_path / "out/report.json").read_text())
    assert len(told) == len(report["warnings"]) > 0
    assert any("have the id of an earlier document" in message for message in told), told
    with pytest.warns(UserWarning, match="90 % was removed|were removed"):
        neardup.dedup([FERRY] * 40)

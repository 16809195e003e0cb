"""Long calls: Ctrl-C, progress, threads, fork; and what an import costs."""
import json
import os
import signal
import subprocess
import sys
import threading
import time

import neardup
import numpy
import pytest
from conftest import FERRY, FERRY_EDITED, OTHER


def many_texts():
    """Returns 90,000 texts of 300 words, each with two that are near: a second and more of the processor for dedup()."""
    words = [f"w{i}" for i in range(5000)]
    random = numpy.random.default_rng(1)
    texts = [" ".join(words[i] for i in random.integers(0, 5000, 300)) for _ in range(30_000)]
    return texts + [f"{number} {text}" for number in range(2) for text in texts]


# In time of the processor, which others that are at work do not change: how much of what a whole call takes it goes on after
# the signal, which comes when a tenth of it is done. Whoever did not hear it would go on to the end.
INTERRUPTED = """
import os, signal, sys, threading, time
import neardup
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job in the background ignores it
sys.path.insert(0, {folder!r})
from test_running import many_texts
texts = many_texts()
begin = time.process_time()
neardup.dedup(texts, verify={verify!r}, threads=2)
whole = time.process_time() - begin
def interrupt():
    global sent
    begin = time.process_time()
    while time.process_time() < begin + whole / 10:
        time.sleep(0.001)
    sent = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
try:
    threading.Thread(target=interrupt).start()
    while True:  # where the machine let a whole call pass before, the signal comes in the next one
        neardup.dedup(texts, verify={verify!r}, threads=2)
except KeyboardInterrupt:
    print((time.process_time() - sent) / whole)
"""


def rest_after_ctrl_c(verify):
    """Returns how much of what a whole call takes is done after the signal."""
    code = INTERRUPTED.format(folder=os.path.dirname(__file__), verify=verify)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


@pytest.mark.parametrize("verify", ["content", "none"])
def test_ctrl_c_stops(verify):
    assert any(rest_after_ctrl_c(verify) < 0.2 for _ in range(5))  # a busy machine may let the main thread wait


def test_progress_is_called_by_the_caller():
    heard = []
    neardup.dedup([f"{OTHER} {i * 7919}" for i in range(20_000)], progress=lambda *words: heard.append((*words, threading.get_ident())))
    assert heard and {each[4] for each in heard} == {threading.get_ident()}
    for stage, done, total, unit, _ in heard:
        assert isinstance(stage, str) and unit and 0 <= done and (total == 0 or done <= total)


def test_a_progress_that_raises_stops_the_work():
    calls = []

    def stop(*_):
        calls.append(1)
        raise KeyError("enough")

    texts = many_texts()
    begin = time.process_time()
    neardup.dedup(texts)
    whole, begin = time.process_time() - begin, time.process_time()
    with pytest.raises(KeyError, match="enough"):
        neardup.dedup(texts, progress=stop)
    assert len(calls) == 1 and time.process_time() - begin < whole / 2
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
    assert any(longest_wait(texts) < 0.3 for _ in range(5))  # a busy machine may let the other one wait


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


def seconds_of_import(module):
    code = f"import time; begin = time.process_time(); import {module}; print(time.process_time() - begin)"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def test_import_is_quick():
    """50 ms; on a slow or busy machine, where those stretch, no longer than a package of the standard library takes."""
    times = [(seconds_of_import("neardup"), seconds_of_import("asyncio")) for _ in range(7)]
    ours, theirs = map(min, zip(*times))
    assert ours < max(0.05, theirs)


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
    import warnings

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        neardup.dedup([FERRY, FERRY_EDITED])
    assert all(issubclass(each.category, UserWarning) and "--" not in str(each.message) for each in heard)


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

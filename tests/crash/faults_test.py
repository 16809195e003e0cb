#!/usr/bin/env python3
"""Runs `neardup dedup` and kills it, fills its disk, takes its memory: promises 4 and 5, from outside.

Usage: faults_test.py NEARDUP SIGNAL_SHIM [unittest options]
"""
import fcntl, gzip, json, os, random, resource, shutil, signal, string, subprocess, sys, unittest

from results import results
from signals import Signals, of_two_threads, temporary_folder

NEARDUP, SIGNALS = os.path.abspath(sys.argv.pop(1)), Signals(sys.argv.pop(1))
WORDS = [a + b + c for a in ("ba", "ko", "ri", "tu", "ne") for b in ("sol", "mar", "vi", "den") for c in ("pra", "lo", "gis", "")]


def write_corpus(path, count, words, seed=1):
    rng = random.Random(seed)
    originals = []
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "wt", encoding="utf8") as f:
        for i in range(count):
            if originals and rng.random() < 0.4:
                text = list(rng.choice(originals))
                for _ in range(rng.randrange(5)):
                    text[rng.randrange(len(text))] = rng.choice(WORDS)
            else:
                text = [rng.choice(WORDS) + str(rng.randrange(50)) for _ in range(words)]
                originals.append(text)
                originals = originals[-200:]
            f.write(json.dumps({"id": f"d{i}", "text": " ".join(text)}) + "\n")


class Faults(unittest.TestCase):
    def setUp(self):
        self.wanted = ["--pairs"]
        self.folder = temporary_folder(prefix="neardup-faults-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, out, *more):
        return [NEARDUP, "dedup", self.path("in"), "-o", self.path(out), *self.wanted, "--progress", "json", *of_two_threads(more)]

    def run_whole(self, out, *more, **options):
        return subprocess.run(self.command(out, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def assert_same(self, one, other, when=""):
        """Both folders hold the same results; names those that differ."""
        a, b = results(one), results(other)
        self.assertEqual([name for name in sorted({*a, *b}) if a.get(name) != b.get(name)], [], when)

    def make_input(self, count=6000, words=120):
        os.mkdir(self.path("in"))
        write_corpus(self.path("in/a.jsonl"), count, words, 1)
        write_corpus(self.path("in/b.jsonl.gz"), count // 4, words, 2)

    def test_kill_and_resume_gives_the_same_bytes(self):
        self.make_input()

        def run(environment):
            done = self.run_whole("whole", env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)

        changes = SIGNALS.count(self.path("whole"), run)
        self.assertIn("kept/a.jsonl", results(self.path("whole")))
        self.assertGreater(changes, 50)
        for i in range(12):
            self.kill_and_resume(int(changes * (i + 0.5) / 12), self.path("killed"), "killed")

    def kill_and_resume(self, n, under, out):
        """Kills a run after its n-th change of `under` and goes on: as if it had not been killed. Returns what was there."""
        killed = self.run_whole(out, env=SIGNALS.after(n, signal.SIGKILL, under))
        self.assertEqual(killed.returncode, -signal.SIGKILL, killed.stderr)
        left = os.listdir(self.path(out)) if os.path.exists(self.path(out)) else []
        again = self.run_whole(out, "--resume")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assert_same(self.path(out), self.path("whole"), f"killed after change {n} of {under}")
        shutil.rmtree(self.path(out))
        return left

    def test_kill_while_results_move_to_their_place(self):
        """After each result that came there, with pairs and without."""
        self.make_input()
        for self.wanted in (["--pairs"], []):
            self.assertEqual(self.run_whole("whole").returncode, 0)
            whole = sorted(name for name in os.listdir(self.path("whole")) if name != ".neardup")
            self.assertEqual("pairs.jsonl" in whole, bool(self.wanted))
            there = [self.kill_and_resume(1, self.path("out/" + name), "out") for name in whole]
            for name, left in zip(whole, there):
                self.assertIn(name, left)
            self.assertEqual(sorted(len(left) for left in there), list(range(2, len(whole) + 2)))  # .neardup too
            shutil.rmtree(self.path("whole"))

    def test_interrupt_ends_cleanly_and_says_how_to_go_on(self):
        self.make_input()
        stopped = self.run_whole("out", env=SIGNALS.after(1, signal.SIGINT, self.path("out/.neardup/part-0-of-1")))
        self.assertEqual(stopped.returncode, 130, stopped.stderr)
        self.assertIn("--resume", stopped.stderr)
        self.assertFalse(os.path.exists(self.path("out/kept")))
        self.assertEqual(self.run_whole("out", "--resume").returncode, 0)

    def test_a_full_disk_is_told_and_survived(self):
        self.make_input()
        self.assertEqual(self.run_whole("whole").returncode, 0)

        def limit_file_size(size):
            def prepare():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            return prepare

        for size in (100_000, 1_000_000, 3_000_000):
            out = f"full{size}"
            full = self.run_whole(out, preexec_fn=limit_file_size(size))
            self.assertEqual(full.returncode, 2, full.stderr)
            self.assertIn("free some space", full.stderr)
            for name in ("kept", "duplicates.jsonl", "report.json"):
                self.assertFalse(os.path.exists(self.path(f"{out}/{name}")), "half-written results were published")
            again = self.run_whole(out, "--resume")
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assert_same(self.path(out), self.path("whole"))

    def test_damaged_work_files_are_noticed(self):
        self.make_input()
        part = self.path("out/.neardup/part-0-of-1")
        written = 3  # the file is made and cut before
        stopped = self.run_whole("out", env=SIGNALS.after(written, signal.SIGINT, part + "/rows.bin"))
        self.assertEqual(stopped.returncode, 130, stopped.stderr)
        with open(part + "/rows.bin", "r+b") as f:
            size = f.seek(0, os.SEEK_END)
            self.assertGreater(size, 0)
            f.seek(size // 2)
            byte = f.read(1)
            f.seek(size // 2)
            f.write(bytes([byte[0] ^ 1]))
        again = self.run_whole("out", "--resume")
        self.assertEqual(again.returncode, 2)
        self.assertIn("rows.bin", again.stderr)
        self.assertIn("--overwrite", again.stderr)
        self.assertEqual(self.run_whole("out", "--overwrite").returncode, 0)

    def test_memory_is_a_limit(self):
        self.make_input(count=60000, words=150)
        for limit, more in (("64M", []), ("96M", ["--threads", "1"])):
            out = "memory" + limit
            done = self.run_whole(out, "--memory", limit, *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(self.path(out + "/report.json"), encoding="utf8") as f:
                peak = json.load(f)["run"]["peak_memory_bytes"]
            self.assertGreater(peak, 0)
            self.assertLessEqual(peak, int(limit[:-1]) << 20, f"--memory {limit}")
        self.assert_same(self.path("memory64M"), self.path("memory96M"))

    def test_memory_is_a_limit_for_long_records(self):
        """One that fits, of the words that take most; its equal, compressed; and one that is too long for it."""
        os.makedirs(self.path("in"))
        letters = " ".join(random.Random(1).choices(string.ascii_lowercase, k=375000))
        for name, opener in (("a.jsonl", open), ("b.jsonl.gz", gzip.open)):
            with opener(self.path("in/" + name), "wt", encoding="utf8") as f:
                for number, text in enumerate(("a few words", letters, "x " * 20000000, letters + " q", "more words")):
                    f.write(json.dumps({"id": f"{name}{number}", "text": text}) + "\n")
        for limit, *more in (("64M", "--threads", "4"), ("64M", "--threads", "1", "--overwrite")):
            done = self.run_whole("out", "--memory", limit, *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(self.path("out/report.json"), encoding="utf8") as f:
                report = json.load(f)
            self.assertEqual(report["total"]["rejected"], 2)
            self.assertGreater(report["run"]["peak_memory_bytes"], 0)
            self.assertLessEqual(report["run"]["peak_memory_bytes"], 64 << 20, more)

    def test_two_runs_in_one_folder(self):
        self.make_input(count=200)
        lock, part = self.path("out/.neardup/lock"), self.path("out/.neardup/part-0-of-2")
        os.makedirs(os.path.dirname(lock))

        def run_beside(locked, how, *more):
            with open(locked, "w", encoding="utf8") as held:
                fcntl.flock(held, how)
                return self.run_whole("out", *more)

        # The second shard beside the first one; then whom each lock of another process keeps out, held in which way.
        beside = run_beside(lock, fcntl.LOCK_SH, "--shard", "1/2")
        self.assertEqual(beside.returncode, 0, beside.stderr)
        os.makedirs(part)
        for locked, how, *more in [(lock, fcntl.LOCK_EX, "--overwrite"), (lock, fcntl.LOCK_SH, "--overwrite"),
                                   (lock, fcntl.LOCK_EX, "--shard", "0/2"), (part + "/lock", fcntl.LOCK_EX, "--shard", "0/2")]:
            kept_out = run_beside(locked, how, *more)
            self.assertEqual(kept_out.returncode, 2, f"{locked} {more}: {kept_out.stderr}")
            self.assertIn(f"'{locked}' is locked: another process", kept_out.stderr)
            self.assertFalse(os.path.exists(self.path("out/kept")))
        # Another run may replace this one, but not while one of its shards is at work.
        written = self.path("out/.neardup/part-1-of-2")
        before = sorted(os.listdir(written))
        replaced = run_beside(written + "/lock", fcntl.LOCK_EX, "--shard", "0/2", "--overwrite", "--recipe", "grams")
        self.assertEqual(replaced.returncode, 2, replaced.stderr)
        self.assertIn(f"'{written}' is being written by another process", replaced.stderr)
        self.assertEqual(sorted(os.listdir(written)), before)
        for more in (["--shard", "0/2"], ["--merge-shards", "2"]):
            free = self.run_whole("out", *more)
            self.assertEqual(free.returncode, 0, free.stderr)
        self.assertTrue(os.path.exists(self.path("out/kept")))


if __name__ == "__main__":
    unittest.main()

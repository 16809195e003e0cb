#!/usr/bin/env python3
"""Runs `neardup dedup` and kills it, fills its disk, takes its memory: promises 4 and 5, from outside.

Usage: faults_test.py NEARDUP [unittest options]
"""
import filecmp, gzip, json, os, random, resource, shutil, signal, subprocess, sys, tempfile, time, unittest

NEARDUP = os.path.abspath(sys.argv.pop(1))
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


def results(folder):
    found = {}
    for root, folders, files in os.walk(folder):
        folders[:] = [d for d in folders if d != ".neardup"]
        for name in files:
            if not name.startswith("report."):
                with open(os.path.join(root, name), "rb") as f:
                    found[os.path.relpath(os.path.join(root, name), folder)] = f.read()
    return found


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="neardup-faults-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, out, *more):
        return [NEARDUP, "dedup", self.path("in"), "-o", self.path(out), "--pairs", "--progress", "json", *more]

    def run_whole(self, out, *more, **options):
        return subprocess.run(self.command(out, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def make_input(self, count=6000, words=120):
        os.mkdir(self.path("in"))
        write_corpus(self.path("in/a.jsonl"), count, words, 1)
        write_corpus(self.path("in/b.jsonl.gz"), count // 4, words, 2)

    def test_kill_and_resume_gives_the_same_bytes(self):
        self.make_input()
        start = time.time()
        done = self.run_whole("whole")
        seconds = time.time() - start
        self.assertEqual(done.returncode, 0, done.stderr)
        expected = results(self.path("whole"))
        self.assertIn("kept/a.jsonl", expected)
        kills = 0
        for i in range(12):
            out = f"killed{i}"
            process = subprocess.Popen(self.command(out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(seconds * (i + 0.5) / 12)
            process.send_signal(signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
            again = self.run_whole(out, "--resume")
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertEqual(results(self.path(out)), expected, f"killed after {i}/12 of the time")
            shutil.rmtree(self.path(out))
        self.assertGreater(kills, 3, "the runs ended before they could be killed")

    def test_interrupt_ends_cleanly_and_says_how_to_go_on(self):
        self.make_input()
        process = subprocess.Popen(self.command("out"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while not os.path.exists(self.path("out/.neardup/part-0-of-1")):
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("--resume", errors)
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
            self.assertEqual(results(self.path(out)), results(self.path("whole")))

    def test_damaged_work_files_are_noticed(self):
        self.make_input()
        process = subprocess.Popen(self.command("out"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        part = self.path("out/.neardup/part-0-of-1")
        while not os.path.exists(part + "/tokens.bin") or os.path.getsize(part + "/tokens.bin") == 0:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        process.wait()
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
            self.assertLessEqual(peak, int(limit[:-1]) << 20, f"--memory {limit}")
        self.assertEqual(results(self.path("memory64M")), results(self.path("memory96M")))

    def test_two_runs_in_one_folder(self):
        self.make_input()
        first = subprocess.Popen(self.command("out"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(self.path("out/.neardup/part-0-of-1")):
            time.sleep(0.001)
        second = self.run_whole("out", "--overwrite")
        if first.poll() is None:
            self.assertEqual(second.returncode, 2)
            self.assertIn("another process", second.stderr)
        self.assertEqual(first.wait(), 0)


if __name__ == "__main__":
    unittest.main()

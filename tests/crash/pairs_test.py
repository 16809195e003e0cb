#!/usr/bin/env python3
"""Kills `neardup pairs --work` and starts it again, starts two of them at once, and takes memory from all.

Usage: pairs_test.py NEARDUP [unittest options]
"""
import os, random, resource, shutil, signal, struct, subprocess, sys, tempfile, time, unittest

NEARDUP = os.path.abspath(sys.argv.pop(1))


def write_raw(path, count, seed):
    """Random numbers, every 300th of them near one of a hundred that all files share."""
    rng = random.Random(seed)
    centres = [random.Random(7 + i).getrandbits(64) for i in range(100)]
    numbers = bytearray(rng.randbytes(8 * count))
    for i in range(0, count, 300):
        near = rng.choice(centres) ^ (1 << rng.randrange(64)) ^ (1 << rng.randrange(64))
        struct.pack_into("<Q", numbers, 8 * i, near)
    with open(path, "wb") as f:
        f.write(numbers)


class PairsFaults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="neardup-pairs-faults-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, files, out, *more):
        return [NEARDUP, "pairs", *[self.path(f) for f in files], "--raw", "--work", self.path("work"), "-o", self.path(out),
                "--memory", "16M", *more]

    def run_whole(self, *command):
        return subprocess.run(self.command(*command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def done(self, *command):
        start = time.time()
        result = self.run_whole(*command)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(os.listdir(self.path("work")), [])
        return time.time() - start

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def left(self):
        """Returns the files in the work folder."""
        return {os.path.join(root, name) for root, _, names in os.walk(self.path("work/neardup-pairs")) for name in names}

    def kill_when(self, is_there, *command, pause=0.002):
        """Kills a run as soon as `is_there()`; returns False where it ended before."""
        process = subprocess.Popen(self.command(*command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not is_there():
            time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL

    def test_killed_anywhere_and_again_gives_the_same_bytes(self):
        write_raw(self.path("a"), 400_000, 1)
        write_raw(self.path("b"), 200_000, 2)
        for files in (["a"], ["a", "b"]):
            seconds = self.done(files, "whole", "--distance", "5")
            self.assertGreater(len(self.read("whole")), 1000)
            kills = 0
            for i in range(5):
                until = time.time() + seconds * (i + 0.5) / 5
                kills += self.kill_when(lambda: time.time() > until, files, "out", "--distance", "5")
                self.done(files, "out", "--distance", "5")
                self.assertEqual(self.read("out"), self.read("whole"), f"{files} killed after {i}/5 of the time")
                os.remove(self.path("out"))
            self.assertGreater(kills, 0, "the runs ended before they could be killed")

    def test_killed_while_it_removes_its_files(self):
        """The pairs are there already; what is left of the folder is not gone on with."""
        write_raw(self.path("a"), 400_000, 1)
        self.done(["a"], "whole", "--distance", "5")
        some_gone = lambda: os.path.exists(self.path("work/neardup-pairs/done"))
        kills = 0
        for _ in range(12):
            kills += self.kill_when(some_gone, ["a"], "out", "--distance", "5", pause=0)
            self.done(["a"], "out", "--distance", "5")
            self.assertEqual(self.read("out"), self.read("whole"))
            os.remove(self.path("out"))
            if kills == 2:
                return
        self.assertGreater(kills, 0, "the runs ended before they could be killed")

    def test_a_stream_goes_on_and_does_not_begin_again(self):
        """Each run is killed when it has saved one more step: beginning again, they would never end."""
        write_raw(self.path("small"), 100_000, 1)
        count, seconds = 1_000_000, 0
        while seconds < 4:  # it saves a step a second: long enough for some on any machine
            count *= 2
            write_raw(self.path("large"), count, 2)
            seconds = self.done(["small", "large"], "whole", "--distance", "12", "--threads", "1")
        for files in (["small", "large"], ["large", "small"]):
            self.done(files, "whole", "--distance", "12", "--threads", "1")
            self.assertGreater(len(self.read("whole")), 1000)
            steps, positions = self.path("work/neardup-pairs/column-0/stream-steps"), [0]

            def one_more():
                if os.path.exists(steps):
                    with open(steps, encoding="utf8") as f:
                        position = int(f.read().split()[0])
                    if position > positions[-1]:
                        positions.append(position)
                        return True
                return False

            while self.kill_when(one_more, files, "out", "--distance", "12", "--threads", "1"):
                self.assertLess(len(positions), seconds + 20)
            self.assertGreater(len(positions), 2, f"the join of {seconds} s ended before it could be killed")
            self.assertEqual(self.read("out"), self.read("whole"))
            self.assertEqual(os.listdir(self.path("work")), [])
            os.remove(self.path("out"))

    def test_two_at_once_are_kept_apart(self):
        for name, count, seed in (("a", 400_000, 1), ("b", 400_000, 2), ("small", 1000, 3)):
            write_raw(self.path(name), count, seed)
        self.done(["a"], "whole", "--distance", "5")
        first = subprocess.Popen(self.command(["a"], "first", "--distance", "5"), stderr=subprocess.PIPE, text=True)
        self.addCleanup(first.kill)
        while not os.path.exists(self.path("work/neardup-pairs/run")):
            self.assertIsNone(first.poll(), "the run ended before the second could begin")
            time.sleep(0.001)
        first.send_signal(signal.SIGSTOP)
        before = self.left()
        for files in (["a"], ["b"], ["small", "b"]):
            second = self.run_whole(files, "second", "--distance", "5")
            self.assertEqual(second.returncode, 2, second.stderr)
            self.assertIn(f"{self.path('work/neardup-pairs/lock')}' is locked", second.stderr)
            self.assertIn("choose another folder", second.stderr)
            self.assertEqual(self.left(), before)
        first.send_signal(signal.SIGCONT)
        _, errors = first.communicate()
        self.assertEqual(first.returncode, 0, errors)
        self.assertEqual(self.read("first"), self.read("whole"))

    def test_a_stopped_run_is_not_taken_for_another(self):
        for name, count, seed in (("a", 400_000, 1), ("small", 1000, 3)):
            write_raw(self.path(name), count, seed)
        claimed = lambda: os.path.exists(self.path("work/neardup-pairs/run"))
        self.assertTrue(self.kill_when(claimed, ["a"], "out", "--distance", "5"))
        before = self.left()
        for files, distance in ((["a"], "4"), (["small"], "5"), (["small", "a"], "5")):
            other = self.run_whole(files, "other", "--distance", distance)
            self.assertEqual(other.returncode, 2, other.stderr)
            self.assertIn("holds a stopped run of something else", other.stderr)
            self.assertEqual(self.left(), before)
        self.done(["a"], "out", "--distance", "5")

    def test_half_written_files_of_killed_runs_do_not_pile_up(self):
        write_raw(self.path("a"), 400_000, 1)
        claimed = lambda: os.path.exists(self.path("work/neardup-pairs/run"))
        self.assertTrue(self.kill_when(claimed, ["a"], "out"))
        stray = self.path("work/neardup-pairs/column-0/pairs-0-0-0.tmp1-0")
        os.makedirs(os.path.dirname(stray), exist_ok=True)
        with open(stray, "w", encoding="utf8") as f:
            f.write("half")
        self.assertTrue(self.kill_when(lambda: not os.path.exists(stray), ["a"], "out"))


class Memory(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="neardup-memory-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def test_no_memory_is_told(self):
        """The system gives no more: exit 2 with a cure, wherever it happens."""
        prints = os.path.join(self.folder, "prints.tsv")
        rng = random.Random(5)
        with open(prints, "w", encoding="utf8") as f:
            f.writelines(f"document-{i}\t{rng.getrandbits(64):016x}\n" for i in range(600_000))
        refused = 0
        for number, (megabytes, action) in enumerate(
                (m, a) for m in (30, 40, 60, 90, 130, 180) for a in ("create", "pairs", "clusters")):
            index = os.path.join(self.folder, f"index-{number}")
            command = {"create": ["index", "create", index, prints], "pairs": ["pairs", prints, "--distance", "3"],
                       "clusters": ["pairs", prints, "--clusters", "star"]}[action]
            limit = (megabytes << 20,) * 2
            for threads in ("1", "3"):
                shutil.rmtree(index, ignore_errors=True)
                result = subprocess.run([NEARDUP, *command, "--threads", threads], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True,
                                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
                if result.returncode == 127:
                    continue  # the program itself could not be loaded
                self.assertIn(result.returncode, (0, 2), f"{command} {threads} with {megabytes}M: {result.stderr}")
                if result.returncode == 2:
                    refused += 1
                    self.assertRegex(result.stderr, "memory|thread", command)
        self.assertGreater(refused, 4)


if __name__ == "__main__":
    unittest.main()

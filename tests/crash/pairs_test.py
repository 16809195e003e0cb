#!/usr/bin/env python3
"""Kills `neardup pairs --work` and starts it again, starts two of them at once, and takes memory from all.

Usage: pairs_test.py NEARDUP SIGNAL_SHIM [unittest options]
"""
import os, random, resource, shutil, signal, struct, subprocess, sys, unittest

from signals import Signals, of_two_threads, temporary_folder, wait_until_stopped

NEARDUP, SIGNALS = os.path.abspath(sys.argv.pop(1)), Signals(sys.argv.pop(1))


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
        self.folder = temporary_folder(prefix="neardup-pairs-faults-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, files, out, *more):
        return [NEARDUP, "pairs", *[self.path(f) for f in files], "--raw", "--work", self.path("work"), "-o", self.path(out),
                "--memory", "16M", *of_two_threads(more)]

    def run_whole(self, *command, **options):
        return subprocess.run(self.command(*command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def done(self, *command, **options):
        result = self.run_whole(*command, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(os.listdir(self.path("work")), [])

    def changes(self, *command):
        """Runs to the end; returns how often it changed files of the work folder."""
        return SIGNALS.count(self.path("work"), lambda environment: self.done(*command, env=environment))

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def left(self):
        """Returns the files in the work folder."""
        return {os.path.join(root, name) for root, _, names in os.walk(self.path("work/neardup-pairs")) for name in names}

    def killed(self, n, under, *command):
        """Kills a run after its n-th change of `under`; returns False where it ended before."""
        result = self.run_whole(*command, env=SIGNALS.after(n, signal.SIGKILL, self.path(under)))
        self.assertIn(result.returncode, (0, -signal.SIGKILL), result.stderr)
        return result.returncode != 0

    def test_killed_anywhere_and_again_gives_the_same_bytes(self):
        write_raw(self.path("a"), 400_000, 1)
        write_raw(self.path("b"), 200_000, 2)
        for files in (["a"], ["a", "b"]):
            changes = self.changes(files, "whole", "--distance", "5")
            self.assertGreater(len(self.read("whole")), 1000)
            for i in range(5):
                n = int(changes * (i + 0.5) / 5)
                self.assertTrue(self.killed(n, "work", files, "out", "--distance", "5"), f"{n} of {changes}")
                self.done(files, "out", "--distance", "5")
                self.assertEqual(self.read("out"), self.read("whole"), f"{files} killed after {n} of {changes} changes")
                os.remove(self.path("out"))

    def test_killed_while_it_removes_its_files(self):
        """The pairs are there already; what is left of the folder is not gone on with."""
        write_raw(self.path("a"), 400_000, 1)
        changes = self.changes(["a"], "whole", "--distance", "5")
        removing = 0
        for n in range(changes, 0, -1):
            killed = self.killed(n, "work", ["a"], "out", "--distance", "5")
            is_done = os.path.exists(self.path("work/neardup-pairs/done"))
            self.done(["a"], "out", "--distance", "5")
            self.assertEqual(self.read("out"), self.read("whole"))
            os.remove(self.path("out"))
            removing += killed and is_done
            if removing > 0 and not is_done:
                break
        self.assertGreater(removing, 1)

    def test_a_stream_goes_on_and_does_not_begin_again(self):
        """Each run is killed when it has saved one more step: a run that began again would save what was there before."""
        write_raw(self.path("small"), 100_000, 1)
        count = 2_000_000
        write_raw(self.path("large"), count, 2)
        for files in (["small", "large"], ["large", "small"]):
            while self.steps_until_done(files, count) < 2:  # it saves one a second: too few on so fast a machine
                count *= 2
                self.assertLess(count, 1 << 28)
                write_raw(self.path("large"), count, 2)

    def steps_until_done(self, files, count):
        """Kills a join after each step that it saves, until it is done; returns how many steps were not the last."""
        options = ("--distance", "12", "--threads", "1")
        self.done(files, "whole", *options)
        self.assertGreater(len(self.read("whole")), 1000)
        steps, positions = "work/neardup-pairs/column-0/stream-steps", [0]
        while positions[-1] < count:
            self.assertTrue(self.killed(1, steps, files, "out", *options))
            with open(self.path(steps), encoding="utf8") as f:
                positions.append(int(f.read().split()[0]))
            self.assertGreater(positions[-1], positions[-2])
        self.done(files, "out", *options)
        self.assertEqual(self.read("out"), self.read("whole"))
        os.remove(self.path("out"))
        return len(positions) - 2

    def test_two_at_once_are_kept_apart(self):
        for name, count, seed in (("a", 400_000, 1), ("b", 400_000, 2), ("small", 1000, 3)):
            write_raw(self.path(name), count, seed)
        self.done(["a"], "whole", "--distance", "5")
        claimed = SIGNALS.after(1, signal.SIGSTOP, self.path("work/neardup-pairs/run"))
        first = subprocess.Popen(self.command(["a"], "first", "--distance", "5"), stderr=subprocess.PIPE, text=True, env=claimed)
        self.addCleanup(first.kill)
        wait_until_stopped(first)
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
        self.assertTrue(self.killed(1, "work/neardup-pairs/run", ["a"], "out", "--distance", "5"))
        before = self.left()
        for files, distance in ((["a"], "4"), (["small"], "5"), (["small", "a"], "5")):
            other = self.run_whole(files, "other", "--distance", distance)
            self.assertEqual(other.returncode, 2, other.stderr)
            self.assertIn("holds a stopped run of something else", other.stderr)
            self.assertEqual(self.left(), before)
        self.done(["a"], "out", "--distance", "5")

    def test_half_written_files_of_killed_runs_do_not_pile_up(self):
        write_raw(self.path("a"), 400_000, 1)
        self.assertTrue(self.killed(1, "work/neardup-pairs/run", ["a"], "out"))
        stray = "work/neardup-pairs/column-0/pairs-0-0-0.tmp1-0"
        os.makedirs(self.path(os.path.dirname(stray)), exist_ok=True)
        with open(self.path(stray), "w", encoding="utf8") as f:
            f.write("half")
        self.assertTrue(self.killed(1, stray, ["a"], "out"))
        self.assertFalse(os.path.exists(self.path(stray)))


class Memory(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(prefix="neardup-memory-")
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

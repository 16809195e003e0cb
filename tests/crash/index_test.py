#!/usr/bin/env python3
"""Kills `neardup index` while it adds, deletes and compacts: each action has happened wholly or not at all, and the index
is in order. Also a full disk, and readers beside a writer.

Usage: index_test.py NEARDUP SIGNAL_SHIM [unittest options]
"""
import os, random, resource, shutil, signal, subprocess, sys, unittest

from signals import Signals, temporary_folder, wait_until_stopped

NEARDUP, SIGNALS = os.path.abspath(sys.argv.pop(1)), Signals(sys.argv.pop(1))


def write_prints(path, ids, seed):
    rng = random.Random(seed)
    with open(path, "w", encoding="utf8") as f:
        for i in ids:
            f.write(f"d{i}\t{rng.getrandbits(64):016x}\n")


class IndexFaults(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(prefix="neardup-index-faults-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def index(self, action, *more, **options):
        return subprocess.run([NEARDUP, "index", action, self.path("index"), *more], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, **options)

    def done(self, action, *more):
        result = self.index(action, *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def content(self):
        """Returns the ids that are found by their own fingerprints; the index must be in order."""
        self.done("check")
        found = set()
        for name in ("a.tsv", "b.tsv"):
            for line in self.done("query", self.path(name), "--distance", "0").splitlines():
                query, match, _ = line.split("\t")
                if query == match:
                    found.add((name, match))
        return found

    def signalled(self, number, n, action, *more):
        """Runs the action; it is sent a signal after its n-th change of the index. Returns how it ended."""
        return self.index(action, *more, env=SIGNALS.after(n, number, self.path("index"))).returncode

    def changes(self, action, *more):
        """Runs the action to its end; returns how often it changed files of the index."""
        def run(environment):
            result = self.index(action, *more, env=environment)
            self.assertEqual(result.returncode, 0, result.stderr)

        return SIGNALS.count(self.path("index"), run)

    def fresh(self):
        shutil.rmtree(self.path("index"), ignore_errors=True)
        shutil.copytree(self.path("start"), self.path("index"))

    def strays(self):
        return [name for name in os.listdir(self.path("index")) if ".tmp" in name]

    def make_start(self, count=15000):
        write_prints(self.path("a.tsv"), range(count), 1)
        write_prints(self.path("b.tsv"), range(count // 2, count * 2), 2)
        with open(self.path("ids"), "w", encoding="utf8") as f:
            f.writelines(f"d{i}\n" for i in range(0, count, 3))
        self.done("create", self.path("a.tsv"))
        os.rename(self.path("index"), self.path("start"))

    def each_action(self):
        """Of each that changes an index: its arguments, how many changes it makes, and what is found before and after."""
        self.make_start(4000)
        for action in (["add", self.path("b.tsv")], ["delete", "--ids", self.path("ids")], ["compact"]):
            self.fresh()
            before = self.content()
            changes = self.changes(*action)
            yield action, changes, before, self.content()

    def test_killed_actions_happened_wholly_or_not_at_all(self):
        for action, changes, before, after in self.each_action():
            happened = []
            for n in range(1, changes + 1):
                self.fresh()
                self.assertEqual(self.signalled(signal.SIGKILL, n, *action), -signal.SIGKILL, f"{action} {n}")
                content = self.content()
                self.assertIn(content, (before, after), f"{action} killed after {n} of {changes} changes")
                happened.append(content == after)
                self.done(*action)
                self.assertEqual(self.content(), after)
                self.assertEqual(self.strays(), [])
            self.assertEqual(happened, sorted(happened), f"what had happened is gone after a later kill: {action}")
            self.assertTrue(happened[-1])

    def test_a_killed_create_made_an_index_or_none(self):
        write_prints(self.path("a.tsv"), range(4000), 1)
        shutil.copy(self.path("a.tsv"), self.path("b.tsv"))
        changes = self.changes("create", self.path("a.tsv"))
        after = self.content()
        for n in range(1, changes + 1):
            shutil.rmtree(self.path("index"), ignore_errors=True)
            self.assertEqual(self.signalled(signal.SIGKILL, n, "create", self.path("a.tsv")), -signal.SIGKILL)
            if self.index("info").returncode != 0:  # none: the same command makes it
                self.assertLess(n, changes)
                self.done("create", self.path("a.tsv"))
            self.assertEqual(self.content(), after)
            self.assertEqual(self.strays(), [])

    def test_a_create_that_fails_leaves_nothing(self):
        write_prints(self.path("a.tsv"), range(10), 1)
        shutil.copy(self.path("a.tsv"), self.path("b.tsv"))
        with open(self.path("bad.tsv"), "w", encoding="utf8") as f:
            f.write("d1\tno fingerprint\n")
        self.assertEqual(self.index("create", self.path("a.tsv"), self.path("bad.tsv")).returncode, 2)
        self.assertFalse(os.path.exists(self.path("index")))
        self.done("create", self.path("a.tsv"))
        self.assertEqual(len(self.content()), 20)
        os.mkdir(self.path("other"))
        shutil.copy(self.path("a.tsv"), self.path("other"))
        os.rename(self.path("index"), self.path("made"))
        os.rename(self.path("other"), self.path("index"))
        self.assertNotEqual(self.index("create").returncode, 0)
        self.assertEqual(os.listdir(self.path("index")), ["a.tsv"])

    def test_a_stopped_action_changes_nothing(self):
        """Stopped before its files come to their place it ends; later it is done. compact has one file to write here."""
        for action, changes, before, after in self.each_action():
            statuses = []
            for n in range(1, changes + 1):
                self.fresh()
                statuses.append(self.signalled(signal.SIGINT, n, *action))
                self.assertEqual(self.content(), after if statuses[-1] == 0 else before, f"{action} stopped after {n} of {changes}")
                self.assertEqual(self.strays(), [])
            stopped = statuses.count(130)
            self.assertEqual(statuses, [130] * stopped + [0] * (changes - stopped))
            self.assertGreaterEqual(stopped, 1 if action == ["compact"] else changes // 3, action)

    def test_a_full_disk_is_told_and_changes_nothing(self):
        self.make_start()
        self.fresh()
        before = self.content()

        def limit_file_size():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        full = self.index("add", self.path("b.tsv"), preexec_fn=limit_file_size)
        self.assertEqual(full.returncode, 2, full.stderr)
        self.assertIn("free some space", full.stderr)
        self.assertEqual(self.content(), before)
        self.done("add", self.path("b.tsv"))
        self.assertNotEqual(self.content(), before)

    def test_a_store_on_a_full_disk_is_read(self):
        """Opening it needs no room; what changes it says that there is none."""
        texts = self.path("texts.jsonl")
        with open(texts, "w", encoding="utf8") as f:
            f.writelines(f'{{"id":"t{i}","text":"{" ".join(f"w{i * k}" for k in range(40))}"}}\n' for i in range(1, 20))
        self.done("create", texts)

        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

        for action in (["query", texts], ["info"], ["check"]):
            full = self.index(*action, preexec_fn=no_room)
            self.assertEqual(full.returncode, 0, full.stderr)
            self.assertEqual(full.stdout.splitlines()[:1], self.done(*action).splitlines()[:1])
        full = self.index("add", texts, preexec_fn=no_room)
        self.assertEqual(full.returncode, 2, full.stderr)
        self.assertIn("free some space", full.stderr)
        self.done("add", texts)

    def test_readers_beside_a_writer_see_one_state(self):
        """After each change of its files; and there is one writer."""
        self.make_start(3000)
        self.fresh()
        replaced, added = self.path("a.tsv"), self.path("b.tsv")  # b has other fingerprints of half of what a has
        before = [self.done("query", name) for name in (replaced, added)]
        changes = self.changes("add", added)
        after = [self.done("query", name) for name in (replaced, added)]
        self.assertNotEqual(before, after)
        for n in range(1, changes + 1):
            self.fresh()
            writer = subprocess.Popen([NEARDUP, "index", "add", self.path("index"), added], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL, env=SIGNALS.after(n, signal.SIGSTOP, self.path("index")))
            self.addCleanup(writer.kill)
            wait_until_stopped(writer)
            seen = [self.done("query", name) for name in (replaced, added)]
            self.assertIn(seen, (before, after), f"beside a writer after {n} of {changes} changes")
            if n == changes // 2:
                refused = self.index("compact")
                self.assertEqual(refused.returncode, 2)
                self.assertIn("another process is changing this index", refused.stderr)
            writer.send_signal(signal.SIGCONT)
            self.assertEqual(writer.wait(60), 0)
            self.assertEqual([self.done("query", name) for name in (replaced, added)], after)


if __name__ == "__main__":
    unittest.main()

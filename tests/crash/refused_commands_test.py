#!/usr/bin/env python3
"""Runs commands while the n-th piece of memory is refused: each says so and ends with 2, and the same command after it gives what is right.

Usage: refused_commands_test.py NEARDUP FAULT_SHIM [unittest options]

The check refuses some of those that are asked for behind what every command asks for at its start, each three times as far behind as the
one before; with NEARDUP_REFUSED_STEP (make torture) every so many-th of all is, of more commands.
"""
import gzip, json, os, random, shutil, subprocess, sys, unittest

import reading_test  # takes the two programs off the arguments
from reading_test import FaultCase
from results import results

LARGE = 4096  # bytes
STEP = int(os.environ.get("NEARDUP_REFUSED_STEP", "0"))
MODES = ((LARGE, False), (0, False), (0, True))  # least bytes; whether all later ones are refused, too
MOST_CALLS = 2_000_000
SECONDS = 60  # far more than any takes: one that waits for ever fails


def places(n, step, growth):
    """Which pieces behind the n-th are refused."""
    while n + step < MOST_CALLS:
        n += step
        yield n
        step *= growth


def words(source, count):
    return " ".join("".join(source.choice("abcdefghij") for _ in range(source.randrange(3, 9))) for _ in range(count))


def write_pages(folder):
    source = random.Random(1)
    os.makedirs(folder)
    base = [words(source, 150).split() for _ in range(3)]
    for i in range(9):
        text = list(base[i % 3])
        text[i * 3] = "changed"
        rows = "".join(f"<tr><td>{k}</td></tr>" for k in range(60))
        parts = "".join(f"<p>{' '.join(text[k:k + 30])}</p>" for k in range(0, 150, 30))
        with open(f"{folder}/{i}.html", "w", encoding="cp1251" if i == 8 else "utf8") as f:
            f.write(f"<html><body><h1>{'Заголовок' * (i == 8)}</h1>{parts}<table>{rows}</table></body></html>")


class RefusedCommands(FaultCase):
    def neardup(self, arguments, n=0, least_bytes=0, lasts=False):
        """Returns the run, and whether a piece was refused in it."""
        if os.path.exists(self.mark):
            os.remove(self.mark)
        fault = {"LD_PRELOAD": reading_test.SHIM, "FAULT_CALL": "alloc", "FAULT_ERRNO": "12", "FAULT_N": str(n),
                 "FAULT_BYTES": str(least_bytes), "FAULT_MARK": self.mark, **({"FAULT_LASTS": "1"} if lasts else {})}
        done = subprocess.run([reading_test.NEARDUP, *arguments], capture_output=True, env={**os.environ, **(fault if n else {})},
                              timeout=SECONDS)
        return done, os.path.exists(self.mark)

    def places(self, least_bytes):
        if STEP:
            return places(0, 1 if least_bytes else STEP, 1)
        return places(self.num_at_start(least_bytes), 2 if least_bytes else 64, 3)

    def num_at_start(self, least_bytes, found={}):
        """How many every command asks for before it does anything, or a few less: what help asks for, which has the flags of all."""
        if least_bytes not in found:
            most = 1
            while self.neardup(["help"], most, least_bytes)[1]:
                most *= 2
            least = most // 2
            while most - least > max(1, least // 256):
                n = (least + most) // 2
                least, most = (n, most) if self.neardup(["help"], n, least_bytes)[1] else (least, n)
            found[least_bytes] = max(1, least)
        return found[least_bytes]

    def refuse_each(self, begin, arguments, outcome, again=None):
        """`begin()` makes what the command finds; outcome(run) is what it gave; again(): the arguments after a refusal."""
        begin()
        whole, _ = self.neardup(arguments)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        expected = outcome(whole)
        for least_bytes, lasts in MODES if STEP else MODES[:2]:
            num_told = 0
            for n in self.places(least_bytes):
                begin()
                done, was_refused = self.neardup(arguments, n, least_bytes, lasts)
                if not was_refused:
                    break
                where = f"piece {n} of {least_bytes} bytes is refused: {done.stderr.decode()}"
                self.assertIn(done.returncode, (0, 2), where)
                if done.returncode == 2:
                    num_told += 1
                    self.assertRegex(done.stderr.decode(), "memory|ulimit", where)
                    done, _ = self.neardup(again() if again else arguments)
                    self.assertEqual(done.returncode, 0, where + done.stderr.decode())
                self.assertEqual(outcome(done), expected, where)
            self.assertGreater(num_told, 0)

    def forget(self, *names):
        for name in names:
            shutil.rmtree(self.path(name), ignore_errors=True)
            if os.path.isfile(self.path(name)):
                os.remove(self.path(name))

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def write_lines(self):
        source = random.Random(2)
        lines = [words(source, 8) for _ in range(300)]
        with open(self.path("lines.txt"), "w", encoding="utf8") as f:
            f.writelines(source.choice(lines) + "\n" for _ in range(2000))
        with gzip.open(self.path("more.txt.gz"), "wt", encoding="utf8") as f:
            f.writelines(source.choice(lines).upper() + "\n" for _ in range(500))

    def refuse_lines(self, *flags):
        self.write_lines()
        self.refuse_each(lambda: self.forget("kept"), ["lines", self.path("lines.txt"), self.path("more.txt.gz"), "-o", self.path("kept"),
                                                       "--threads", "2", "--progress", "off", *flags], lambda _: self.read("kept"))

    def test_lines(self):
        self.refuse_lines()

    @unittest.skipUnless(STEP, "make torture")
    def test_lines_ignore_case(self):
        self.refuse_lines("--ignore-case")

    @unittest.skipUnless(STEP, "make torture")
    def test_lines_sorted(self):
        self.refuse_lines("--order", "sorted")

    def test_similar(self):
        arguments = ["similar", self.path("in"), "--threads", "2", "--progress", "off"]
        self.refuse_each(lambda: None, arguments, lambda done: done.stdout)

    def test_similar_index(self):
        """The index is as before, or has what is new."""
        self.neardup(["similar", self.path("in/deep"), "--index", self.path("before"), "--progress", "off"])

        def begin():
            self.forget("index")
            shutil.copytree(self.path("before"), self.path("index"))
        arguments = ["similar", self.path("in"), "--index", self.path("index"), "--threads", "2", "--progress", "off"]
        self.refuse_each(begin, arguments, lambda done: done.stdout)

    def test_dedup_pages(self):
        write_pages(self.path("pages"))
        arguments = ["dedup", self.path("pages"), "-o", self.path("out"), "--threads", "1", "--progress", "off"]
        self.refuse_each(lambda: self.forget("out"), arguments, lambda _: results(self.path("out")), lambda: [*arguments, "--resume"])

    def test_dedup_pairs(self):
        arguments = ["dedup", self.path("in"), "-o", self.path("out"), "--pairs", "--family", "simhash", "--threads", "2", "--progress", "off"]
        self.refuse_each(lambda: self.forget("out"), arguments, lambda _: results(self.path("out")), lambda: [*arguments, "--resume"])

    def test_text_of_unknown_encoding(self):
        """ICU's detector frees what it has not made where it is refused memory: it gets some of a reserve."""
        write_pages(self.path("pages"))
        arguments = ["text", self.path("pages/8.html")]
        whole, _ = self.neardup(arguments)
        for n in range(self.num_at_start(0), MOST_CALLS, 40):
            done, was_refused = self.neardup(arguments, n)
            if not was_refused:
                break
            self.assertIn(done.returncode, (0, 2), n)
            if done.returncode == 0:
                self.assertEqual(done.stdout, whole.stdout, n)
        self.assertGreater(n, self.num_at_start(0) + 400)

    def exported(self):
        done, _ = self.neardup(["index", "export", self.path("store")])
        self.assertEqual(done.returncode, 0, done.stderr)
        check, _ = self.neardup(["index", "check", self.path("store")])
        self.assertEqual(check.returncode, 0, check.stderr)
        return sorted(json.dumps({k: v for k, v in json.loads(line).items() if k not in ("number", "time")}, sort_keys=True)
                      for line in done.stdout.splitlines())

    def test_index_add(self):
        """What was added before the refusal is there, and the same command again adds the rest."""
        self.neardup(["index", "create", self.path("before"), self.path("in/a.jsonl")])

        def begin():
            self.forget("store")
            shutil.copytree(self.path("before"), self.path("store"))
        arguments = ["index", "add", self.path("store"), self.path("in/b.jsonl.gz"), self.path("in/c.json"), "--threads", "2"]
        self.refuse_each(begin, arguments, lambda _: self.exported())

    def test_index_create(self):
        """There is a store, to which the rest is added, or what was begun is no hindrance."""
        def again():
            there, _ = self.neardup(["index", "info", self.path("store")])
            return ["index", "create" if there.returncode else "add", *rest]
        rest = [self.path("store"), self.path("in/a.jsonl"), "--threads", "2"]
        self.refuse_each(lambda: self.forget("store"), ["index", "create", *rest], lambda _: self.exported(), again)


if __name__ == "__main__":
    unittest.main()

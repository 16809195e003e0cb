#!/usr/bin/env python3
"""Runs `neardup lines` and stops it, fills its disk, and measures its memory.

Usage: lines_test.py NEARDUP [unittest options]
"""
import gzip, os, random, resource, shutil, signal, subprocess, sys, tempfile, time, unittest

NEARDUP = os.path.abspath(sys.argv.pop(1))


def write_lines(path, count, seed=1):
    """Lines of some 60 bytes, a third of them repetitions; returns what is to be left."""
    rng = random.Random(seed)
    seen = set()
    expected = []
    with open(path, "w") as f:
        for i in range(count):
            k = rng.randrange(i + 1) if rng.random() < 0.4 else i
            line = f"{k * 2654435761 % 2**32:08x} a line that is one of very many, number {k}\n"
            f.write(line)
            if k not in seen:
                seen.add(k)
                expected.append(line)
    return "".join(expected)


def peak_memory(pid):
    """The most that the process has held; unlike getrusage, not what its parent held before it."""
    try:
        with open(f"/proc/{pid}/status") as f:
            return max((int(line.split()[1]) << 10 for line in f if line.startswith("VmHWM")), default=0)
    except (FileNotFoundError, ProcessLookupError):
        return 0


class Lines(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="neardup-lines-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        os.mkdir(self.path("tmp"))
        self.environment = {**os.environ, "TMPDIR": self.path("tmp")}

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, *more):
        return [NEARDUP, "lines", self.path("in"), "-o", self.path("out"), *more]

    def assert_nothing_left(self):
        self.assertEqual(sorted(os.listdir(self.folder)), ["in", "tmp"])
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_interrupt_leaves_nothing(self):
        os.mkfifo(self.path("in"))
        process = subprocess.Popen(self.command("--count"), stderr=subprocess.PIPE, text=True, env=self.environment)
        with open(self.path("in"), "w") as pipe:
            pipe.write("a\nb\n" * 100_000)
            pipe.flush()
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assert_nothing_left()

    def test_a_reader_that_leaves_ends_it_quietly(self):
        write_lines(self.path("in"), 600_000)
        for more in (["--count"], ["--memory", "32M"], ["--order", "sorted"]):
            with open(self.path("in"), "rb") as lines:
                process = subprocess.Popen([NEARDUP, "lines", "-", *more], stdin=lines, stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, bufsize=0, env=self.environment)
                self.assertEqual(len(process.stdout.read(10)), 10)
                self.assertTrue(more == ["--order", "sorted"] or os.listdir(self.path("tmp")))
                process.stdout.close()
                errors = process.stderr.read()
                process.stderr.close()
            self.assertEqual((process.wait(60), errors), (-signal.SIGPIPE, b""), more)
            self.assert_nothing_left()

    def interrupted(self, *waits):
        """Of a run whose output nobody takes, which waits some seconds for it once it is to stop: its status after SIGINT
        and, after each wait, a signal more, and how long it took from the first."""
        process = subprocess.Popen([NEARDUP, "lines", self.path("in"), "--memory", "32M"], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, env=self.environment)
        self.assertEqual(len(process.stdout.read(10)), 10)
        self.assertNotEqual(os.listdir(self.path("tmp")), [])
        time.sleep(0.3)  # the pipe is full by now
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        for wait in waits:
            time.sleep(wait)
            process.send_signal(signal.SIGTERM)
        try:
            return process.wait(60), time.monotonic() - begun
        finally:
            process.stdout.close()

    def test_signals_that_come_at_once_are_one(self):
        """As timeout sends them: to the process, and to its group."""
        write_lines(self.path("in"), 600_000)
        status, _ = self.interrupted(0)
        self.assertEqual(status, 130)
        self.assert_nothing_left()

    def test_a_third_signal_and_a_late_one_end_it_at_once(self):
        write_lines(self.path("in"), 600_000)
        for limit, waits in ((2, (0.2, 0.2)), (2.9, (2.1,))):
            for _ in range(5):  # a machine that itself slept meanwhile shows nothing
                status, seconds = self.interrupted(*waits)
                if seconds < limit:
                    break
            self.assertLess(seconds, limit)
            self.assertEqual(status, -signal.SIGTERM)

    def test_a_full_disk_leaves_nothing(self):
        expected = write_lines(self.path("in"), 600_000)

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

        for more in ([], ["--memory", "32M"], ["--count"], ["--memory", "32M", "--order", "sorted"]):
            done = subprocess.run(self.command(*more), capture_output=True, text=True, env=self.environment,
                                  preexec_fn=limit)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("free some space", done.stderr)
            self.assert_nothing_left()
        done = subprocess.run(self.command("--memory", "32M"), capture_output=True, text=True, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("compared on disk", done.stderr)
        with open(self.path("out")) as out:
            self.assertTrue(out.read() == expected)

    def test_an_input_that_is_cut_meanwhile(self):
        for left in (0, 1_000_000, 20_000_000):
            expected = write_lines(self.path("in"), 600_000)
            process = subprocess.Popen([NEARDUP, "lines", self.path("in")], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, bufsize=0, env=self.environment)
            begin = process.stdout.read(50_000)  # the rest waits for us
            os.truncate(self.path("in"), left)
            rest, errors = process.communicate(timeout=60)
            self.assertTrue(expected.encode().startswith(begin + rest))
            self.assertEqual(process.returncode, 2, errors)
            self.assertIn(b"start again when nobody writes to it", errors)
            self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_few_descriptors_and_many_threads(self):
        expected = write_lines(self.path("in"), 600_000)

        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))

        done = subprocess.run(self.command("--memory", "32M", "--threads", "16"), capture_output=True, text=True,
                              env=self.environment, preexec_fn=limit)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("compared on disk", done.stderr)
        with open(self.path("out")) as out:
            self.assertTrue(out.read() == expected)

    def test_one_key_longer_than_memory(self):
        """Among others that are on disk: it is compared, and nothing is lost."""
        longest = "x" * (40 << 20)
        with open(self.path("in"), "w") as file:
            for line in ("a", longest, "b", longest, longest + "y", "a"):
                file.write(line + "\n")
        done = subprocess.run(self.command("--memory", "32M"), capture_output=True, text=True, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("out")) as out:
            self.assertTrue(out.read() == "a\n" + longest + "\nb\n" + longest + "y\n")

    def peak_of(self, *command):
        peak = 0
        with subprocess.Popen(command, env=self.environment, stderr=subprocess.PIPE, text=True) as process:
            while process.poll() is None:
                peak = max(peak, peak_memory(process.pid))
                time.sleep(0.01)
            return process.returncode, process.stderr.read(), peak

    def test_memory_with_lines_of_any_length(self):
        """Plain and packed: it is read, compared and written within the limit, under each kind of key."""
        line = "aB " * (16 << 20)
        with open(self.path("in"), "w") as file:
            file.write("\n".join(("x", line, "x", line, line + "z")))
        with open(self.path("in"), "rb") as file, gzip.open(self.path("in.gz"), "wb", 1) as packed:
            shutil.copyfileobj(file, packed)
        longest = ("x\n" + line + "\n" + line + "z").encode()
        for input, *more in (["in"], ["in.gz"], ["in", "--ignore-case"], ["in.gz", "--order", "sorted"],
                             ["in", "--fast"], ["in.gz", "--similar", "0.7"], ["in.gz", "--field", "2"]):
            command = self.command("--memory", "32M", "--overwrite", *more)
            command[2] = self.path(input)
            code, message, peak = self.peak_of(*command)
            self.assertEqual(code, 0, message)
            self.assertLess(peak, (32 + 8) << 20, (input, more))
            with open(self.path("out"), "rb") as out:
                written = out.read().rstrip(b"\n")
            expected = {"sorted": [line.encode(), (line + "z").encode(), b"x"], "2": [b"x", line.encode(), b"x"]}
            self.assertTrue(written == b"\n".join(expected.get(more[-1] if more else "", [longest])), (input, more))

    def test_a_small_file_that_becomes_one_long_line(self):
        with gzip.open(self.path("in"), "wb", 9) as packed:
            for _ in range(300):
                packed.write(bytes(1 << 20))
        self.assertLess(os.path.getsize(self.path("in")), 1 << 20)
        code, message, peak = self.peak_of(*self.command("--memory", "32M"))
        self.assertEqual(code, 0, message)
        self.assertLess(peak, (32 + 8) << 20)
        self.assertEqual(os.path.getsize(self.path("out")), 300 << 20)
        code, message, peak = self.peak_of(*self.command("--memory", "32M", "--overwrite", "--regex", "a+"))
        self.assertEqual(code, 2, message)
        self.assertIn("in': a line has 314572800 bytes, and --regex looks at lines of", message)
        self.assertLess(peak, (32 + 8) << 20)

    def test_memory_is_bounded(self):
        """The most that it holds, files of the system apart, by the kernel's own count."""
        write_lines(self.path("in"), 2_500_000)
        limit = 64 << 20
        for more in ([], ["--count"], ["--order", "sorted"], ["--fast"], ["--threads", "32"]):
            process = subprocess.Popen(self.command("--memory", "64M", "--overwrite", *more), env=self.environment,
                                       stderr=subprocess.DEVNULL)
            peak = 0
            while process.poll() is None:
                peak = max(peak, peak_memory(process.pid))
                time.sleep(0.01)
            self.assertEqual(process.returncode, 0)
            self.assertGreater(peak, 8 << 20)
            self.assertLess(peak, limit + (24 << 20), more)  # the program itself


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""neardup bench serve: what it prints, and that the service saw what it says.

usage: bench_serve_test.py PROGRAM [TEST...]
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import unittest

from service import Service

PROGRAM = os.path.abspath(sys.argv.pop(1))
MEMBERS = ["bench", "operation", "form", "count", "loop", "load_share", "rate", "connections", "batch", "documents",
           "seconds", "per_second", "p50_us", "p99_us", "worst_us", "errors", "error_kinds", "bytes_per_item",
           "disk_bytes_per_item", "generator_cpu_seconds",
           "fdatasync_per_second"]


class BenchServe(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="neardup_bench_serve_")
        self.addCleanup(self.folder.cleanup)

    def bench(self, *flags):
        done = subprocess.run([PROGRAM, "bench", "serve", "--json", *flags], cwd=self.folder.name, capture_output=True,
                              text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        for line in lines:
            self.assertEqual(list(line), MEMBERS)
            self.assertEqual((line["bench"], line["errors"], line["error_kinds"]), ("serve", 0, {}))
            self.assertLessEqual(line["p50_us"], line["p99_us"])
            self.assertLessEqual(line["p99_us"], line["worst_us"])
            self.assertGreater(line["per_second"], 0)
        return lines

    def test_fingerprints_that_come_ready(self):
        lines = self.bench("--count", "2000", "--documents", "1000")
        self.assertEqual([(line["operation"], line["form"], line["loop"], line["batch"]) for line in lines],
                         [("query", "fingerprints", "closed", 100), ("query", "fingerprints", "open", 100),
                          ("check_and_insert", "fingerprints", "closed", 100),
                          ("check_and_insert", "fingerprints", "open", 100)])
        self.assertAlmostEqual(lines[3]["rate"], .7 * lines[2]["per_second"], delta=2)
        self.assertEqual(lines[1]["count"], 2000, "a query changes nothing")
        self.assertGreater(lines[3]["count"], 3700, "new documents, but for a twentieth")
        self.assertLessEqual(lines[3]["count"], 4000)
        self.assertEqual({line["connections"] for line in lines}, {10}, "no more than there are requests")
        self.assertEqual(os.listdir(self.folder.name), [], "store and log are removed")

    def test_more_connections_than_a_server_takes_by_itself(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 2000:
            self.skipTest(f"{hard} open files are too few")
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))  # of bench, too, which raises it
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        lines = self.bench("--count", "100", "--documents", "1100", "--batch-size", "1", "--connections", "1100", "--rate",
                           "1000")
        self.assertEqual({line["connections"] for line in lines}, {1100})

    def test_texts_at_a_rate_that_was_asked_for(self):
        lines = self.bench("--recipe", "default", "--count", "300", "--documents", "100", "--rate", "500",
                           "--uri", "httpkept")
        self.assertEqual([(line["operation"], line["form"], line["loop"], line["load_share"]) for line in lines],
                         [("query", "text", "open", None), ("check_and_insert", "text", "open", None),
                          ("check_and_insert", "signatures", "open", None)])
        self.assertGreaterEqual(lines[0]["seconds"], .19, "the last is planned there")
        self.assertEqual(os.listdir(self.folder.name), ["httpkept"], "a folder, whatever its name begins with")

    def test_a_server_that_runs(self):
        with Service(PROGRAM) as service:
            before = json.loads(service.get("/v1/stats")[1])["errors"]
            self.bench("--recipe", "default", "--documents", "50", "--uri", service.url, "--rate", "1000")
            stats = json.loads(service.get("/v1/stats")[1])
        self.assertEqual((stats["checked"], stats["queried"], stats["errors"] - before), (150, 50, 0))

    def test_a_server_that_has_seen_a_run_before(self):
        with Service(PROGRAM) as service:
            inserted = []
            for _ in range(2):
                self.bench("--recipe", "default", "--documents", "50", "--uri", service.url, "--rate", "1000")
                inserted.append(json.loads(service.get("/v1/stats")[1])["documents"])
        self.assertGreater(inserted[0], 80)
        self.assertGreater(inserted[1] - inserted[0], 80, "what it had before would be no insert")

    def test_faults_are_told(self):
        for flags, words in ((["--uri", "http://192.0.2.1:80"], "a server on this machine"),
                             (["--uri", "http://127.0.0.1:9"], "no connection to 127.0.0.1:9"),
                             (["--uri", "http://127.0.0.1:9", "--distance", "3"], "leave out --distance"),
                             (["--uri", "mysql://127.0.0.1/x"], "mysql:// is no place of a store"),
                             (["--bits", "128"], "leave out --bits 128"),
                             (["input.jsonl"], "takes no INPUT")):
            with self.subTest(flags):
                self.assertIn(words, self.fault("--count", "10", *flags))
        self.assertEqual(os.listdir(self.folder.name), [], "nothing is made")

    def test_too_few_open_files_are_told_before_anything_is_made(self):
        limited = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))
        told = self.fault("--count", "10", "--connections", "500", "--uri", "kept", preexec_fn=limited)
        self.assertIn("ulimit -n", told)
        self.assertEqual(os.listdir(self.folder.name), [])

    def fault(self, *flags, **options):
        done = subprocess.run([PROGRAM, "bench", "serve", *flags], cwd=self.folder.name, capture_output=True, text=True,
                              timeout=60, **options)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr


if __name__ == "__main__":
    unittest.main()

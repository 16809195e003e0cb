#!/usr/bin/env python3
"""Runs every command that a page shows and no other test runs, and fails where one fails.

usage: commands.py --program NEARDUP [--pages PART] [--show]

Commands stand in blocks of ```sh, ```bash and in indented ones, after "$ " or at the front of a line; the examples of `neardup help` are those
of docs/cli. What a page shows runs as one bash script, in a folder where the files are that pages speak of (commands_setup.sh) and a
service listens on another port. Not run is what ELSEWHERE names, a test that does it; and what LEFT_OUT names, with the reason. A row
there that fits nothing is a fault, too. --pages: only those with PART in their names. --show prints what the commands print.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SETUP = Path(__file__).with_name("commands_setup.sh")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$|(?:\n|\A)\n((?:    [^\n]*\n|\n(?=    ))+)", re.M | re.S)
PROGRAMS = "neardup build/release/neardup tools/ ./ make cmake curl jq apt for xdg-open NEARDUP_".split()
FENCES = {"sh", "bash", "console"}
ELSEWHERE = {  # pages whose fences other tests run
    "README.md": "docs.tutorial", "docs/tutorial.md": "docs.tutorial", "docs/too_much.md": "docs.tutorial",
    "docs/spark.md": "tests/spark/test_docs.py",
}
LEFT_OUT = {  # how lines begin that are not run here, and why
    r"\./(quickstart|test)\b": "the whole build",
    r"#": "a remark",
    r"make ": "tests/tools/make_targets.py",
    r"cmake --preset release && ": "the whole build; the test `consumer` installs it",
    r"tools/python_package": "a whole build; tests/tools/make_targets.py holds what it names",
    r"tools/parquet_module": "fetches pyarrow; tests/python/test_parquet.py",
    r"neardup dedup crawl/": "Parquet",
    r"apt |pip ": "the package lists of tools/",
    r"neardup \.\.\. ": "a form, no command",
    r".*\b(redis|rediss|hbase)://": "tests/unit/remote_redis and tests/hbase, with a server",
    r"xdg-open|jq -r|scrapy": "another program; tests/crawl/scrapy_test.py runs that of Scrapy",
    r".*neardup completion": "writes into the home; tests/unit/cli holds what it prints",
    r"neardup bench (join|query|store|serve|lines)": "measures for seconds; tests/unit/bench runs each on little",
    r"neardup plan --calibrate": "measures the machine; tests/unit/cli",
    r"neardup pairs all.bin --work /scratch": "a folder of the system",
    r"neardup serve news --listen 0.0.0.0": "listens to all",
    r"curl -s URL": "no address",
}


def commands_of(match):
    """Returns the commands of a block, or nothing where it shows something else."""
    kind, fenced, indented = match.groups()
    lines = (fenced or re.sub(r"(?m)^    ", "", indented)).strip("\n").split("\n")
    if kind not in (FENCES if fenced is not None else {None}):
        return []
    if lines[0].startswith("$ "):
        return session_of(lines)
    return lines if fenced is not None or lines[0].startswith(tuple(PROGRAMS)) else []


def session_of(lines):
    """Returns what stands behind "$ ", and what goes on after a backslash."""
    taken = []
    for line in lines:
        if line.startswith("$ ") or (taken and taken[-1].endswith("\\")):
            taken.append(line.removeprefix("$ "))
    return taken


class Page:
    def __init__(self, path):
        self.name = str(path.relative_to(ROOT))
        self.text = path.read_text(encoding="utf-8")
        self.used = set()

    def is_left_out(self, line):
        found = {row for row in LEFT_OUT if re.match(row, line)}
        self.used |= found
        return bool(found)

    def script(self):
        """Returns what is to be run; each block says where it stands."""
        blocks = []
        for match in BLOCK.finditer(self.text):
            if match.group(1) in FENCES and self.name in ELSEWHERE:
                continue
            lines = [line for line in commands_of(match) if not self.is_left_out(line.strip())]
            if any(line.strip() for line in lines):
                number = self.text.count("\n", 0, match.end()) - match.group(0).count("\n") + 1
                blocks.append(f"echo '--- {self.name}:{number}'\n" + "\n".join(lines))
        return "\n".join(blocks)


def run_page(page, program, setup):
    """Returns what is wrong with a page, and what its commands printed."""
    script = page.script()
    if not script:
        return "", ""
    with tempfile.TemporaryDirectory(prefix="neardup-commands-") as folder:
        subprocess.run(["cp", "-r", f"{setup}/.", folder], check=True)
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", f'. "{SETUP}" "{program}" "{ROOT}"\n{script}\n'], cwd=folder, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", timeout=300)
    return (f"{page.name}: ended with {done.returncode}\n{done.stdout[-3000:]}" if done.returncode else ""), done.stdout


def pages_of(part):
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]
    return [Page(path) for path in sorted(found) if part in str(path)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--pages", default="")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    program, pages = Path(args.program).resolve(), pages_of(args.pages)
    with tempfile.TemporaryDirectory(prefix="neardup-commands-") as setup:
        subprocess.run(["bash", "-euo", "pipefail", "-c", f'. "{SETUP}" "{program}" "{ROOT}" && make_files'], cwd=setup, check=True)
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda page: run_page(page, program, setup), pages))
    faults = [fault for fault, _ in results if fault]
    used = set().union(*(page.used for page in pages))
    if not args.pages:
        faults += [f"LEFT_OUT: no page shows {row}" for row in LEFT_OUT if row not in used]
        faults += [f"ELSEWHERE: there is no page {name}" for name in ELSEWHERE if name not in {page.name for page in pages}]
    if args.show:
        print("".join(printed for _, printed in results))
    print("\n".join(faults) or f"commands: those of {sum(bool(page.script()) for page in pages)} pages run")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

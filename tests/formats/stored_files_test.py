"""stored_files_test.py PROGRAM: this program reads the files of every release since 0.2.0 (docs/formats/README.md).

Each archive of stored/ has files of all formats, questions (ask.sh) and the answers of the release that wrote them.
"""
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

STORED = Path(__file__).resolve().parent / "stored"


def check_names_and_sums(archives):
    lines = (STORED / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split() for line in lines)}
    found = {archive.name: hashlib.sha256(archive.read_bytes()).hexdigest() for archive in archives}
    assert found == sums and found, f"archives that were added or changed without SHA256SUMS: {found}"


def answers(archive, folder, program):
    """Returns what the program answers, and what the release answered."""
    subprocess.run(["tar", "xzf", archive, "-C", folder], check=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "neardup").symlink_to(program)
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    run = subprocess.run(["bash", "ask.sh"], cwd=folder, env=environment, capture_output=True, text=True, timeout=100)
    assert run.returncode == 0, f"{archive.name}: {run.stderr}{run.stdout}"
    return run.stdout, (folder / "answers.txt").read_text()


def main():
    program = Path(sys.argv[1]).resolve()
    archives = sorted(STORED.glob("*.tar.gz"))
    check_names_and_sums(archives)
    for archive in archives:
        with tempfile.TemporaryDirectory(prefix="neardup_stored_") as folder:
            now, then = answers(archive, Path(folder), program)
            for line_now, line_then in zip(now.splitlines(), then.splitlines()):
                assert line_now == line_then, f"{archive.name}: now {line_now!r}, then {line_then!r}"
            assert now == then, f"{archive.name}: {len(now)} and {len(then)} bytes of answers"


if __name__ == "__main__":
    main()

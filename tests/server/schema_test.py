#!/usr/bin/env python3
"""openapi.json is what the service does: schemathesis tries every operation with what it allows and what it does not.

usage: schema_test.py PROGRAM CACHE_FOLDER. Ends with 77 (skipped) where schemathesis can be neither found nor fetched.
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import venv

from service import Service

PROGRAM, CACHE = sys.argv[1], pathlib.Path(sys.argv[2])
HERE = pathlib.Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"
SKIPPED = 77


def schemathesis():
    """Returns the program, fetched once by pip, which checks the hashes; None where that fails."""
    name = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()[:12]
    folder = CACHE / f"schemathesis-{sys.version_info[0]}.{sys.version_info[1]}-{name}"
    program = folder / "bin" / "schemathesis"
    if (folder / "complete").exists():
        return program
    venv.create(folder, with_pip=True, clear=True)
    fetched = subprocess.run([folder / "bin" / "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes",
                              "--requirement", REQUIREMENTS], capture_output=True, text=True)
    if fetched.returncode != 0:
        print(f"schemathesis could not be fetched: {fetched.stderr}")
        return None
    (folder / "complete").touch()
    return program


def check_routes(service):
    """Every operation of the document is there: none answers that path or method are not known."""
    document = json.loads(service.get("/openapi.json")[1])
    for path, operations in document["paths"].items():
        target = path.replace("{id}", "no%2Fbody").replace("{tag}", "no-tag")
        for method in operations:
            status, _, body = service.request(method.upper(), target, b"{}", {"Content-Type": "application/json"})
            assert status != 405 and b"nothing at this path" not in body, (method, path, status, body)
    return len(document["paths"])


def main():
    program = schemathesis()
    if program is None:
        return SKIPPED
    with Service(PROGRAM, "--keep-texts") as service:
        assert check_routes(service) > 10
        # What is valid by its form may be refused for what it means (an id that nobody has, values of another recipe).
        run = subprocess.run([program, "run", f"{service.url}/openapi.json", "--phases", "coverage,fuzzing", "--max-examples", "15",
                              "--seed", "1", "--exclude-checks", "positive_data_acceptance", "--no-color"],
                             capture_output=True, text=True, timeout=120, cwd=service.root.name)
        if run.returncode != 0:
            print(run.stdout[-8000:], run.stderr[-2000:])
        return run.returncode


if __name__ == "__main__":
    sys.exit(main())

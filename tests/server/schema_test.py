#!/usr/bin/env python3
"""openapi.json is what the service does: schemathesis tries every operation with what it allows and what it does not.

usage: schema_test.py PROGRAM CACHE_FOLDER. Ends with 77 (skipped) where schemathesis can be neither found nor fetched.
"""
import json
import pathlib
import subprocess
import sys

from service import Service

PROGRAM, CACHE = sys.argv[1], pathlib.Path(sys.argv[2])
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from pinned_venv import pinned_venv  # noqa: E402

SKIPPED = 77


def check_routes(service):
    """Every operation of the document is there: none answers that path or method are not known."""
    document = json.loads(service.get("/openapi.json")[1])
    for path, operations in document["paths"].items():
        target = path.replace("{id}", "no%2Fbody").replace("{tag}", "no-tag")
        for method in operations:
            status, _, body = service.request(method.upper(), target, b"{}", {"Content-Type": "application/json"})
            assert status != 405 and b"no such path" not in body, (method, path, status, body)
    return len(document["paths"])


def main():
    programs = pinned_venv("schemathesis", HERE / "requirements.txt", CACHE)
    if programs is None:
        return SKIPPED
    with Service(PROGRAM, "--keep-texts") as service:
        assert check_routes(service) > 10
        # What is valid by its form may be refused for what it means (an id that nobody has, values of another recipe).
        run = subprocess.run([programs / "schemathesis", "run", f"{service.url}/openapi.json", "--phases", "coverage,fuzzing", "--max-examples", "15",
                              "--seed", "1", "--exclude-checks", "positive_data_acceptance", "--no-color",
                              "--suppress-health-check", "too_slow"],  # making up what is sent says nothing of the service
                             capture_output=True, text=True, timeout=500, cwd=service.root.name)
        if run.returncode != 0:
            print(run.stdout[-8000:], run.stderr[-2000:])
        return run.returncode


if __name__ == "__main__":
    sys.exit(main())

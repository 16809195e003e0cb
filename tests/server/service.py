"""A started service for tests: neardup serve on a free port, and requests to it."""
import http.client
import json
import pathlib
import signal
import ssl
import subprocess
import tempfile
import threading
import time

LONGEST_WAIT = 60  # seconds: who waits longer hangs


def wait_until(holds, what):
    """Waits for a state that will come. Errors: TimeoutError, which names `what`."""
    end = time.monotonic() + LONGEST_WAIT
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)


class Service:
    """Runs PROGRAM serve in a folder of its own, or in `folder`; `with` ends it."""

    def __init__(self, program, *flags, folder=None, environment=None, certificate=None):
        self.program, self.flags, self.environment = program, flags, environment
        self.trust = ssl.create_default_context(cafile=certificate) if certificate else None
        self.root = None
        if folder is None:
            self.root = tempfile.TemporaryDirectory(prefix="neardup_service_")
            folder = pathlib.Path(self.root.name, "store")
            subprocess.run([program, "index", "create", folder], check=True, capture_output=True)
        self.folder = folder
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "serve", self.folder, "--listen", "127.0.0.1:0", *self.flags], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=self.environment)
        self.log = []
        first = self.process.stdout.readline()
        if not first.startswith("listening on "):
            raise RuntimeError(f"no line with the address: {first!r} {self.process.stderr.read()}")
        self.url = first.removeprefix("listening on ").strip()
        self.port = int(self.url.rsplit(":", 1)[1])
        self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
        self.reader.start()

    def wait_ready(self):
        wait_until(lambda: self.get("/readyz")[0] == 200, "the service is not ready")
        return self

    def __enter__(self):
        return self.wait_ready()

    def __exit__(self, *_):
        self.end()
        if self.root:
            self.root.cleanup()

    def end(self, number=signal.SIGTERM):
        """Sends a signal; returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(LONGEST_WAIT)
        self.reader.join(LONGEST_WAIT)
        self.process.stdout.close()
        self.process.stderr.close()
        return status

    def request(self, method, path, body=None, headers=None):
        """Returns status, headers and body."""
        if self.trust:
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=LONGEST_WAIT, context=self.trust)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST_WAIT)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def get(self, path, headers=None):
        status, _, body = self.request("GET", path, None, headers)
        return status, body

    def post(self, path, value, headers=None):
        """Posts JSON; returns status and JSON."""
        status, _, body = self.request("POST", path, json.dumps(value), {"Content-Type": "application/json", **(headers or {})})
        return status, json.loads(body)

    def lines(self, path, values, headers=None):
        """Posts lines; returns status and the answer's lines."""
        data = "".join(value if isinstance(value, str) else json.dumps(value) + "\n" for value in values)
        status, _, body = self.request("POST", path, data.encode(), {"Content-Type": "application/x-ndjson", **(headers or {})})
        return status, [json.loads(line) for line in body.splitlines()]

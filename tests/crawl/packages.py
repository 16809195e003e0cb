"""packages: installs what a test needs of PyPI, pinned by hashes, into a folder of the build, once."""
import fcntl
import subprocess
import sys
from pathlib import Path


def install(requirements, folder):
    """Installs the packages of the file `requirements` into `folder` unless they are there, and returns it."""
    requirements, folder = Path(requirements), Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "installed.txt"
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = requirements.read_text()
        if not stamp.exists() or stamp.read_text() != wanted:
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--no-deps",
                            "--disable-pip-version-check", "--root-user-action", "ignore", "--require-hashes",
                            "--target", folder, "--requirement", requirements], check=True)
            stamp.write_text(wanted)
    return str(folder)

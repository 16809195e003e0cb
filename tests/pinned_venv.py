"""A virtual environment of packages that pip checks by their hashes, made once and kept."""
import hashlib
import pathlib
import subprocess
import sys
import venv


def pinned_venv(name, requirements, cache):
    """Returns the folder `bin` of an environment in the folder `cache`, with what the file `requirements` names; None,
    after a word on why, where pip cannot fetch it."""
    digest = hashlib.sha256(pathlib.Path(requirements).read_bytes()).hexdigest()[:12]
    folder = pathlib.Path(cache) / f"{name}-{sys.version_info[0]}.{sys.version_info[1]}-{digest}"
    programs = folder / "bin"
    if (folder / "complete").exists():
        return programs
    venv.create(folder, with_pip=True, clear=True)
    fetched = subprocess.run([programs / "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes",
                              "--requirement", requirements], capture_output=True, text=True)
    if fetched.returncode != 0:
        print(f"{name} could not be fetched: {fetched.stderr}")
        return None
    (folder / "complete").touch()
    return programs

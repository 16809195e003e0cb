"""What a run of dedup has left."""
import os


def results(folder):
    """Returns the bytes of each result by its path: not of report.*, which tell the time, nor of work files."""
    found = {}
    for root, folders, files in os.walk(folder):
        folders[:] = [d for d in folders if d != ".neardup"]
        for name in files:
            if not name.startswith("report."):
                with open(os.path.join(root, name), "rb") as f:
                    found[os.path.relpath(os.path.join(root, name), folder)] = f.read()
    return found

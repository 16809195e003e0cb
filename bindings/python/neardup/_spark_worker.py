"""What a task leaves of the process of Python that it ran in, so that the next one starts fast."""

from __future__ import annotations

import os
import sys
import zipimport


def forget_archives() -> None:
    """Forgets who imports from the archives on PYTHONPATH, which stay as they are; who does so again is found again.

    PySpark calls importlib.invalidate_caches() before each task. Until Python 3.12 that reads the lists of these archives
    anew: of Spark's jar, and of pyspark.zip once for each package that came from it: .2 s of processor a task.
    """
    archives = set(os.environ.get("PYTHONPATH", "").split(os.pathsep))
    for path, importer in list(sys.path_importer_cache.items()):
        if isinstance(importer, zipimport.zipimporter) and importer.archive in archives:
            sys.path_importer_cache.pop(path, None)  # another thread may have been first

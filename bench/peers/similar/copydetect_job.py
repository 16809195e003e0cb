"""Prints SHARE, FILE, FILE of each pair that copydetect finds among Python files: copydetect_job.py FOLDER"""
import sys

from copydetect import CopyDetector

detector = CopyDetector(test_dirs=[sys.argv[1]], extensions=["py"], display_t=0.0, silent=True)
detector.run()
shares, files = detector.similarity_matrix.max(axis=2), detector.test_files
for i in range(len(files)):
    for j in range(i):
        if (share := max(shares[i, j], shares[j, i])) > 0:
            print(f"{share:.4f}\t{files[i]}\t{files[j]}")

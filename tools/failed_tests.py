#!/usr/bin/env python3
"""Prints what each failed test of a JUnit file of CTest printed last.

Usage: failed_tests.py FILE PRESET
"""
import sys
import xml.etree.ElementTree as ElementTree

LINES = 40


def main():
    path, preset = sys.argv[1:]
    for test in ElementTree.parse(path).iter("testcase"):
        if test.get("status") == "fail":
            lines = (test.findtext("system-out") or "it printed nothing").rstrip().splitlines()
            left_out = len(lines) - LINES
            print(f"-- {test.get('name')}, preset {preset}" + (f", after {left_out} other lines" if left_out > 0 else ""))
            print("\n".join(lines[-LINES:]))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Kills a store at any moment while four callers insert, replace and erase, and lets it lose power: what was acknowledged
is there, each other call wholly or not at all, and nothing else.

Usage: store_test.py STORE_DRIVER [--kills N] [--losses N] [--seed N]
"""
import argparse, os, random, shutil, subprocess, sys, tempfile, time


def verify(driver, store, what):
    result = subprocess.run([driver, "verify", store], stderr=subprocess.PIPE, text=True, timeout=300)
    if result.returncode != 0:
        sys.exit(f"{what}: {result.stderr.strip()}")


def kill_often(driver, folder, kills, seed):
    """Each run goes on with what the one before left."""
    rng = random.Random(seed)
    store = os.path.join(folder, "killed")
    for kill in range(kills):
        what = f"kill {kill + 1}, seed {seed}"
        process = subprocess.Popen([driver, "run", store, str(seed + kill)], stderr=subprocess.PIPE, text=True)
        time.sleep(rng.choice([.02, .1, .4]) * rng.random())
        process.kill()
        message = process.communicate()[1]
        if process.returncode != -9:
            sys.exit(f"{what}: ended by itself: {message.strip()}")
        verify(driver, store, what)
        if kill % 100 == 99:  # also how a store begins
            shutil.rmtree(store)
            os.remove(store + ".expected")


def lose_power_often(driver, folder, losses, seed):
    """A new store from time to time: also how one begins."""
    for first in range(0, losses, 50):
        store = os.path.join(folder, f"power-{first}")
        some = str(min(50, losses - first))
        result = subprocess.run([driver, "power", store, str(seed + first), some], stderr=subprocess.PIPE, text=True)
        if result.returncode != 0:
            sys.exit(f"losses of power, seed {seed + first}: {result.stderr.strip()}")
        shutil.rmtree(store)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("driver")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--losses", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    driver = os.path.abspath(arguments.driver)
    folder = tempfile.mkdtemp(prefix="neardup-store-faults-")
    try:
        kill_often(driver, folder, arguments.kills, arguments.seed)
        lose_power_often(driver, folder, arguments.losses, arguments.seed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{arguments.kills} kills and {arguments.losses} losses of power: nothing was lost")


if __name__ == "__main__":
    main()

"""Callers of a peer that work at the same time, as processes or threads."""
import multiprocessing
import queue
import threading
import time
import traceback

LONGEST_END = 300  # seconds that a caller may take to connect, and its last batch


class Failed(Exception):
    """What a caller died of."""


def checks_of(peer, args, stream, number, start):
    """Every so-manieth batch until the time is over. Returns (first document, verdicts, microseconds) of each, and when
    the first was begun."""
    done = []
    try:
        caller = peer.caller()
    finally:
        start.wait()  # the others wait for it, whatever becomes of this one
    started = time.monotonic()
    for first in range(number * args.batch, len(stream), args.callers * args.batch):
        if time.monotonic() > started + args.seconds:
            break
        begin = time.monotonic()
        seen = caller.check_and_insert(stream[first:first + args.batch], args.count + first)
        done.append((first, seen.tolist(), (time.monotonic() - begin) * 1e6))
    return done, started


def call(peer, args, stream, number, start, results):
    """One caller. Puts (checks, when it started, when it ended, None), or what it died of as the last of the four."""
    try:
        results.put((*checks_of(peer, args, stream, number, start), time.monotonic(), None))
    except Exception:
        results.put(([], 0, 0, traceback.format_exc()))


def call_all(peer, args, stream):
    """Returns the checks of all callers, and the seconds from the first start to the last end. Errors: Failed."""
    kind = multiprocessing.get_context("fork") if peer.uses_processes else None
    start = (kind or threading).Barrier(args.callers + 1, timeout=LONGEST_END)
    results, make = (kind.Queue(), kind.Process) if kind else (queue.Queue(), threading.Thread)
    callers = [make(target=call, args=(peer, args, stream, number, start, results), daemon=True)
               for number in range(args.callers)]
    for caller in callers:
        caller.start()
    try:
        start.wait()
        ended = [results.get(timeout=args.seconds + LONGEST_END) for _ in callers]
    except (queue.Empty, threading.BrokenBarrierError):
        raise Failed("a caller ended without a word, or goes on") from None
    for caller in callers:
        caller.join()
    for *_, died_of in ended:
        if died_of:
            raise Failed(died_of)
    return [batch for done, *_ in ended for batch in done], max(at for _, _, at, _ in ended) - min(at for _, at, *_ in ended)

"""Holds an exclusive lock on a file until standard input closes; prints `waiting` where it is taken, then `held`.

    python3 hold_lock.py FILE

The kernel gives the lock back when the process ends, so a killed run leaves none behind. Standard library only.
"""
import fcntl
import sys

with open(sys.argv[1], "a") as file:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print("waiting", flush=True)
        fcntl.flock(file, fcntl.LOCK_EX)
    print("held", flush=True)
    while sys.stdin.buffer.read(65536):
        pass

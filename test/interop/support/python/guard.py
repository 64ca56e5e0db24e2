"""Runs a command and ends with its exit code; stops it when this program's standard input closes or a signal comes.

    python3 guard.py COMMAND WORD...

So a server ends with the suite that started it, even where the suite was killed and could not say so. Standard
library only: runs on the machine's own Python.
"""
import os
import signal
import subprocess
import sys
import threading

GRACE_SECONDS = 10


def main():
    # The command's words go to the log with its errors; nothing reads our standard output.
    child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno())

    def stop(*_):
        if child.poll() is not None:
            return
        child.terminate()
        try:
            child.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()

    def wait_for_the_end_of_input():
        while sys.stdin.buffer.read(65536):
            pass
        stop()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    threading.Thread(target=wait_for_the_end_of_input, daemon=True).start()
    code = child.wait()
    # The thread is still reading; it must not keep the process.
    os._exit(code if code >= 0 else 128 - code)


main()

"""Runs a command to its end and prints wall seconds, processor seconds and peak memory in MiB, a line of JSON.

    measure.py COMMAND [ARGUMENT...]
"""
import json, resource, subprocess, sys, time

start = time.monotonic()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
wall = time.monotonic() - start
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
if done.returncode != 0:
    sys.stderr.buffer.write(done.stderr)
print(json.dumps({"exit": done.returncode, "wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peakMiB": usage.ru_maxrss / 1024}))

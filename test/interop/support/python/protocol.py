"""The worker's side of the conversation with ../worker.ts: one JSON object a line, a request and its answer.

Standard output belongs to the conversation alone: what libraries and child processes print goes to the log. A worker
ends when its standard input closes.
"""
import json
import os
import sys
import traceback


def serve(operations, ready):
    """`operations`: name -> function of the request's arguments. `ready` is told first, e.g. versions."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(message):
        out.write(json.dumps(message, separators=(",", ":")) + "\n")
        out.flush()

    answer({"ready": ready() if callable(ready) else ready})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer({"id": request["id"], "answer": operations[request["operation"]](**request["arguments"])})
        except Exception as error:
            traceback.print_exc()
            sys.stderr.flush()
            answer({"id": request["id"], "error": {"type": type(error).__name__, "message": message_of(error)}})


def message_of(error):
    """Without the Java stack that Spark's errors carry."""
    text = str(error).split("JVM stacktrace:")[0].split("\n\tat ")[0].strip()
    return text[:4000]

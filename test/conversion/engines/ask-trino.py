"""Asks a running Trino the questions on stdin and prints its answers as test data.

A bare server suffices, without catalogs; the session zone is deliberately not UTC.
usage: python ask-trino.py http://127.0.0.1:8080 < questions.json > trino.json
"""
import json
import sys
import urllib.request

SERVER = sys.argv[1]
HEADERS = {
    "X-Trino-User": "test",
    "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME",
    "X-Trino-Time-Zone": "America/New_York",
}


def call(url, body=None):
    with urllib.request.urlopen(urllib.request.Request(url, body, HEADERS)) as response:
        return json.load(response)


def run(sql):
    page, rows = call(SERVER + "/v1/statement", sql.encode()), []
    while True:
        if page.get("error"):
            raise RuntimeError(page["error"]["message"] + "\n" + sql[:2000])
        rows += page.get("data") or []
        if not page.get("nextUri"):
            return rows
        page = call(page["nextUri"])


asked = json.load(sys.stdin)
answers = []
for question in asked["questions"]:
    source, target = question["from"]["kind"], question["to"]["kind"]
    # One literal, unfolded at run time: expressions over rows of literals would be evaluated by the planner.
    texts = json.dumps(asked["values"][source + "-to-" + target]).encode().hex().upper()
    column = "CAST(x AS bigint)" if source == "long" else "x"
    found = run(
        f"WITH t AS (SELECT {column} AS c, i FROM UNNEST(CAST(json_parse(from_utf8(X'{texts}')) AS array(varchar))) "
        f"WITH ORDINALITY AS u (x, i)) SELECT CAST({question['trino']} AS varchar), {question['trinoFails']} FROM t ORDER BY i"
    )
    answers.append({"sql": question["trino"], "values": [row[0] for row in found], "fails": [row[1] for row in found]})

version = run("SELECT node_version FROM system.runtime.nodes")[0][0]
lines = ",\n".join(json.dumps(answer, separators=(",", ":")) for answer in answers)
values = json.dumps(asked["values"], separators=(",", ":"))
print(f'{{"engine": {json.dumps("Trino " + version)},\n"values": {values},\n"answers": [\n{lines}\n]}}')

"""
``python -m casino.office.monitoring.probe``: whether the local web server answers, for a
container's engine.

It asks as the proxy does: over plain HTTP, but with an allowed host and the header that says that
the browser uses HTTPS. Otherwise the answer would be a refusal or a redirect.
"""

import http.client
import os
import sys

TIMEOUT = 5


def main() -> int:
    host = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].strip().lstrip(".*") or "localhost"
    port = int(os.environ.get("WEB_BIND", "0.0.0.0:8000").rpartition(":")[2])
    web = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    try:
        web.request("GET", "/healthz/web", headers={"Host": host, "X-Forwarded-Proto": "https"})
        answer = web.getresponse()
        sys.stdout.write(f"{answer.status} {answer.read().decode()}\n")
    except OSError as error:
        sys.stdout.write(f"no answer: {error}\n")
        return 1
    return 0 if answer.status == http.client.OK else 1


if __name__ == "__main__":
    raise SystemExit(main())

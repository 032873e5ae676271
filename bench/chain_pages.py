"""
``python -m bench.chain_pages``: what each page of a chain costs, in the environment's database.

    DATABASE_URL=… python -m bench.many_houses 100 && DATABASE_URL=… python -m bench.chain_pages

It prints JSON: for each page its statements, the mean milliseconds of processor that it takes in
the web process and in the server's process that answers it, and the median by the clock. Where the
database is distributed, all that its other servers do is counted, too: nobody may use them then.
"""

from __future__ import annotations

import json
import time
from statistics import median
from typing import Any, Final

import django

django.setup()

from django.conf import settings  # noqa: E402 - Django is set up above
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402

from bench.processor import used  # noqa: E402
from casino.chain.models import ChainHouse, ChainMember, ChainRole  # noqa: E402
from casino.engine.databases.postgresql import citus  # noqa: E402
from casino.house.attendants.models import Attendant  # noqa: E402

TIMES: Final = 10
WORKERS: Final = """
    SELECT result FROM run_command_on_workers(
        $$SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)$$)"""
PAGES: Final = (
    "houses", "compare", "people", "sign-ins", "dice", "register", "proposals", "settings",
)  # fmt: skip


def addresses() -> dict[str, str]:
    """Pages by name; those of lists as a file, too."""
    house = ChainHouse.objects.first()
    assert house is not None
    found = {name: reverse(f"chain:{name}") for name in PAGES}
    found["one house"] = reverse("chain:house", args=[house.establishment_id])
    found["houses, last page"] = f"{found['houses']}?page=last"
    found["compare, a sum of money"] = f"{found['compare']}?figure=staked"
    return found


def measured(client: Client, address: str) -> dict[str, Any]:
    client.get(address, secure=True)  # fills caches
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address, secure=True)
    assert answer.status_code == 200, (address, answer.status_code)
    statements, servers = len(captured), asked()
    took, own, before = [], time.process_time(), sum(map(used, servers))
    for _ in range(TIMES):
        began = time.perf_counter()
        client.get(address, secure=True)
        took.append(1000 * (time.perf_counter() - began))
    return {
        "bytes": len(answer.content),
        "statements": statements,
        "web ms": 1000 * (time.process_time() - own) / TIMES,
        "database ms": 1000 * (sum(map(used, servers)) - before) / TIMES,
        "ms": median(took),
    }


def asked() -> list[int]:
    """The server's process that answers, and the first one of each server that it asks."""
    connection.ensure_connection()
    found = [int(connection.connection.info.backend_pid)]
    if citus.is_distributed(connection):
        with connection.cursor() as cursor:
            cursor.execute(WORKERS)
            found += [int(pid) for (pid,) in cursor.fetchall()]
    return found


def main() -> None:
    settings.ALLOWED_HOSTS = ["*"]
    # Connections end with their request in the test client's mind; here they stay as in production.
    member = ChainMember.objects.filter(role=ChainRole.MANAGER).first()
    assert member is not None
    client = Client()
    client.force_login(Attendant.objects.get(pk=member.attendant_id))
    print(json.dumps({name: measured(client, at) for name, at in addresses().items()}))


if __name__ == "__main__":
    main()

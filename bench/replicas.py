"""
``python -m bench.replicas --events 30000``: how much of the processor that pages take from the
database leaves the primary once they are read from a streaming standby.

One house in production, its PostgreSQL and a standby; two web servers, of which one knows the
standby. Its manager opens the same pages at both in turn. Processor time is counted by process:
the primary and all its sessions, the standby and all of its own, the web server.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench import processor
from bench.figures import Table, number
from bench.production import json_of, managed
from tests import services
from tests.processes import environment, eventually, free_port, get, started
from tests.scale.replicas.person import PROXY, Person
from tests.scale.replicas.standby import Standby, pair, rows

if TYPE_CHECKING:
    from collections.abc import Mapping

GUNICORN: Final = ("-m", "gunicorn", "-c", "python:casino.config.gunicorn", "casino.config.wsgi")
PAGES: Final = {
    "the start page": "/",
    "a report of a day": "/reports/fees/",
    "its file, XLSX": "/reports/fees/?format=xlsx",
    "a search of games": "/games/?player=a",
    "gaming days": "/days/",
    "the ledger's events": "/events/",
    "dice under suspicion": "/dice/",
    "how the house stood": "/house/at/",
    "what is out of the ordinary": "/exceptions/",
}
AT_THE_PRIMARY: Final = {"payouts, which stay at the primary": "/payouts/"}
WAYS: Final = ("without", "with")
PARTS: Final = ("primary", "standby", "web")
Found = dict[str, list[dict[str, float]]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Pages from a standby, and what the primary saves")
    parser.add_argument("--events", type=int, default=30_000)
    parser.add_argument("--times", type=int, default=40, help="how often each page is opened")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster, url = stack.enter_context(pair())
        env = environment(
            DATABASE_URL=url, SECRET_KEY=secrets.token_hex(32), ALLOWED_HOSTS="127.0.0.1",
            REDIS_URL=stack.enter_context(services.redis()), SECOND_FACTOR="offered",
            WEB_PROCESSES="1",
            LEDGER_KEYS_DIR=str(folder / "keys"), STATIC_ROOT=str(folder / "static"),
            DJANGO_SETTINGS_MODULE="casino.config.settings",
        )  # fmt: skip
        managed(env, "migrate", "--verbosity=0")
        managed(env, "collectstatic", "--noinput", "--verbosity=0")
        json_of(env, "bench.million", f"--events={options.events}")
        rows(url, "VACUUM ANALYZE")
        cookies = json_of(env, "bench.replicas", "--let-in")
        standby = Standby(cluster, url)
        standby.start()
        stack.callback(standby.stop)
        standby.caught_up()
        ways = dict(zip(WAYS, (env, {**env, "DATABASE_REPLICA_URL": standby.url}), strict=True))
        visits = {name: _visit(stack, folder / name, each, cookies) for name, each in ways.items()}
        print(_report(_measured(visits, url, standby, options.times, options.rounds), options))


def _visit(
    stack: ExitStack, folder: Path, env: Mapping[str, str], cookies: Mapping[str, str]
) -> tuple[int, Person]:
    """A web server of its own, and somebody signed in there."""
    port = free_port()
    log = folder.with_suffix(".log")
    own = {**env, "WEB_BIND": f"127.0.0.1:{port}"}
    web = stack.enter_context(started(sys.executable, *GUNICORN, env=own, output=log))
    eventually(lambda: get(port, "/healthz/web", **PROXY)[0] == 200, web, log)
    person = Person(port)
    person.cookies |= cookies
    return web.pid, person


def _measured(
    visits: Mapping[str, tuple[int, Person]], url: str, standby: Standby, times: int, rounds: int
) -> dict[tuple[str, str], list[dict[str, float]]]:
    """Milliseconds of processor time of each part for one page, by page and way."""
    pids = {
        "primary": processor.of_postgresql(url), "standby": processor.of_postgresql(standby.url),
    }  # fmt: skip
    found: dict[tuple[str, str], list[dict[str, float]]] = {}
    for person in (person for _pid, person in visits.values()):
        for path in (*PAGES.values(), *AT_THE_PRIMARY.values()):
            assert person.opens(path).status == 200, path
    for _ in range(rounds):
        standby.caught_up()
        for title, path in (PAGES | AT_THE_PRIMARY).items():
            for way, (web, person) in visits.items():
                each = {**pids, "web": web}
                before = {part: processor.used(pid) for part, pid in each.items()}
                for _time in range(times):
                    person.opens(path)
                spent = {
                    part: 1000 * (processor.used(pid) - before[part]) / times
                    for part, pid in each.items()
                }
                found.setdefault((title, way), []).append(spent)
    return found


def _report(
    found: dict[tuple[str, str], list[dict[str, float]]], options: argparse.Namespace
) -> Table:
    table = Table(
        f"Pages of a ledger of {options.events:,} events, ms of processor for one",
        ("page", "primary", "with a standby: primary", "standby", "web", "web, with"),
    )

    def cells(titles: list[str]) -> list[str]:
        def of(way: str, part: str) -> str:
            return number([
                sum(found[title, way][turn][part] for title in titles)
                for turn in range(options.rounds)
            ])  # fmt: skip

        return [
            of("without", "primary"), of("with", "primary"), of("with", "standby"),
            of("without", "web"), of("with", "web"),
        ]  # fmt: skip

    for title in PAGES:
        table.add(title, *cells([title]))
    table.add("**all of these, once each**", *cells(list(PAGES)))
    for title in AT_THE_PRIMARY:
        table.add(title, *cells([title]))
    return table


def let_in() -> None:
    """Prints the cookies of a manager who is signed in at the first house."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.config.settings")
    import django  # noqa: PLC0415 - only in the process that asks the house

    django.setup()
    from django.test import Client  # noqa: PLC0415 - once Django is set up

    from casino.house.attendants.models import Employment, Role  # noqa: PLC0415

    client = Client()
    client.force_login(Employment.objects.filter(role=Role.MANAGER)[0].attendant)
    print(json.dumps({name: morsel.value for name, morsel in client.cookies.items()}))


if __name__ == "__main__":
    let_in() if "--let-in" in sys.argv else main()

"""
A house that plays a game of another author's, and later has lost its package.

Run as a program of its own, for which games there are is asked once in a process:
``python -m tests.support.sixth play|look|again FOLDER``. What was found is printed as JSON.
"""

from __future__ import annotations

import json
import os
import re
import sys
from html import unescape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit

import django
from django.test.utils import setup_test_environment

os.environ["SECOND_FACTOR"] = "offered"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.config.settings")
django.setup()
setup_test_environment()

from django.core.management import call_command  # noqa: E402 - only what is set up can be asked
from django.urls import reverse  # noqa: E402

from casino.floor.tables.offline import bundles  # noqa: E402
from casino.house.attendants.models import Attendant  # noqa: E402
from casino.house.establishments.models import Establishment  # noqa: E402
from casino.play.core.subscriptions import tasks  # noqa: E402
from casino.play.dice.surveillance import stream_monitor  # noqa: E402
from casino.play.dice.surveillance.models import DiceStream  # noqa: E402
from tests.support import builders  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rest_framework.test import APIClient

GAME: Final = "ship-captain-crew"
LINKS: Final = re.compile(r'(?:href|hx-get|action|data-sheet)="([^"#]+)')
PAGES: Final = 150
SLOW: Final = ("/static/", "sign-out", "/odds", "?")
FAILED: Final = 500


def asked(command: str, *arguments: str) -> str:
    out = StringIO()
    try:
        call_command(command, *arguments, stdout=out, stderr=out)
    except SystemExit as ended:
        out.write(f"exit {ended.code}")
    return out.getvalue()


def pages(client: APIClient, start: str) -> Iterator[tuple[str, int, str]]:
    """Every page that links lead to from here, each kind of address a few times."""
    client.raise_request_exception = False
    waiting, seen = [start], {start}
    kinds: dict[str, int] = {}
    while waiting and len(seen) < PAGES:
        address = waiting.pop(0)
        answer = client.get(address, HTTP_ACCEPT="text/html")
        is_page = answer.headers.get("Content-Type", "").startswith("text/html")
        text = answer.content.decode() if is_page else ""
        yield address, answer.status_code, text
        if "Location" in answer.headers:
            text += f'href="{answer.headers["Location"]}"'
        for link in LINKS.findall(text):
            to = urljoin(address, unescape(link))
            kind = re.sub(r"[0-9a-f]{8}-[-0-9a-f]+|\d+", "*", to)
            known = seen | {to} if urlsplit(to).netloc else seen
            if to in known or any(each in to for each in SLOW) or kinds.get(kind, 0) > 1:
                continue
            kinds[kind] = kinds.get(kind, 0) + 1
            seen.add(to)
            waiting.append(to)


def crawled() -> dict[str, Any]:
    """What pages answered, as each role of the house reads them: those that failed, and 409s."""
    found: dict[str, Any] = {"pages": 0, "failed": [], "missing": {}, "other": {}}
    for who in Attendant.objects.filter(username__regex="^(manager|auditor)"):
        for address, status, text in pages(builders.signed_in(who), "/"):
            found["pages"] += 1
            if status >= FAILED:
                found["failed"].append(address)
            elif status == 409:
                match = re.search(r"The rules of [^<]*? installed here\.", text)
                found["missing"][address] = match[0] if match else ""
            elif status not in {200, 302, 301}:
                found["other"][address] = status
    return found


def state_of(house: Establishment, who: str = "auditor") -> dict[str, Any]:
    client = builders.client(Attendant.objects.get(username__startswith=who))
    client.raise_request_exception = False
    base = f"/api/v1/establishments/{house.pk}/"
    lists = ("payouts/", "exceptions/", "pots/", "surveillance/alarms/")
    return {name: client.get(base + name).status_code for name in lists}


def play(folder: Path) -> dict[str, Any]:
    call_command("migrate", verbosity=0)
    house = builders.house(name="Harbour")
    builders.dice_for_every_game(house.establishment, sets=2)
    builders.on_record(house.establishment)
    throw = builders.throw
    ship = builders.opened(house, game=GAME, options={"ante": 2})
    builders.put(
        house, ship,
        throw("Ada", 6, 5, 4, 3, 2), throw("Ada", 6, 5), builders.command("stand", player="Ada"),
        throw("Bruno", 6, 6, 5, 1, 1), throw("Bruno", 4, 6, 1),
        builders.command("stand", player="Bruno"),
        throw("Cleo", 1, 1, 1, 1, 1), throw("Cleo", 6, 1, 1, 1, 1), throw("Cleo", 5, 1, 1, 1),
    )  # fmt: skip
    old = builders.opened(house, game="stone-hand", table=str(house.tables[1].pk))
    builders.put(house, old, throw("Ada", 1, 1, 1), throw("Bruno", 2, 2, 3), throw("Cleo", 2, 4, 4))
    while tasks.advance_all(house.id):
        pass
    state = house.client().get(f"{builders.GAMES}{ship}/").json()
    fields = {
        "house": str(house.id),
        "ship": ship,
        "old": old,
        "round": state["rounds"][0],
        "foreseen": bundles.script(GAME).count("ship_captain_crew"),
        "throws": surveyed(),
        "regrade": asked("regrade", "--json", "--workers=1"),
        "whatif": asked("whatif", "--format=json", f"--game={GAME}", "--option=ties=share"),
        "exported": asked("export_ledger", f"--establishment={house.id}", f"--to={folder}/export"),
        "readers": "ship_captain_crew.dice_thrown" in stream_monitor.readers(),
        "lists": state_of(house.establishment),
        **crawled(),
    }
    # Of this no subscriber knows when the package is taken away.
    builders.put(house, ship, throw(state["next"]["players"][0], 6, 6, 6, 1, 1))
    (folder / "played.json").write_text(json.dumps(fields))
    return fields


def surveyed() -> int:
    """Dice of the house's d6 that surveillance has read."""
    return sum(DiceStream.objects.filter(kind="house", sides=6).values_list("throws", flat=True))


def look(folder: Path) -> dict[str, Any]:
    data = json.loads((folder / "played.json").read_text())
    house = Establishment.objects.get(pk=data["house"])
    client = builders.client(Attendant.objects.get(username__startswith="attendant"))
    client.raise_request_exception = False
    ship = client.get(f"{builders.GAMES}{data['ship']}/")
    old = client.get(f"{builders.GAMES}{data['old']}/")
    thrown = client.post(
        f"{builders.GAMES}{data['ship']}/commands/", [builders.throw("Bruno", 6, 5, 4, 1, 1)]
    )
    opening = client.post(
        builders.GAMES, builders.opening(house.tables.get(name="Table 2"), game=GAME)
    )
    while tasks.advance_all(house.pk):
        pass
    return {
        "ship": (ship.status_code, ship.json()),
        "thrown": (thrown.status_code, thrown.json()),
        "old": old.status_code,
        "exported": asked("export_ledger", f"--establishment={house.pk}", f"--to={folder}/later"),
        "whatif": asked("whatif", "--format=json", "--game=stone-hand", "--option=runs=straight"),
        "opening": (opening.status_code, opening.json()),
        "verify": asked("verify_ledger"),
        "regrade": asked("regrade", "--json", "--workers=1"),
        "lists": state_of(house),
        "dice": dice_page(),
        **crawled(),
    }


def again(folder: Path) -> dict[str, Any]:
    """The package is there once more."""
    data = json.loads((folder / "played.json").read_text())
    house = Establishment.objects.get(pk=data["house"])
    waiting = asked("parked")
    asked("parked", "--retry")
    while tasks.advance_all(house.pk):
        pass
    client = builders.client(Attendant.objects.get(username__startswith="attendant"))
    return {
        "waiting": waiting,
        "parked": asked("parked"),
        "ship": client.get(f"{builders.GAMES}{data['ship']}/").status_code,
        "throws": (data["throws"], surveyed()),
        "verify": asked("verify_ledger"),
        "regrade": asked("regrade", "--json", "--workers=1"),
        "dice": dice_page(),
        **crawled(),
    }


def dice_page() -> str:
    client = builders.signed_in(Attendant.objects.get(username__startswith="auditor"))
    text: str = client.get(reverse("dice")).content.decode()
    return text


if __name__ == "__main__":
    done = {"play": play, "look": look, "again": again}[sys.argv[1]](Path(sys.argv[2]))
    sys.stdout.write(json.dumps(done, default=str))

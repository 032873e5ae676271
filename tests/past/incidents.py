"""What happens on single evenings beside the play: slips, disputes, late entries, dice."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from casino.floor.players import cash as players
from casino.house.attendants.pseudonyms import tokens
from casino.money.cash import counting, prizes, slips
from casino.play.core import operations
from casino.play.devices import entries, late, leases
from casino.play.devices.entries import Device, Given
from casino.play.devices.models import LateRow
from casino.play.dice.surveillance.models import Alarm
from casino.play.exclusions import operations as exclusions
from tests.past import dice
from tests.past.floor import TABLET

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.past.evening import Evening

    Happens = Callable[[Evening], bool | None]
    """False: it does not fit yet, and is tried again."""

EXCLUDED: Final = "Mox"


def fill(evening: Evening) -> None:
    """A table runs low on small coins, and gets some from the cage."""
    floor, table = evening.floor, evening.tables[0]
    asking = floor.act(evening.attendant(table), device=TABLET)
    slips.ask(asking, kind="fill", table=table, sheet={"5": 20, "1": 40}, reason="Low on ones.")
    floor.approved(asking)
    _received(evening)


def credit(evening: Evening) -> None:
    """A table has more than it needs, and gives some to the cage."""
    floor, table = evening.floor, evening.tables[0]
    asking = floor.act(evening.attendant(table), device=TABLET)
    slips.ask(asking, kind="credit", table=table, sheet={"100": 2}, reason="A full tray.")
    floor.approved(asking)
    _received(evening)


def _received(evening: Evening) -> None:
    floor, table = evening.floor, evening.tables[0]
    floor.clock.passes(minutes=4)
    for slip in slips.waiting(floor.house, table):
        act = floor.act(evening.attendant(table), device=TABLET)
        slips.receive(act, table=table, number=slip.number)


def short(evening: Evening) -> None:
    """Five coins are missing from the first table's float in the end."""
    evening.shortage[evening.tables[0]] = -5


def over(evening: Evening) -> None:
    """Two coins too many lie at the last table in the end."""
    evening.shortage[evening.tables[-1]] = 2


def miscount(evening: Evening) -> None:
    """Two people find different sums, and count again."""
    floor, table = evening.floor, evening.tables[-1]
    right = floor.float_of(table)
    wrong = iter((right, right - 25))
    floor.both(
        (evening.attendant(table), "sela"),
        lambda act: counting.count(
            act, table=table, purpose="check", sheet=floor.sheet(next(wrong))
        ),
    )
    floor.counts(table, "check", (evening.attendant(table), "sela"), floor.sheet(right))


def dispute(evening: Evening) -> bool:
    """A player disputes the round; the supervisor looks at the camera and lets it stand."""
    game = _disputed(evening)
    if game is None:
        return False
    floor = evening.floor
    floor.clock.passes(minutes=9)
    row = next(row for row in floor.state(game)["offers"] if row["do"] == "resolve")
    floor.does(
        game, "sela", do="resolve", dispute=row["dispute"], outcome="upheld"
        if "upheld" in row["outcomes"] else row["outcomes"][0],
        reason="Seen on the camera: the die lay on its face before anybody touched it.",
    )  # fmt: skip
    return True


def open_dispute(evening: Evening) -> bool:
    """A player disputes a round, and nobody has decided it yet."""
    return _disputed(evening) is not None


def _disputed(evening: Evening) -> uuid.UUID | None:
    """The game in which a round is disputed; None if no game has a round yet."""
    floor = evening.floor
    for game, table in floor.games.items():
        by = evening.attendant(table)
        for row in floor.state(game)["offers"]:
            if row["do"] == "dispute" and row.get("rounds"):
                reason = "The die was touched before it came to rest."
                floor.does(game, by, do="dispute", round=row["rounds"], reason=reason)
                return game
    return None


def written_down(evening: Evening) -> bool:
    """Throws that were written on paper while the tablet was charged, and entered later."""
    floor = evening.floor
    for game, table in floor.games.items():
        rows = [row for row in floor.state(game)["offers"] if row["do"] == "throw"]
        if rows and "dice" in rows[0] and isinstance(rows[0]["dice"], int):
            faces = [floor.chance.randint(1, rows[0]["sides"]) for _ in range(rows[0]["dice"])]
            at = floor.clock.now - timedelta(minutes=1)
            floor.clock.passes(minutes=26)
            floor.puts(
                game, evening.attendant(table), do="throw", player=rows[0]["player"], dice=faces,
                occurred_at=at.isoformat(),
            )  # fmt: skip
            return True
    return False


def sent_late(evening: Evening) -> None:
    """A tablet out of reach sends what it has after another took over: one waits no longer."""
    floor = evening.floor
    game, table = next(iter(floor.games.items()))

    def device(name: str, by: str) -> Device:
        return Device(
            name=name, house=floor.house, game=game, table=str(table.pk), by=floor.person(by),
            now=floor.clock.now,
        )  # fmt: skip

    state = floor.state(game)
    player = next(iter(state["stakes"]))
    for name, by in (("floor-loft", evening.attendant(table)), ("floor-bar", "sela")):
        each = device(name, by)
        leases.take(each.act(uuid.uuid4(), do="take"), game=game, table=each.table)
        floor.clock.passes(seconds=50)
    sent = [
        Given(seq=1, term=1, at=floor.clock.now - timedelta(minutes=3), as_="command", raw={
            "command_id": str(uuid.uuid4()), "do": "throw", "player": player, "dice": [2, 4, 5],
        })
    ]  # fmt: skip
    entries.put(device("floor-loft", evening.attendant(table)), sent)
    floor.catches_up()
    row = LateRow.objects.filter(establishment=floor.house.pk, game=game).earliest("position")
    floor.clock.passes(minutes=2)
    late.dismiss(
        device("floor-bar", "sela").act(uuid.uuid4(), do="dismiss"), game=game, entry=row.number,
        reason="Thrown again at the table before the tablet was back.",
    )  # fmt: skip


def excluded(evening: Evening) -> None:
    """Somebody asks to be refused a seat for half a year."""
    floor = evening.floor
    player = tokens.player_tokens(floor.house.pk, [EXCLUDED], new=True)[EXCLUDED]
    exclusions.exclude(
        floor.act("sela"), player=player, since=evening.day,
        until=evening.day + timedelta(days=182), reason="Asked for it at the door.",
    )  # fmt: skip


def turned_away(evening: Evening) -> None:
    """They ask for a seat all the same, and get none."""
    floor = evening.floor
    free = [each for each in floor.house.tables.all() if each not in floor.games.values()]
    raw = {
        "do": "open", "command_id": str(uuid.uuid4()), "game": "river",
        "players": [{"name": EXCLUDED, "stake": 20}, {"name": "Ada", "stake": 20}],
    }  # fmt: skip
    answer = operations.open_game(
        by=floor.person("tomas"), table=free[0], raw=raw, now=floor.clock.now, device=TABLET
    )
    assert answer.refusal is not None


def found_out(evening: Evening) -> None:
    """Surveillance has found the loaded die: the alarm is acknowledged, the set withdrawn."""
    for alarm in Alarm.objects.filter(establishment=evening.floor.house.pk, open=True):
        dice.acknowledged(evening.floor, alarm)
    dice.withdrawn(evening.floor, dice.LOADED_SET)


def destroyed(evening: Evening) -> None:
    """Two people destroy the set."""
    dice.destroyed(evening.floor, dice.LOADED_SET)
    dice.received(evening.floor, "S-06")


def handed_out(evening: Evening) -> None:
    """Who has won a prize of the scoreboard so far, and is here, takes it home."""
    floor = evening.floor
    for prize in list(players.prizes_owed(floor.house))[::2]:
        floor.clock.passes(minutes=2)
        prizes.hand_out(floor.act("sela"), position=prize.position)


ON: Final[Mapping[int, Sequence[Happens]]] = {
    2: (fill,),
    4: (dispute,),
    6: (sent_late,),
    8: (short,),
    9: (credit,),
    11: (excluded, written_down),
    13: (miscount, turned_away),
    16: (dispute,),
    18: (fill,),
    21: (over,),
    22: (destroyed,),
    23: (sent_late,),
    25: (short, dispute),
    27: (written_down,),
    28: (credit,),
    31: (fill, handed_out),
    34: (open_dispute, written_down),
}
"""The evenings, counted from 0, on which something happens amid the play."""
BEFORE: Final[Mapping[int, Sequence[Happens]]] = {21: (found_out,)}
"""What happens before the first game, when no dice lie on a table."""

"""The demo house's people at work: games played act by act, and the acts beside the play."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from casino.demo.acts import Somebody, by_the_house
from casino.house.acts import accounts, acts, custody
from casino.house.acts.game_streams.loading import GameKey, load
from casino.house.attendants.models import Attendant
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.cash import counting, fees
from casino.play.core import operations, queries, rollover_delivery
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.play.settlement.models import Scoreboard
from casino.play.settlement.subscriber import SETTLEMENT
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.operations import Changing
from ledger import journal, money, subscriptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date
    from random import Random

    from casino.house.acts.custody import Purpose
    from casino.house.establishments.models import Establishment, Table
    from casino.play.core.core import Answer
    from tests.past.pinned import Clock

TABLET, OFFICE = "tablet-1", "office"
NO_DIE: Final = ("", 0.0)
SECOND_PERSON: Final = frozenset({"approve", "reject", "witness", "resolve"})
GUESTS: Final = (
    "Ada", "Bo", "Cyd", "Dara", "Elio", "Fenn", "Gil", "Hana", "Ivo", "Juna", "Kit", "Lio",
)  # fmt: skip
SELDOM: Final = {  # how likely an act is when the game offers it; other acts: always
    "close": 0, "void": 1 / 40, "reject": 0, "approve": 1, "resolve": 0, "witness": 1, "dispute": 0,
    "handover": 0, "change_dice": 0, "cash_out": 0, "pause": 0, "leave": 1 / 60, "join": 1 / 30,
    "buy_in": 1 / 12, "no_throw": 1 / 50, "stand": 1 / 2, "pass": 1 / 3, "withdraw": 1 / 20,
}  # fmt: skip


class NotAsWritten(Exception):  # noqa: N818 - names the fact
    """The house refused what the story needs; the message says what and why."""


@dataclass
class Floor:
    """
    The house and who works there.

    :param loaded: the id of the dice set of which one die is loaded, and how often that die comes
        to rest on its highest face instead of anywhere.
    """

    house: Establishment
    clock: Clock
    chance: Random
    loaded: tuple[str, float] = NO_DIE
    games: dict[uuid.UUID, Table] = field(default_factory=dict)
    """The games that run, and where."""

    def person(self, username: str) -> Attendant:
        return Attendant.objects.get(username=username)

    def act(self, username: str, *, device: str = OFFICE, do: str = "") -> acts.Act:
        return acts.Act(
            house=self.house,
            by=self.person(username),
            device=device,
            now=self.clock.now,
            command_id=uuid.uuid4(),
            request={"do": do} if do else {},
        )

    # --- What workers do

    def books(self) -> None:
        """Settlement reads what has been decided."""
        while subscriptions.advance(SETTLEMENT, establishment=self.house.pk).lag:
            pass

    def catches_up(self) -> None:
        """Every subscriber reads everything, and rollovers arrive where they are awaited."""
        behind = True
        while behind:
            for each in SUBSCRIBERS:
                while subscriptions.advance(each, establishment=self.house.pk).lag:
                    pass
            rollover_delivery.deliver(self.house.pk)
            behind = any(
                subscriptions.lag(each.name, establishment=self.house.pk) for each in SUBSCRIBERS
            )

    # --- Games

    def opens(self, game: str, table: Table, by: str) -> uuid.UUID:
        """Open a game by the house's rules."""
        raw = {**by_the_house(game, GUESTS, self.chance), "command_id": str(uuid.uuid4())}
        for seat in raw["players"]:
            seat["stake"] = max(seat["stake"], 8)
        answer = operations.open_game(
            by=self.person(by), table=table, raw=raw, now=self.clock.now, device=TABLET
        )
        self.taken(answer, raw)
        self.games[answer.key.game] = table
        self.catches_up()
        return answer.key.game

    def state(self, game: uuid.UUID) -> dict[str, Any]:
        return queries.state(load(GameKey(self.house.pk, game)))

    def plays(self, game: uuid.UUID, by: str) -> bool:
        """One act of somebody at the table, by chance; False if the game offers none."""
        state = self.state(game)
        somebody = Thrower(state, self.chance, GUESTS, alike=0, loaded=self.loaded)
        rows = [row for row in state["offers"] if somebody.may(row) and self._chosen(row["do"])]
        if not rows:
            return bool(state["status"] != "closed")
        command = somebody.does(self.chance.choice(rows))
        answer = self.puts(game, "sela" if command["do"] in SECOND_PERSON else by, **command)
        return answer.refusal is None or bool(state["status"] != "closed")

    def _chosen(self, do: str) -> bool:
        return self.chance.random() < SELDOM.get(do, 1)

    def puts(self, game: uuid.UUID, by: str, /, **command: Any) -> Answer:
        """Put a command to a game; it may be refused."""
        answer = operations.command(
            by=self.person(by),
            house=self.house,
            game=game,
            raw={"command_id": str(uuid.uuid4()), **command},
            now=self.clock.now,
            device=TABLET,
        )
        self.books()
        return answer

    def does(self, game: uuid.UUID, by: str, /, **command: Any) -> list[Any]:
        """Put a command that the story needs; its events."""
        answer = self.puts(game, by, **command)
        self.taken(answer, command)
        return answer.events()

    def taken(self, answer: Answer, command: Any) -> None:
        """:raises NotAsWritten: if a command was refused."""
        if answer.refusal is not None:
            raise NotAsWritten(f"{command}: {answer.refusal.code}, {answer.refusal.detail}")

    def ends(self, game: uuid.UUID, by: str) -> None:
        """Close a game, and pay every player their stake, once no void is asked for any more."""
        state = self.state(game)
        somebody = Thrower(state, self.chance, GUESTS, alike=0, loaded=self.loaded)
        for row in state["offers"]:
            if row["do"] == "reject":
                self.does(game, "sela", **somebody.does(row))
        if self.state(game)["status"] == "open":
            self.does(game, by, do="close")
        self.catches_up()
        state = self.state(game)
        for player, stake in state["stakes"].items():
            if (free := stake - state["held"][player]) > 0:
                self.clock.passes(seconds=self.chance.randint(5, 20))
                self.does(game, by, do="cash_out", player=player, amount=free)
        del self.games[game]

    # --- Cash

    def both(self, people: Sequence[str], counts: Callable[[acts.Act], object]) -> None:
        """Two people do the same, one after the other."""
        for username in people:
            self.clock.passes(seconds=self.chance.randint(20, 60))
            counts(self.act(username, device=TABLET))

    def counts(
        self, table: Table, purpose: Purpose, people: Sequence[str], found: custody.Sheet
    ) -> None:
        self.both(
            people,
            lambda act: counting.count(act, table=table, purpose=purpose, sheet=found),
        )

    def counts_fees(self, table: Table, people: Sequence[str]) -> None:
        found = self.sheet(money.balance(
            accounts.fee_box(str(table.pk)), establishment=self.house.pk
        ))  # fmt: skip
        self.both(people, lambda act: fees.count(act, table=table, sheet=found))

    def float_of(self, table: Table) -> int:
        return money.balance(accounts.table_float(str(table.pk)), establishment=self.house.pk)

    def sheet(self, amount: int) -> custody.Sheet:
        """An amount in the house's pieces, the greatest first."""
        found = {}
        for each in custody.denominations(self.house):
            pieces, amount = divmod(amount, each.value)
            if pieces:
                found[str(each.value)] = pieces
        return found

    # --- Requests

    def approved(self, asked: acts.Act, by: str = "orso", reason: str = "") -> None:
        request = requests.id_of(self.house.pk, asked.command_id)
        self.clock.passes(minutes=3)
        approvals.decide(self.act(by), request, approve=True, reason=reason)

    # --- Scoreboards

    def keeps_seasons(self, length: str, until: date | None = None) -> None:
        """Set how long the seasons of each scoreboard are, from the next one on."""
        for board in Scoreboard.objects.filter(establishment=self.house):
            self.clock.passes(minutes=1)
            configuration.put(self.act("orso"), Changing(board, {"season": length, "until": until}))

    def head(self) -> int:
        return journal.head(establishment=self.house.pk) + 1


@dataclass(frozen=True)
class Thrower(Somebody):
    """Somebody at a table whose dice set may have a loaded die."""

    loaded: tuple[str, float] = NO_DIE

    def rolled(self, count: int, sides: int) -> list[int]:
        dice = super().rolled(count, sides)
        dice_set, share = self.loaded
        if self.state["dice_set"] == dice_set and self.chance.random() < share:
            dice[0] = sides
        return dice

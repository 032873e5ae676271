"""
What the house owes players, by account, and how it is paid at the cage: prizes, late cash-outs
(P3).

What the house owes stays in the ledger, however old it is, until it is handed over. A prize above
the house's large-prize threshold takes two people, and so does any stake that is paid after its
game: one person asks, another approves, and the money moves with the approval (A7).
"""

from __future__ import annotations

import re
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import accounts, acts, custody
from casino.house.acts.game_streams import catalogue
from casino.house.acts.game_streams.loading import GameKey, load
from casino.kit.approvals import kinds
from casino.kit.approvals import operations as approvals
from casino.money.cash import moving
from casino.money.cash.models import Owed
from casino.money.cash.moving import beyond_the_cage, cage_gives, move
from casino.play.core import commands, consequences
from casino.play.core.commands import Who
from casino.play.settlement import payout_holds, settled
from casino.play.settlement.settled import PRIZE_ISSUED
from casino.words.languages.amounts import money
from games.refusals import Refused
from ledger import journal, keyed
from ledger.accounts import PLAYERS_MONEY, AccountRef, Kind
from ledger.canonical import INTEGER_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date, datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.approvals.requests import Request
    from ledger.wire import StoredEvent

PRIZE: Final = "prize"
LATE: Final = "late_cash_out"
HANDED_OUT: Final = "prize.handed_out"
TOO_SMALL: Final = "bring money into it first. P3"
"""What to do if the cage holds less than is asked for."""


class NoSuchPrize(Refused):
    code = "no_such_prize"


class HandedOutAlready(Refused):
    code = "handed_out_already"


class TakesTwo(Refused):
    code = "takes_two"


class HouseSeat(Refused):
    code = "house_seat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """A prize that somebody has won, as settlement issued it."""

    position: int
    player: str
    prize: str
    amount: int
    event_id: uuid.UUID

    @property
    def stream(self) -> str:
        """The stream of the prize. It has at most one event: a prize is handed out once."""
        return f"prize/{self.event_id}"


def prize_of_event(house: Establishment, position: int) -> Issued:
    """
    A prize by the position of the event that issued it.

    :raises NoSuchPrize: if no prize was issued there.
    """
    countable = 0 <= position <= INTEGER_MAX
    rows = journal.read(establishment=house.pk, after=position - 1, limit=1) if countable else ()
    if not rows or rows[0].position != position or rows[0].event_type != PRIZE_ISSUED:
        raise NoSuchPrize(f"No prize was issued at position {position}. P3")
    data = rows[0].data
    return Issued(
        position=position,
        player=data["player"],
        prize=data["prize"],
        amount=data["amount"],
        event_id=rows[0].event_id,
    )


def takes_two(house: Establishment, prize: Issued) -> bool:
    """Whether a prize is above the house's threshold, so that two people hand it out (A7)."""
    return prize.amount > house.large_prize


def hand_out(act: acts.Act, *, position: int) -> journal.Receipt:
    """
    Hand a prize to the player who has won it; the money comes from the cage.

    :param position: of the event that issued the prize.
    :raises NotYours: if the person may not record.
    :raises TakesTwo: if the prize is large: it has to be asked for (`ask_prize`).
    :raises OwnPrize: if the person who hands it out has won it.
    :raises Refused: `NoSuchPrize`, `HandedOutAlready`, `CageTooSmall`.
    """
    moving.person(act, "Somebody of the house hands it out, by name. P3")

    def decide() -> acts.Done:
        prize = prize_of_event(act.house, position)
        seen = moving.not_ones_own(act, prize.player)
        if takes_two(act.house, prize):
            raise TakesTwo(
                f"{prize.amount} is above the house's {act.house.large_prize}: ask for it, and"
                " another person approves. A7"
            )
        done = _hand_out(act.house, prize)
        return replace(done, guards={**done.guards, **seen})

    request = {"do": "hand_out", "position": position}
    return acts.perform(replace(act, request=request), decide)


def ask_prize(act: acts.Act, *, position: int, reason: str) -> journal.Receipt:
    """
    Ask for a prize to be handed out with the approval of a second person.

    :raises NotYours: if the person may not record.
    :raises Refused: `NoSuchPrize`; `HandedOutAlready`.
    """
    moving.person(act, "Somebody of the house hands it out, by name. P3")
    prize = prize_of_event(act.house, position)
    _not_yet(act.house, prize)
    return approvals.ask(
        act,
        kind=PRIZE,
        subject={"position": position, "player": prize.player, "prize": prize.prize},
        amount=prize.amount,
        reason=reason,
        players=[prize.player],
    )


def prize_approved(request: Request, by: Attendant, now: datetime) -> acts.Done:
    del by, now
    return _hand_out(request.house, prize_of_event(request.house, request.subject["position"]))


def _not_yet(house: Establishment, prize: Issued) -> None:
    """:raises HandedOutAlready: if the prize was handed out before."""
    last = journal.last(establishment=house.pk, stream=prize.stream)
    if last is not None:
        raise HandedOutAlready(
            f"This prize was handed out on {last.provenance.gaming_day}: position {last.position}."
            " P3"
        )


def _hand_out(house: Establishment, prize: Issued) -> acts.Done:
    _not_yet(house, prize)
    seen = payout_holds.pays(house.pk)
    event = journal.NewEvent(
        stream=prize.stream,
        event_type=HANDED_OUT,
        schema_version=1,
        data={"issued": prize.position, "player": prize.player, "amount": prize.amount},
    )
    owed = accounts.prizes_owed(prize.player)
    return acts.Done(
        guards={prize.stream: 0, **seen},
        events=[event],
        transfers=move(custody.cage(), owed, prize.amount, "prize_handed_out", 0),
        balances=_from_the_cage(house, prize.amount),
    )


def _from_the_cage(house: Establishment, amount: int) -> dict[journal.AccountRef, int]:
    """:raises CageTooSmall: if the cage holds less than the amount."""
    return cage_gives(house.pk, amount, otherwise=TOO_SMALL)


def ask_late(
    act: acts.Act, *, game: uuid.UUID, player: str, amount: int, reason: str
) -> journal.Receipt:
    """
    Ask for a stake that a player left in a game to be paid at the cage.

    :param player: token of the player.
    :raises NotYours: if the person may not record.
    :raises Refused: if the game's rules refuse the cash-out: the game runs and the player still
        plays, the amount is more than the stake, or the stake is not booked yet; `HouseSeat`.
    """
    moving.person(act, "Somebody of the house pays out, by name. P3")
    who = Who(attendant=act.actor, device="", now=act.now, plays_as="")  # not sent from a table
    _cash_out(act.house, game, player, amount, who)
    return approvals.ask(
        act,
        kind=LATE,
        subject={"game": str(game), "player": player},
        amount=amount,
        reason=reason,
        players=[player],
    )


def late_approved(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    Carry out an approved late cash-out, paid from the cage.

    It is recorded as a cash-out of the game, so that the game's stakes and voids include it.
    """
    who = Who(attendant=str(by.pk), device="", now=now, plays_as="")
    subject, amount = request.subject, request.amount or 0
    game = uuid.UUID(subject["game"])
    return _cash_out(request.house, game, subject["player"], amount, who)


def _cash_out(
    house: Establishment, game: uuid.UUID, player: str, amount: int, who: Who
) -> acts.Done:
    """
    Decide a late cash-out by the rules of the game.

    :raises Refused: if the rules refuse it, or the cage holds too little.
    """
    loaded = load(GameKey(house.pk, game))
    if player in consequences.house_seats(loaded):
        raise HouseSeat("This is the house's own seat: its money goes back to the bank. G8")
    command = commands.put_in_context(
        loaded.ruleset,
        {"player": player, "amount": amount},
        do="cash_out",
        who=who,
        around=loaded,
    )
    facts = loaded.ruleset.decider.decide(command, loaded.state)
    seen = settled.leaves(loaded, player, amount)
    events = []
    for fact in facts:
        event_type, data = catalogue.event_of_fact(loaded.ruleset, fact, loaded.place)
        events.append(
            journal.NewEvent(
                stream=loaded.key.stream, event_type=event_type, schema_version=1, data=data
            )
        )
    return acts.Done(
        guards={loaded.key.stream: loaded.version, **seen},
        events=events,
        transfers=move(custody.cage(), accounts.stake(game, player), amount, LATE, 0),
        balances=_from_the_cage(house, amount),
    )


def tells(request: Request) -> str:
    """The sentence that tells whoever decides what will happen; it has the player's token."""
    values = {
        "amount": money(request.amount),
        "player": request.subject["player"],
        "prize": request.subject.get("prize", ""),
    }
    if request.kind == LATE:
        return _("%(player)s gets %(amount)s of their stake at the cage.") % values
    return _("%(player)s gets the prize “%(prize)s”, %(amount)s.") % values


def _too_large(requests: Sequence[Request]) -> list[str]:
    return beyond_the_cage(requests, TOO_SMALL)


REQUESTS: Final = {
    name: kinds.Kind(
        title=title,
        act="approve",
        carry_out=act,
        tells=kinds.each(tells),
        refusals=_too_large,
    )
    for name, title, act in (
        (PRIZE, gettext_lazy("Prize"), prize_approved),
        (LATE, gettext_lazy("Late cash-out"), late_approved),
    )
}


# The projection of what the house owes players, by account (P3).


ROWS = (Owed,)
OF_PLAYERS = frozenset({Kind.STAKE, Kind.PRIZES_OWED, Kind.RECEIVABLE})
OF_A_GAME = frozenset({Kind.STAKE, Kind.POT, Kind.HELD})
_PLAYER = re.compile(r"(?:^|/)(p-[a-z2-9]{12})$")


def handle_owed(event: StoredEvent) -> None:
    """Handle one event, as a batch of one."""
    with batch_owed(event.establishment) as taken:
        taken(event)


@contextmanager
def batch_owed(establishment: UUID) -> Iterator[Callable[[StoredEvent], None]]:
    """Collect what the events of a batch change in what players are owed; write it at the end."""
    owed: dict[AccountRef, Owing] = {}
    yield partial(_take, owed=owed)
    for account, owing in owed.items():
        _owes(establishment, account, owing)
    if owed:
        names = [account.name for account in owed]
        Owed.objects.filter(establishment=establishment, name__in=names, amount=0).delete()


class Owing(NamedTuple):
    """By how much a batch changes an account, and when it was last changed."""

    more: int
    changed_at: datetime
    gaming_day: date


def _take(event: StoredEvent, owed: dict[AccountRef, Owing]) -> None:
    provenance = event.provenance
    for transfer in event.transfers:
        amount = transfer["amount"]
        for side, more in (("debit", -amount), ("credit", amount)):
            account = AccountRef.parse(transfer[side])
            if account.kind in PLAYERS_MONEY:
                before = owed[account].more if account in owed else 0
                owed[account] = Owing(before + more, provenance.recorded_at, provenance.gaming_day)


def player_of(account: AccountRef) -> str | None:
    """The token of the player whose account this is; None for an account of the house."""
    found = _PLAYER.search(account.name) if account.kind in OF_PLAYERS else None
    return found.group(1) if found else None


def game_of(account: AccountRef) -> UUID | None:
    """The game of an account of a stake, a pot or held money; None for other accounts."""
    if account.kind not in OF_A_GAME:
        return None
    try:
        return UUID(account.name.partition("/")[0])
    except ValueError:
        return None


def _owes(establishment: UUID, account: AccountRef, owing: Owing) -> None:
    changed = {"changed_at": owing.changed_at, "gaming_day": owing.gaming_day}
    if not keyed.change(
        OWES, owing.more, *changed.values(), establishment, account.kind.value, account.name
    ):
        Owed.objects.create(
            establishment_id=establishment,
            kind=account.kind.value,
            name=account.name,
            player=player_of(account) or "",
            game=game_of(account),
            amount=owing.more,
            **changed,
        )


OWES = """
    UPDATE cash_owed SET amount = amount + %s, changed_at = %s, gaming_day = %s
    WHERE establishment_id = %s AND kind = %s AND name = %s"""

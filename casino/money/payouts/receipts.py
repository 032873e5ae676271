"""
Receipts of payouts: the proof of the event that booked a payout, and what became of the payout.

A receipt proves the settlement event that booked a payout (C2SP tlog-proof). Later events say
whether the payout was paid, held or reversed since. The holder of a receipt asks the house for
them, with the position of the event and the hash of its leaf. Nobody can guess this hash, because
an event contains random ids.
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import segno
from django.urls import reverse
from django.utils.crypto import salted_hmac

from casino.house.acts.game_streams.loading import GameKey, load
from casino.house.attendants.pseudonyms import tokens
from casino.money.payouts import queries
from casino.money.payouts.explained import Explained
from casino.play.settlement.models import Payout
from casino.words.languages import spelled
from casino.words.languages.spreadsheets import in_base64
from casino.words.presenters import PRESENTERS, TITLES
from casino.words.presenters.presenter import account
from games.payments import RESERVED
from ledger import proofs
from ledger.journal import read
from ledger.models import Event
from ledger.tiles import Altered, Tiles
from ledger.verify import Untrue, check_consistency, leaf_hash

if TYPE_CHECKING:
    from datetime import date
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from casino.money.payouts.queries import Step
    from ledger.models import Checkpoint
    from ledger.verify import Link, Receipt
    from ledger.wire import StoredEvent


@dataclass(frozen=True, slots=True)
class Recorded:
    """
    An event that is in the ledger.

    :param covered: the newest checkpoint, if it covers the event; None: none does yet.
    """

    event: StoredEvent
    covered: Checkpoint | None


@dataclass(frozen=True, slots=True)
class Continued:
    """
    A checked proof that a checkpoint continues an older one.

    :param old_root: root of the first `link.old_size` events.
    """

    link: Link
    old_root: bytes


@dataclass(frozen=True, slots=True)
class Became:
    """A payout that an event booked, with its history."""

    row: Payout
    steps: tuple[Step, ...]


def proven(establishment: UUID, position: int, *, size: int | None = None) -> Receipt:
    """
    The receipt of an event. It is checked before it is handed out, so every receipt is valid.

    :param size: size of the checkpoint to prove the event against; None: the newest.
    :raises NotCovered: if there is no such checkpoint, or it does not cover the event.
    :raises Altered: if the ledger is not what was signed.
    """
    try:
        receipt = proofs.receipt(establishment, position, size=size)
        receipt.check()
    except (Untrue, Event.DoesNotExist):
        raise _alteration(position, position) from None
    return receipt


def prove_continues(establishment: UUID, old: int, new: int) -> Continued:
    """
    The checked proof that the checkpoint of `new` events continues the first `old` of them.

    :param old: from 1 to `new`; the house need not have a checkpoint of this size.
    :raises NotCovered: if no checkpoint of the new size was signed.
    :raises Altered: if the ledger is not what was signed.
    """
    link = proofs.link(establishment, old, new)
    root = Tiles(establishment).root(old)
    try:
        check_consistency(
            old_size=old, old_root=root,
            size=new, root=link.checkpoint.root, proof=link.proof,
        )  # fmt: skip
    except Untrue:
        raise _alteration(0, new - 1) from None
    return Continued(link, root)


def event_of_leaf(establishment: UUID, position: int, leaf: bytes) -> Recorded | None:
    """
    The event at a position, if its leaf has the given hash; None if the ledger has no such event.

    :raises Altered: if the event is in the ledger, but not in the tree that was signed.
    """
    found = read(establishment=establishment, after=position - 1, limit=1)
    if not found or found[0].position != position:
        return None
    if not hmac.compare_digest(leaf_hash(found[0].body), leaf):
        return None
    try:
        covered = proofs.covering(establishment, position)
    except proofs.NotCovered:
        return Recorded(found[0], None)
    proven(establishment, position, size=covered.size)
    return Recorded(found[0], covered)


def became(establishment: UUID, position: int) -> list[Became]:
    """The payouts that an event booked, in its order, with their histories."""
    rows = Payout.objects.filter(establishment=establishment, position=position).order_by("seq")
    return [Became(row, tuple(queries.history(row))) for row in rows]


def _alteration(first: int, last: int) -> Altered:
    return Altered("The book is not what was signed.", first=first, last=last)


# The printed receipt of a payout: everything that stands on it, and its QR code.


SHORT = 16  # characters of a root that a person compares


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """
    The contents of a receipt. It has names, because it goes to the player; the ledger has none.

    :param title: title of the game.
    :param payee: and `payer`: players, or the game's name for its pot.
    :param sentences: the throws that decided the round, and why the payout was made.
    :param fee: what the house takes, as the game's opening recorded it, like the rules (A4); "" for
        nothing. :param point: what a point was worth (G11); "" where it needs no words.
    :param leaf: the hash of the event's leaf, in hex.
    :param covered: the checkpoint that covers the event; None: none does yet.
    """

    row: Payout
    title: str
    payee: str
    payer: str
    sentences: tuple[str, ...]
    fee: str
    point: str
    rules_version: int
    leaf: str
    covered: Checkpoint | None

    @property
    def rules(self) -> list[str]:
        return self.row.rules.split()

    @property
    def waits_for(self) -> list[str]:
        """What the part of the payout that is held waits for, in words."""
        return [reason["says"] for reason in queries.reasons(self.row)]

    @property
    def root(self) -> str:
        """The beginning of the checkpoint's root in base64, as in the checkpoint's note."""
        return in_base64(bytes(self.covered.root))[:SHORT] if self.covered else ""

    @property
    def address(self) -> str:
        """The address of the online check, where its holder can ask what became of the payout."""
        return address(self.row.establishment_id, self.row.position, self.leaf)


def url(row: Payout) -> str:
    """The address of the page of a payout's receipt."""
    return reverse("receipt", args=[row.game, row.cause, row.seq])


def of_round(house: UUID, game: UUID, number: int) -> list[dict[str, Any]]:
    """The booked payouts of a round with the addresses of their receipts; names are tokens."""
    rows = queries.payouts_of(house).filter(game=game, round=number).order_by("position", "seq")
    return [
        {"to": row.payee, "amount": row.amount, "state": row.state, "url": url(row)} for row in rows
    ]


def of(house: Establishment, row: Payout) -> Slip:
    """The contents of the receipt of a payout, as it stands now."""
    loaded = load(GameKey(house.pk, row.game))
    presenter = PRESENTERS[loaded.ruleset.id]
    sentences = Explained(house, [row]).sentences(row)
    ends = [account(name, presenter) for name in (row.payee, row.payer)]
    payee, payer, *texts = tokens.resolve(house.pk, [*ends, *sentences])
    [event] = read(establishment=house.pk, after=row.position - 1, limit=1)
    return Slip(
        row=row,
        title=str(TITLES[loaded.ruleset.id]),
        payee=payee,
        payer=payer,
        sentences=tuple(sentence for sentence in texts if sentence),
        fee=presenter.terms(loaded)["fee"],
        point=presenter.terms(loaded)["point"],
        rules_version=loaded.ruleset.version,
        leaf=leaf_hash(event.body).hex(),
        covered=_checkpoint_of(row),
    )


def _checkpoint_of(row: Payout) -> Checkpoint | None:
    try:
        return proofs.covering(row.establishment_id, row.position)
    except proofs.NotCovered:
        return None


def address(establishment: UUID, position: int, leaf: str) -> str:
    """The address where the holder of a receipt learns what became of it, without signing in."""
    return reverse("ledger-check", args=[establishment, position, leaf])


def qr(address: str) -> str:
    """An address as a QR code: inline SVG, always black on white."""
    code = segno.make(address, error="m", micro=False)
    return code.svg_inline(border=4, omitsize=True, dark="#000", light="#fff")


# The code on a payout's slip, which opens the guests' page of that payout.
#
# It holds the place of the payout and a hash keyed by the house, of 132 bits: nobody guesses it,
# and nobody makes it from another one. It names no player.


SALT: Final = "casino.money.payouts.receipts"
CODE: Final = re.compile(r"([0-9]{1,15})-([0-9]{1,4})-([A-Za-z0-9_-]{22})")
LASTS: Final = timedelta(days=7)
"""How long a code tells what its player did, from the gaming day of the payout on."""


def code_of(house: Establishment, row: Payout) -> str:
    """The code of a payout to a player of the house."""
    return f"{row.position}-{row.seq}-{sign(house, SALT, row.position, row.seq)}"


def row_of(house: Establishment, code: str) -> Payout | None:
    """The payout that a code is of; None if the house gave out no such code."""
    found = CODE.fullmatch(code)
    if found is None:
        return None
    position, seq = int(found[1]), int(found[2])
    if not hmac.compare_digest(sign(house, SALT, position, seq), found[3]):
        return None
    return queries.payouts_of(house.pk).filter(position=position, seq=seq).first()


def tells(row: Payout, today: date) -> bool:
    """Whether the code of a payout still tells what its player did that day."""
    return today <= row.gaming_day + LASTS


def address_of_code(house: Establishment, row: Payout) -> str:
    """The guests' page of a payout; "" if the house has none, or the payout is no player's."""
    if not house.guests or row.payee in RESERVED:
        return ""
    return reverse("guests-slip", args=[spelled.compact(house.pk), code_of(house, row)])


def sign(house: Establishment, salt: str, *place: int) -> str:
    """The end of a code that is about a place in the ledger; `salt` says what kind of code."""
    about = "/".join(map(str, (house.pk, *place)))
    mac = salted_hmac(salt, about, secret=bytes(house.secret).hex(), algorithm="sha256").digest()
    return urlsafe_b64encode(mac).decode()[:22]

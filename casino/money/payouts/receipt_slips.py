"""The printed receipt of a payout: everything that stands on it, and its QR code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import segno
from django.urls import reverse

from casino.house.game_streams.loading import GameKey, load
from casino.house.pseudonyms import tokens
from casino.money.payouts import queries
from casino.money.payouts.explained import Explained
from casino.words.presenters import PRESENTERS, TITLES
from casino.words.presenters.presenter import account
from casino.words.text.encodings import in_base64
from ledger import proofs
from ledger.journal import read
from ledger.verify import leaf_hash

if TYPE_CHECKING:
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from casino.play.settlement.models import Payout
    from ledger.models import Checkpoint

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
    sentences = _sentences(house, row)
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


def _sentences(house: Establishment, row: Payout) -> tuple[str, ...]:
    """
    The sentences of a receipt, with tokens instead of names.

    For a voided payout it only says that it was voided, because its round may have been played
    again.
    """
    explained = Explained(house, [row])
    if row.state == row.State.REVERSED:
        return (explained.why(row),)
    return tuple(dict.fromkeys((explained.how(row), explained.why(row))))


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

"""
The code on a payout's slip, which opens the guests' page of that payout.

It holds the place of the payout and a hash keyed by the house, of 132 bits: nobody guesses it, and
nobody makes it from another one. It names no player.
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.crypto import salted_hmac

from casino.money.payouts import queries
from casino.words.text import spelled
from games.payments import RESERVED

if TYPE_CHECKING:
    from datetime import date

    from casino.house.establishments.models import Establishment
    from casino.play.settlement.models import Payout

SALT: Final = "casino.money.payouts.slip_codes"
CODE: Final = re.compile(r"([0-9]{1,15})-([0-9]{1,4})-([A-Za-z0-9_-]{22})")
LASTS: Final = timedelta(days=7)
"""How long a code tells what its player did, from the gaming day of the payout on."""


def of(house: Establishment, row: Payout) -> str:
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


def address(house: Establishment, row: Payout) -> str:
    """The guests' page of a payout; "" if the house has none, or the payout is no player's."""
    if not house.guests or row.payee in RESERVED:
        return ""
    return reverse("guests-slip", args=[spelled.compact(house.pk), of(house, row)])


def sign(house: Establishment, salt: str, *place: int) -> str:
    """The end of a code that is about a place in the ledger; `salt` says what kind of code."""
    about = "/".join(map(str, (house.pk, *place)))
    mac = salted_hmac(salt, about, secret=bytes(house.secret).hex(), algorithm="sha256").digest()
    return urlsafe_b64encode(mac).decode()[:22]

"""The link that founds a house: made at the console, valid for a week and for one house."""

from __future__ import annotations

import uuid
from typing import Final
from urllib.parse import urlencode

from django.core import signing
from django.urls import reverse

from casino.house.establishments.models import Establishment
from games.refusals import Refused

SALT: Final = "home-throw.set-up"
HOLDS: Final = 7 * 24 * 3600  # seconds
NAMESPACE: Final = uuid.UUID("5d1f0a5c-6f0e-5d0b-9b63-2f2f4f8d1c11")


class LinkSpent(Refused):
    code = "link_spent"


def key() -> str:
    """The key of a link that founds one house within a week."""
    return signing.dumps(uuid.uuid4().hex, salt=SALT)


def address(base: str) -> str:
    """
    A link that founds one house.

    :param base: the address of this installation, for example ``https://house.example/``.
    """
    query = urlencode({"key": key()})
    return f"{base.rstrip('/')}{reverse('found')}?{query}"


def house_of(secret: str) -> uuid.UUID:
    """
    The id of the house that a link founds or has founded.

    :raises LinkSpent: if the link was not made by this installation, or is too old.
    """
    try:
        nonce = signing.loads(secret, salt=SALT, max_age=HOLDS)
    except signing.BadSignature:
        raise LinkSpent(
            "This link does not hold, or no longer: the command setup makes another."
        ) from None
    return uuid.uuid5(NAMESPACE, nonce)


def unspent(secret: str) -> uuid.UUID:
    """
    The id of the house that a link founds, like `house_of`.

    :raises LinkSpent: also if the house has been founded already.
    """
    house = house_of(secret)
    if Establishment.objects.filter(pk=house).exists():
        raise LinkSpent("A house was founded with this link already: sign in, and go on there.")
    return house

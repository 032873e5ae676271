"""
Authentication by tokens: random, stored as a hash with an expiry, ``Authorization: Bearer …``.

The settings name this module, so it imports no views.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from knox import auth
from knox.crypto import hash_token
from knox.models import AuthToken
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed

from casino.engine.databases import compiled
from casino.house.attendants import permissions
from casino.house.attendants.assurance import TokenAssurance
from casino.house.attendants.models import Attendant

if TYPE_CHECKING:
    from rest_framework.request import Request

CHALLENGE: Final = 'Bearer realm="Home Throw"'
SCHEMES: Final = frozenset({b"bearer", b"token"})
BY_DIGEST: Final = """
    FROM knox_authtoken JOIN attendants_attendant ON attendants_attendant.id = user_id
    LEFT JOIN attendants_employment AS works
        ON works.attendant_id = attendants_attendant.id AND works.until IS NULL
    LEFT JOIN establishments_establishment AS house ON house.id = works.establishment_id
    WHERE digest = %s"""


class TokenAuthentication(auth.TokenAuthentication):  # type: ignore[misc]  # published untyped
    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """:raises AuthenticationFailed: if the token that was sent is unknown or has expired."""
        scheme, _, token = get_authorization_header(request).partition(b" ")
        if scheme.lower() not in SCHEMES:
            return None
        if not token.strip().isalnum():  # bytes: ASCII letters and digits
            raise AuthenticationFailed("This is no token.")
        person, kept = self.authenticate_credentials(token.strip())
        person.standing = TokenAssurance(kept)
        return person, kept

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        """
        The person and the stored token, found by the whole hash, in one query that also reads where
        the person works and how those houses show times and amounts. Expired tokens are not deleted
        here, but when a new token is issued.

        :raises AuthenticationFailed: if the token is unknown or has expired.
        """
        digest = hash_token(token.decode("ascii"))
        known = compiled.one((AuthToken, Attendant), permissions.WORK, BY_DIGEST, digest)
        if known is None:
            raise AuthenticationFailed("Invalid token.")
        (kept, person), works = known
        person.works_at = permissions.working(works)
        kept.user = person
        if kept.expiry is not None and kept.expiry <= timezone.now():
            raise AuthenticationFailed("Invalid token.")
        found: tuple[Any, Any] = self.validate_user(kept)
        return found

    def authenticate_header(self, request: Request) -> str:
        del request
        return CHALLENGE

"""API tokens for programs: issued for a name and a password, and revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib.auth import authenticate
from django.db import transaction
from django.http import Http404
from django.utils import timezone
from knox.models import AuthToken
from rest_framework import serializers, status
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from casino.house.attendants import factors, passwords, signins
from casino.house.attendants.models import Attendant, StrongToken
from casino.kit.web.api.authentication import CHALLENGE
from casino.kit.web.api.schema import describe_operation

if TYPE_CHECKING:
    from rest_framework.request import Request


class SignInThrottle(SimpleRateThrottle):
    """So many tries a minute from one address, in each web process."""

    scope = "tokens"

    def get_rate(self) -> str | None:
        return cast("str | None", api_settings.DEFAULT_THROTTLE_RATES[self.scope])

    def get_cache_key(self, request: Request, view: APIView) -> str:
        del view
        return self.cache_format % {"scope": self.scope, "ident": signins.address_of(request)}


class TokenGiven(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="Shown this once; the house keeps a hash of it.")
    expires_at = serializers.DateTimeField()


class Tokens(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (SignInThrottle,)

    class Input(serializers.Serializer[Any]):
        username = serializers.CharField(max_length=150)
        password = serializers.CharField(max_length=passwords.MOST, trim_whitespace=False)
        code = serializers.CharField(
            max_length=60,
            required=False,
            help_text="Of one's authenticator app, or a recovery code: the token may then approve"
            " and configure.",
        )

    def get_authenticate_header(self, request: Request) -> str:
        del request
        return CHALLENGE

    @describe_operation(
        "Sign in: a token for a name and a password",
        answers={201: TokenGiven},
        errors=(400, 401, 422, 429),
        request=Input,
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """
        A token holds for 30 days and may be revoked at any time. Tries are limited: 401 without
        another word after five in a quarter of an hour.

        Whoever has a second factor gives its `code` for a token that may approve and configure;
        one without records and looks.
        """
        given = self.Input(data=request.data)
        given.is_valid(raise_exception=True)
        data = given.validated_data
        person = authenticate(request, username=data["username"], password=data["password"])
        if not isinstance(person, Attendant):
            raise AuthenticationFailed("No attendant has this name and password.")
        if passwords.is_first(person):
            raise AuthenticationFailed(
                "This is a first password: sign in with it, and choose your own. D2"
            )
        now, place = timezone.now(), signins.where(request)
        way = ""
        if code := data.get("code"):
            way = factors.take_code(person=person, code=code, place=place, now=now)
        with transaction.atomic():
            AuthToken.objects.filter(user=person, expiry__lte=now).delete()
            kept, token = AuthToken.objects.create(person)
            if way:
                StrongToken.objects.create(token=kept)
        signins.note(
            signins.What.TOKEN_GIVEN, at=now, place=place, person=person, way=way or "password"
        )
        return Response(
            TokenGiven({"token": token, "expires_at": kept.expiry}).data,
            status=status.HTTP_201_CREATED,
            headers={"Cache-Control": "no-store"},
        )


class CurrentToken(APIView):
    @describe_operation(
        "Sign out: revoke the token of this request", answers={204: None}, errors=(404,)
    )
    def delete(self, request: Request) -> Response:
        """404 where the request came with a session instead of a token."""
        if not isinstance(request.auth, AuthToken):
            raise Http404
        request.auth.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)

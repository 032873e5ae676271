"""Parses bodies as JSON, strictly as the ledger does. The settings name it: it imports no views."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from django.conf import settings
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.parsers import BaseParser

from games import transcripts
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping


class TooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"
    default_detail = "The request is too large: send fewer commands at once."


class StrictJSONParser(BaseParser):
    """Parses JSON in UTF-8; refuses duplicate keys, NaN, too long numbers and too deep nesting."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """
        :raises Malformed: if the body is not such JSON.
        :raises TooLarge: if the body is longer than the settings allow.
        """
        del media_type, parser_context
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raw = stream.read(most + 1)
        if len(raw) > most:
            raise TooLarge
        try:
            return transcripts.loads(raw.decode())
        except UnicodeDecodeError:
            raise Malformed("The body is not UTF-8.") from None

"""A report's file as an answer: a small one in one piece, a large one as it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from django.http import FileResponse, HttpResponse
from django.utils.http import content_disposition_header

from casino.documents.writers import IN_MEMORY

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """:param content: open at its start; whoever sends it closes it."""

    name: str
    media_type: str
    content: BinaryIO


def sent(file: File, *, as_attachment: bool) -> HttpResponseBase:
    """It is closed here, or by the server that has sent it."""
    start = file.content.read(IN_MEMORY + 1)
    if len(start) > IN_MEMORY:
        file.content.seek(0)
        return FileResponse(
            file.content,
            filename=file.name,
            content_type=file.media_type,
            as_attachment=as_attachment,
        )
    file.content.close()
    return piece(start, file.name, file.media_type, as_attachment=as_attachment)


def piece(content: bytes, name: str, media_type: str, *, as_attachment: bool) -> HttpResponse:
    """Bytes that are there, under a file's name."""
    answer = HttpResponse(content, content_type=media_type)
    disposition = content_disposition_header(as_attachment=as_attachment, filename=name)
    answer["Content-Disposition"] = str(disposition)
    return answer

"""Sends a report's file as a response: a small file in one piece, a large one streamed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from django.http import FileResponse, HttpResponse
from django.utils.http import content_disposition_header

from casino.kit.documents.writers import IN_MEMORY

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """
    A file to send.

    :param content: open at its start; `send` takes care of closing it.
    """

    name: str
    media_type: str
    content: BinaryIO


def send(file: File, *, as_attachment: bool) -> HttpResponseBase:
    """A response with the file, which is closed here or, if streamed, by the server afterwards."""
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
    """A response with these bytes as a file of this name."""
    answer = HttpResponse(content, content_type=media_type)
    disposition = content_disposition_header(as_attachment=as_attachment, filename=name)
    answer["Content-Disposition"] = str(disposition)
    return answer

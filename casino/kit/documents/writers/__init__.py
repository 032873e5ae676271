"""
Writes a report to a file, one writer for each format, all from the same `Document`; and sends the
file as a response.

Writers write to a binary file while they read the lines, so a long report is never whole in memory;
a format that cannot be streamed (PDF) has a lower limit of lines. The writers of PDF and XLSX are
imported on first use: their libraries take longer to import than the pages that offer them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from django.http import FileResponse, HttpResponse
from django.utils.http import content_disposition_header

from casino.kit.documents.writers.as_text import write_csv, write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http.response import HttpResponseBase

    from casino.kit.documents.document import Document

SPREADSHEET: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
IN_MEMORY: Final = 2**20  # bytes; a longer report goes to a temporary file


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """
    A file format.

    :param name: its name in addresses, and the extension of the file.
    :param most: the largest number of lines that a file of this format may have.
    """

    name: str
    title: str
    media_type: str
    write: Callable[[Document, BinaryIO], None]
    most: int


def _write_xlsx(document: Document, file: BinaryIO) -> None:
    from casino.kit.documents.writers.as_xlsx import write_xlsx  # noqa: PLC0415 - see above

    write_xlsx(document, file)


def _write_pdf(document: Document, file: BinaryIO) -> None:
    from casino.kit.documents.writers.as_pdf import write_pdf  # noqa: PLC0415 - see above

    write_pdf(document, file)


FORMATS: Final[Mapping[str, Format]] = {
    each.name: each
    for each in (
        Format(
            name="json", title="JSON", media_type="application/json",
            write=write_json, most=200_000,
        ),
        Format(
            name="csv", title="CSV", media_type="text/csv; charset=utf-8",
            write=write_csv, most=200_000,
        ),
        Format(
            name="xlsx", title="XLSX", media_type=SPREADSHEET,
            write=_write_xlsx, most=200_000,
        ),
        Format(
            name="pdf", title="PDF", media_type="application/pdf",
            write=_write_pdf, most=20_000,
        ),
    )
}  # fmt: skip


def write(document: Document, form: Format) -> BinaryIO:
    """
    The report as a file in this format, open at its start. Closing the file deletes it.

    :raises TooLong: before any part of the file is returned.
    """
    spooled = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - whoever reads it closes it
    file = cast("BinaryIO", spooled)
    try:
        form.write(replace(document, most=min(form.most, document.most)), file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def filename(document: Document, form: Format) -> str:
    """The file's name: fees-2026-11-20.json, fees-2026-11-01-to-2026-11-30.json."""
    header = document.header
    days = (
        f"{header.since}" if header.since == header.until else f"{header.since}-to-{header.until}"
    )
    return f"{header.report}-{days}.{form.name}"


# Sends a report's file as a response: a small file in one piece, a large one streamed.


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """
    A file to send.

    :param content: open at its start; `send` takes care of closing it.
    """

    name: str
    media_type: str
    content: BinaryIO


def send_file(file: File, *, as_attachment: bool) -> HttpResponseBase:
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
    return send_bytes(start, file.name, file.media_type, as_attachment=as_attachment)


def send_bytes(content: bytes, name: str, media_type: str, *, as_attachment: bool) -> HttpResponse:
    """A response with these bytes as a file of this name."""
    answer = HttpResponse(content, content_type=media_type)
    disposition = content_disposition_header(as_attachment=as_attachment, filename=name)
    answer["Content-Disposition"] = str(disposition)
    return answer

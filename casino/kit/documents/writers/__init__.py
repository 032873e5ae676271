"""
Writes a report to a file: one writer for each format, all from the same `Document`.

Writers write to a binary file while they read the lines, so a long report is never whole in memory;
a format that cannot be streamed (PDF) has a lower limit of lines. The writers of PDF and XLSX are
imported on first use: their libraries take longer to import than the pages that offer them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from casino.kit.documents.writers.as_csv import write_csv
from casino.kit.documents.writers.as_json import write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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

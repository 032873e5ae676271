"""Formats for Italian: 22 novembre 2026, 22/11/2026, 20:14, 1.234,50. British but for the marks."""

from casino.words.languages.formats.en_GB.formats import *  # noqa: F403

DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."

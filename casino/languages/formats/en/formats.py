"""Formats for English without a country: as in Britain."""

from casino.languages.formats.en_GB.formats import *  # noqa: F403

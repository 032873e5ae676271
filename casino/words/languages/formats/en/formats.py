"""Formats for English without a country: as in Britain."""

from casino.words.languages.formats.en_GB.formats import *  # noqa: F403

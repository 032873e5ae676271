"""English, where no locale says more: as in Britain."""

from casino.languages.formats.en_GB.formats import *  # noqa: F403

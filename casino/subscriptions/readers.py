"""Who reads the ledger of a house: the subscribers that are woken, and the one that signs."""

from __future__ import annotations

from typing import Final

from casino.platform.house_subscriber import HOUSE
from casino.play.projections import PROJECTIONS
from casino.settlement.subscriber import SETTLEMENT
from casino.surveillance.subscriber import SURVEILLANCE
from ledger.checkpoints import INTEGRITY

SUBSCRIBERS: Final = (SETTLEMENT, PROJECTIONS, HOUSE, SURVEILLANCE)
READERS: Final = (*SUBSCRIBERS, INTEGRITY)
"""All that any sweep asks for. A house is quiet once each of them is at the head of its ledger."""

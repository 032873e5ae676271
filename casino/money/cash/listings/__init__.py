"""
The lists of cash: slips, floats, fee boxes, cage and bank.

Each list is declared in its own module and used from there. This module only collects them.
"""

from casino.money.cash.listings.fee_boxes import FEE_BOXES, FEE_DAYS, FEES_ANNOUNCED
from casino.money.cash.listings.floats import COUNTS, INVENTORY, SHIFTS, TABLES
from casino.money.cash.listings.slips import CAGE, REQUESTED_SLIPS, SLIPS

__all__ = [
    "CAGE",
    "COUNTS",
    "FEES_ANNOUNCED",
    "FEE_BOXES",
    "FEE_DAYS",
    "INVENTORY",
    "REQUESTED_SLIPS",
    "SHIFTS",
    "SLIPS",
    "TABLES",
]

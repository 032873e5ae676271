"""
The lists of cash: slips, floats, fee boxes, cage and bank.

Each is declared in a module of its own and used from there; here they stand together.
"""

from casino.cash.listings.bank import CAGE
from casino.cash.listings.fee_boxes import FEE_BOXES, FEE_DAYS, FEES_ANNOUNCED
from casino.cash.listings.floats import COUNTS, INVENTORY, SHIFTS
from casino.cash.listings.slips import SLIPS, SLIPS_ASKED
from casino.cash.listings.tables import TABLES

__all__ = [
    "CAGE",
    "COUNTS",
    "FEES_ANNOUNCED",
    "FEE_BOXES",
    "FEE_DAYS",
    "INVENTORY",
    "SHIFTS",
    "SLIPS",
    "SLIPS_ASKED",
    "TABLES",
]

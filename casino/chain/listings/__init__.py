"""The lists of a chain, by what they are of."""

from casino.chain.listings.days import DAYS
from casino.chain.listings.dice import TRANSFERS
from casino.chain.listings.houses import HOUSES
from casino.chain.listings.people import PEOPLE, SIGN_INS
from casino.chain.listings.proposals import PROPOSALS, ROLLED_OUT

__all__ = ["DAYS", "HOUSES", "PEOPLE", "PROPOSALS", "ROLLED_OUT", "SIGN_INS", "TRANSFERS"]

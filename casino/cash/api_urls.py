"""Addresses of cash in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.cash")

urlpatterns = [
    at("custody/", "custody_api.CustodyOfTables"),
    at(
        "tables/<uuid:table>/custody/",
        "custody_api.CustodyOfTable",
    ),
    at("slips/", "slips_api.Slips"),
    at("slips/<int:number>/", "slips_api.OneSlip"),
    at("counts/", "floats_api.Counts"),
    at("shifts/", "floats_api.Shifts"),
    at("inventory/", "floats_api.Inventory"),
    at("cage/", "cage_api.Cage"),
    at("fee-boxes/", "fee_box_api.FeeBoxes"),
    at("fee-boxes/<uuid:table>/counts/", "fee_box_api.FeeCounts"),
]

"""The addresses of the pages and the API of cash."""

from casino.kit.web import addresses

at = addresses.within("casino.money.cash")
lists = addresses.Lists("casino.money.cash")

pages = [
    at("", "pages.overview", name="cash"),
    at("slips/", "pages.slip_list", name="cash-slips"),
    at("slips/<int:number>/", "pages.slip", name="cash-slip"),
    at("inventory/", "pages.inventory", name="cash-inventory"),
    lists.page("shifts/", "SHIFTS", name="cash-shifts"),
    lists.page("counts/", "COUNTS", name="cash-counts"),
    at("tables/<uuid:table>/", "pages.table", name="cash-table"),
    at("tables/<uuid:table>/count/<slug:purpose>/", "pages.count", name="cash-count"),
    at("tables/<uuid:table>/call-off/", "pages.call_off", name="cash-call-off"),
    at("tables/<uuid:table>/sign/", "pages.sign", name="cash-sign"),
    at("tables/<uuid:table>/take/", "pages.take", name="cash-take"),
    at("tables/<uuid:table>/ask/<slug:kind>/", "pages.ask_slip", name="cash-ask"),
    at("tables/<uuid:table>/slips/<int:number>/", "pages.receive", name="cash-receive"),
]

fee_boxes = [
    at("", "fee_box_pages.fee_boxes", name="fee-boxes"),
    at("<uuid:table>/count/", "fee_box_pages.count_fees", name="fee-count"),
]

api = [
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

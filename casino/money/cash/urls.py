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
    at("", "pages.fee_boxes", name="fee-boxes"),
    at("<uuid:table>/count/", "pages.count_fees", name="fee-count"),
]

api = [
    at("custody/", "custody_api.CustodyOfTables"),
    at(
        "tables/<uuid:table>/custody/",
        "custody_api.CustodyOfTable",
    ),
    at("slips/", "custody_api.Slips"),
    at("slips/<int:number>/", "custody_api.OneSlip"),
    at("counts/", "custody_api.Counts"),
    at("shifts/", "custody_api.Shifts"),
    at("inventory/", "custody_api.Inventory"),
    at("cage/", "custody_api.Cage"),
    at("fee-boxes/", "custody_api.FeeBoxes"),
    at("fee-boxes/<uuid:table>/counts/", "custody_api.FeeCounts"),
]

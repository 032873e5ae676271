"""Addresses of cash in the office."""

from casino.web import addresses

at = addresses.within("casino.cash")

urlpatterns = [
    at("", "pages.overview", name="cash"),
    at("slips/", "pages.slip_list", name="cash-slips"),
    at("slips/<int:number>/", "pages.slip", name="cash-slip"),
    at("inventory/", "pages.inventory", name="cash-inventory"),
    at("tables/<uuid:table>/", "pages.table", name="cash-table"),
    at("tables/<uuid:table>/count/<slug:purpose>/", "pages.count", name="cash-count"),
    at("tables/<uuid:table>/call-off/", "pages.call_off", name="cash-call-off"),
    at("tables/<uuid:table>/sign/", "pages.sign", name="cash-sign"),
    at("tables/<uuid:table>/take/", "pages.take", name="cash-take"),
    at("tables/<uuid:table>/ask/<slug:kind>/", "pages.ask_slip", name="cash-ask"),
    at("tables/<uuid:table>/slips/<int:number>/", "pages.receive", name="cash-receive"),
]

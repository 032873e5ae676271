"""Addresses of payouts in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.payouts")

urlpatterns = [
    at("payouts/", "api.Payouts"),
    at("payouts/resume/", "api.Resume"),
    at(
        "payouts/<uuid:game>/<int:cause>/<int:seq>/",
        "api.OnePayout",
    ),
    at("adjustments/", "api.Adjustments"),
    at(
        "dice/<uuid:dice_set>/inspections/",
        "api.Inspections",
    ),
]

"""The addresses of the pages and the API of payouts and of pots."""

from casino.kit.web import addresses

at = addresses.within("casino.money.payouts")

pages = [
    at("", "pages.payouts", name="payouts"),
    at("resume/", "pages.resume", name="payouts-resume"),
    at("inspect/", "pages.inspect", name="payouts-inspect"),
    at("<uuid:game>/", "pages.of_game", name="payouts-of-game"),
    at("<uuid:game>/adjustments/<int:number>/", "pages.hand_out", name="adjustment-paid"),
    at("<uuid:game>/witness/", "pages.witness", name="payout-witness"),
    at("<uuid:game>/<int:cause>.<int:seq>/", "pages.payout", name="payout"),
]

pots = [
    at("", "pages.open_pots", name="pots"),
]

api = [
    at("pots/", "api.Pots"),
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

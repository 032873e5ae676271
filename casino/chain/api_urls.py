"""The addresses of a chain's API, imported on first use like those of its pages."""

from casino.kit.web import addresses

at = addresses.within("casino.chain")

urlpatterns = [
    at("", "api.OneChain", name="one"),
    at("houses/", "api.Houses", name="houses"),
    at("houses/<uuid:house>/days/", "api.Days", name="days"),
    at("people/", "api.People", name="people"),
    at("dice/", "api.DiceTransfers", name="dice"),
    at("register/", "api.Register", name="register"),
    at("proposals/", "api.Proposals", name="proposals"),
    at("proposals/<uuid:proposal>/approve/", "api.approve", name="approve"),
    at("proposals/<uuid:proposal>/reject/", "api.reject", name="reject"),
    at("proposals/<uuid:proposal>/withdraw/", "api.withdraw", name="withdraw"),
    at("proposals/<uuid:proposal>/again/", "api.again", name="again"),
    at("roll-outs/", "api.RolledOut", name="roll-outs"),
    at("sign-ins/", "api.SignIns", name="sign-ins"),
]

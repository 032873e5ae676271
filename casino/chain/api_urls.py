"""The addresses of a chain's API, imported on first use like those of its pages."""

from casino.kit.web import addresses

at = addresses.within("casino.chain")

urlpatterns = [
    at("", "api.OneChain", name="one"),
    at("houses/", "api.Houses", name="houses"),
    at("houses/<uuid:house>/days/", "api.Days", name="days"),
    at("people/", "api.People", name="people"),
    at("dice/", "proposals_api.DiceTransfers", name="dice"),
    at("register/", "register_api.Register", name="register"),
    at("proposals/", "proposals_api.Proposals", name="proposals"),
    at("proposals/<uuid:proposal>/approve/", "proposals_api.approve", name="approve"),
    at("proposals/<uuid:proposal>/reject/", "proposals_api.reject", name="reject"),
    at("proposals/<uuid:proposal>/withdraw/", "proposals_api.withdraw", name="withdraw"),
    at("proposals/<uuid:proposal>/again/", "proposals_api.again", name="again"),
    at("roll-outs/", "proposals_api.RolledOut", name="roll-outs"),
    at("sign-ins/", "api.SignIns", name="sign-ins"),
]

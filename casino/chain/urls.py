"""
The addresses of a chain. None names the chain: everybody has one at most, their own.

They are a part of their own, imported on first use: most houses are of no chain.
"""

from casino.kit.web import addresses

at = addresses.within("casino.chain")

urlpatterns = [
    at("", "pages.houses", name="houses"),
    at("compare/", "pages.compare", name="compare"),
    at("houses/<uuid:house>/", "pages.house", name="house"),
    at("people/", "pages.people", name="people"),
    at("people/appoint/", "proposal_pages.appoint", name="appoint"),
    at("people/dismiss/", "proposal_pages.dismiss", name="dismiss"),
    at("people/sign-ins/", "pages.sign_ins", name="sign-ins"),
    at("dice/", "dice_pages.index", name="dice"),
    at("dice/send/", "dice_pages.send", name="dice-send"),
    at("register/", "pages.register", name="register"),
    at("proposals/", "proposal_pages.index", name="proposals"),
    at("proposals/settings/", "proposal_pages.settings", name="settings"),
    at("proposals/rules/<slug:game>/", "proposal_pages.rules", name="rules"),
    at("proposals/<uuid:proposal>/", "proposal_pages.one", name="proposal"),
]

"""The addresses of staff."""

from casino.kit.web import addresses

at = addresses.within("casino.settings.staff")
lists = addresses.Lists("casino.settings.staff")

pages = [
    at("", "pages.people", name="people"),
    at("invite/", "pages.invite", name="invite"),
    at("invitations/<uuid:invitation>/revoke/", "pages.revoke", name="revoke-invitation"),
    lists.page("sign-ins/", "SIGN_INS", name="sign-ins"),
    lists.page("access/", "ACCESS", name="access"),
    at("tablets/", "pages.floor_tablets", name="tablets"),
    at(
        "tablets/<uuid:tablet>/withdraw/",
        "pages.withdraw_tablet",
        name="withdraw-tablet",
    ),
    at("<uuid:employment>/", "pages.person", name="person"),
]

api = [
    at("people/", "api.HousePeople"),
    at("access/", "api.AccessListing"),
    at("sign-ins/", "api.SignIns"),
]

"""The addresses of staff."""

from casino.kit.web import addresses

at = addresses.within("casino.settings.staff")
lists = addresses.Lists("casino.settings.staff")

pages = [
    at("", "pages.people", name="people"),
    at("invite/", "invitation_pages.invite", name="invite"),
    at(
        "invitations/<uuid:invitation>/revoke/", "invitation_pages.revoke", name="revoke-invitation"
    ),
    lists.page("sign-ins/", "SIGN_INS", name="sign-ins"),
    lists.page("access/", "ACCESS", name="access"),
    at("tablets/", "tablet_pages.floor_tablets", name="tablets"),
    at(
        "tablets/<uuid:tablet>/withdraw/",
        "tablet_pages.withdraw_tablet",
        name="withdraw-tablet",
    ),
    at("<uuid:employment>/", "person_page.person", name="person"),
]

api = [
    at("people/", "api.HousePeople"),
    at("access/", "api.AccessListing"),
    at("sign-ins/", "api.SignIns"),
]

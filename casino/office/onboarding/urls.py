"""The addresses of setting up a house: `found` is opened by a link, the others when signed in."""

from casino.kit.web import addresses

at = addresses.within("casino.office.onboarding")

pages = [
    at("", "pages.first_step", name="found"),
    at("go-on/", "pages.resume", name="set-up"),
    at("house/", "pages.house", name="set-up-house"),
    at("tables/", "pages.tables", name="set-up-tables"),
    at("dice/", "pages.dice", name="set-up-dice"),
    at("games/", "pages.games", name="set-up-games"),
    at("home-throw/", "pages.home_throw", name="set-up-home-throw"),
    at("staff/", "pages.staff", name="set-up-staff"),
    at("done/", "pages.last_step", name="set-up-done"),
]

imports = [
    at("", "import_pages.choose", name="settings-import"),
    at("<slug:what>/", "import_pages.import_list", name="settings-import-list"),
    at("<slug:what>/template.csv", "import_pages.template", name="settings-import-template"),
]

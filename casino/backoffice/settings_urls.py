"""The addresses of the section Settings."""

from django.urls import path

from casino.backoffice import importing, settings_pages

urlpatterns = [
    path("", settings_pages.house, name="settings"),
    path("tables/", settings_pages.tables, name="settings-tables"),
    path("tables/new/", settings_pages.table_new, name="settings-table-new"),
    path("tables/<uuid:table>/", settings_pages.table, name="settings-table"),
    path("dice/", settings_pages.dice, name="settings-dice"),
    path("dice/new/", settings_pages.dice_new, name="settings-dice-new"),
    path("dice/<uuid:dice_set>/", settings_pages.dice_set, name="settings-dice-set"),
    path("rules/", settings_pages.rules, name="settings-rules"),
    path("rules/<slug:game>/", settings_pages.rules_of, name="settings-rules-of"),
    path("home-throws/", settings_pages.home_throw, name="settings-home-throws"),
    path("prizes/", settings_pages.prizes, name="settings-prizes"),
    path("prizes/new/", settings_pages.prize_new, name="settings-prize-new"),
    path("prizes/<uuid:prize_rule>/", settings_pages.prize, name="settings-prize"),
    path("import/", importing.choose, name="settings-import"),
    path("import/<slug:what>/", importing.bring, name="settings-import-list"),
    path("import/<slug:what>/template.csv", importing.template, name="settings-import-template"),
    path("changes/", settings_pages.log, name="settings-changes"),
]

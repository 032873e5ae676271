"""The addresses of the section Settings."""

from django.urls import path

from casino.backoffice import (
    change_log,
    importing,
    settings_home_throws,
    settings_house,
    settings_rules,
    settings_things,
)

urlpatterns = [
    path("", settings_house.house, name="settings"),
    path("tables/", settings_things.tables, name="settings-tables"),
    path("tables/new/", settings_things.table_new, name="settings-table-new"),
    path("tables/<uuid:table>/", settings_things.table, name="settings-table"),
    path("dice/", settings_things.dice, name="settings-dice"),
    path("dice/new/", settings_things.dice_new, name="settings-dice-new"),
    path("dice/<uuid:dice_set>/", settings_things.dice_set, name="settings-dice-set"),
    path("rules/", settings_rules.rules, name="settings-rules"),
    path("rules/<slug:game>/", settings_rules.rules_of, name="settings-rules-of"),
    path("home-throws/", settings_home_throws.home_throw, name="settings-home-throws"),
    path("prizes/", settings_things.prizes, name="settings-prizes"),
    path("prizes/new/", settings_things.prize_new, name="settings-prize-new"),
    path("prizes/<uuid:prize_rule>/", settings_things.prize, name="settings-prize"),
    path("import/", importing.choose, name="settings-import"),
    path("import/<slug:what>/", importing.bring, name="settings-import-list"),
    path("import/<slug:what>/template.csv", importing.template, name="settings-import-template"),
    path("changes/", change_log.log, name="settings-changes"),
]

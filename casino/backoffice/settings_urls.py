"""The addresses of the section Settings."""

from casino import addresses

at = addresses.within("casino.backoffice")

urlpatterns = [
    at("", "settings_house.house", name="settings"),
    at("tables/", "settings_things.tables", name="settings-tables"),
    at("tables/new/", "settings_things.table_new", name="settings-table-new"),
    at("tables/<uuid:table>/", "settings_things.table", name="settings-table"),
    at("dice/", "settings_things.dice", name="settings-dice"),
    at("dice/new/", "settings_things.dice_new", name="settings-dice-new"),
    at("dice/<uuid:dice_set>/", "settings_things.dice_set", name="settings-dice-set"),
    at("rules/", "settings_rules.rules", name="settings-rules"),
    at("rules/<slug:game>/", "settings_rules.rules_of", name="settings-rules-of"),
    at("home-throws/", "settings_home_throws.home_throw", name="settings-home-throws"),
    at("prizes/", "settings_things.prizes", name="settings-prizes"),
    at("prizes/new/", "settings_things.prize_new", name="settings-prize-new"),
    at("prizes/<uuid:prize_rule>/", "settings_things.prize", name="settings-prize"),
    at("import/", "importing.choose", name="settings-import"),
    at("import/<slug:what>/", "importing.bring", name="settings-import-list"),
    at("import/<slug:what>/template.csv", "importing.template", name="settings-import-template"),
    at("changes/", "change_log.log", name="settings-changes"),
]

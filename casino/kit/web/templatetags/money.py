"""The template filters and tags for amounts of money, as the house writes them."""

from django import template

from casino.words.languages import amounts

register = template.Library()
register.filter(amounts.money)
register.filter("typed", amounts.as_typed)
register.filter(amounts.short_coins)
register.simple_tag(amounts.coins_mode)
register.simple_tag(amounts.decimal_key)
register.simple_tag(amounts.coin_decimals)

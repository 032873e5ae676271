"""The template filter for amounts of money: whole smallest coins and the currency's sign."""

from django import template

from casino.languages.locales import money

register = template.Library()
register.filter(money)

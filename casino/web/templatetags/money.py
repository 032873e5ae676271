"""Amounts as the house writes them: whole smallest coins and the currency's sign."""

from django import template

from casino.languages.locales import money

register = template.Library()
register.filter(money)

"""Amounts as the house writes them, with the currency's sign."""

from django import template

from casino.languages.amounts import money

register = template.Library()
register.filter(money)

"""The template filter for amounts of money, as the house writes them."""

from django import template

from casino.languages.amounts import money

register = template.Library()
register.filter(money)

"""Formats for American English."""

DATE_FORMAT = "F j, Y"
TIME_FORMAT = "g:i a"
DATETIME_FORMAT = "F j, Y, g:i a"
MONTH_DAY_FORMAT = "F j"
SHORT_DATE_FORMAT = "m/d/Y"
SHORT_DATETIME_FORMAT = "m/d/Y g:i a"
FIRST_DAY_OF_WEEK = 0

"""Excel's functions in LibreOffice: which were compared, which are refused or rewritten, and where types leak.

LibreOffice has no logical type: TRUE is a 1 with a format, so COUNT, SUM, ISNUMBER, `&` and `=` see a number where
Excel sees TRUE. It knows other errors than Excel, and its days start two days earlier. `tests/office/formulas.toml` holds
Excel's answers; a function that is not asked about there is refused.
"""

# ruff: noqa: SIM905, E501 - long lists of words read better as words

from __future__ import annotations

COMPARED = frozenset(
    "ABS ADDRESS AGGREGATE AND AVERAGE AVERAGEA AVERAGEIF AVERAGEIFS BASE CEILING CEILING.MATH CHAR CHOOSE CLEAN CODE "
    "COLUMN COLUMNS COMBIN CONCAT CONCATENATE COUNT COUNTA COUNTBLANK COUNTIF COUNTIFS CUMIPMT CUMPRINC DATE DATEDIF "
    "DATEVALUE DAY DAYS DAYS360 DB DDB DOLLARDE EDATE EFFECT EOMONTH EVEN EXACT EXP FACT FALSE FILTER FIND FIXED "
    "FLOOR FLOOR.MATH FV HEX2DEC HLOOKUP HOUR IF IFERROR IFNA IFS INDEX INT IPMT ISBLANK ISERR ISERROR ISEVEN "
    "ISLOGICAL ISNA ISNONTEXT ISNUMBER ISODD ISOWEEKNUM ISPMT ISREF ISTEXT LARGE LEFT LEN LET LN LOG LOG10 LOOKUP "
    "LOWER MATCH MAX MAXA MAXIFS MEDIAN MID MIN MINIFS MINUTE MIRR MMULT MOD MONTH MROUND N NA NETWORKDAYS "
    "NETWORKDAYS.INTL NOMINAL NOT NPER NPV NUMBERVALUE ODD OR PERCENTILE PI PMT POWER PPMT PRODUCT PROPER PV QUARTILE "
    "QUOTIENT RANK REPLACE REPT RIGHT ROMAN ROUND ROUNDDOWN ROUNDUP ROW ROWS SEARCH SECOND SEQUENCE SIGN SINGLE "
    "SLN SMALL SQRT STDEV SUBSTITUTE SUBTOTAL SUM SUMIF SUMIFS SUMPRODUCT SUMSQ SWITCH SYD T TEXT TEXTJOIN TIME "
    "TIMEVALUE TRANSPOSE TRIM TRUE TRUNC TYPE UNICHAR UPPER VALUE VDB VLOOKUP WEEKDAY WEEKNUM WORKDAY WORKDAY.INTL "
    "XLOOKUP XMATCH XNPV XOR YEAR YEARFRAC".split()
)
"""Functions whose answers were compared with Excel's."""

OTHERWISE = {
    "IRR": "it iterates to other last digits",
    "RATE": "it iterates to other last digits",
    "XIRR": "it iterates to other last digits",
    "DOLLAR": "negative amounts have a minus sign instead of brackets",
}
"""Functions that LibreOffice always does otherwise than Excel."""

LOGICAL = frozenset(
    "AND OR NOT XOR TRUE FALSE EXACT ISBLANK ISERR ISERROR ISEVEN ISLOGICAL ISNA ISNONTEXT ISNUMBER ISODD ISREF "
    "ISTEXT".split()
)
"""Functions that answer TRUE or FALSE."""

CONDITIONS = frozenset("AND OR NOT XOR".split())
"""Take any truth value as it comes, but texts otherwise than Excel."""

INDIFFERENT = frozenset(
    "ISBLANK ISERR ISERROR ISLOGICAL ISNA ISNONTEXT ISREF ISTEXT N ROW ROWS COLUMN COLUMNS COUNTA COUNTBLANK".split()
)
"""To these a TRUE is no more than what LibreOffice makes of it."""

CHOOSING = {"IF": (1, 2), "IFERROR": (0, 1), "IFNA": (0, 1), "CHOOSE": None, "SWITCH": None, "IFS": None, "INDEX": (0,)}
"""Functions that hand on one of their arguments (positions from 0; None = any)."""

FLAGS = {"DAYS360": 2, "FIXED": 2, "HLOOKUP": 3, "TEXTJOIN": 1, "VLOOKUP": 3}
"""Arguments that are a yes or no to both (positions from 0)."""

COMPARING = frozenset(
    "AVERAGEIF AVERAGEIFS COUNTIF COUNTIFS HLOOKUP LOOKUP MATCH MAXIFS MINIFS SUMIF SUMIFS VLOOKUP XLOOKUP XMATCH".split()
)
"""Compare cells with a value; in LibreOffice a text "100" does not meet the number, or does where Excel says no."""

ADDING = frozenset(
    "AVERAGE AVERAGEA COUNT LARGE MAX MAXA MEDIAN MIN PERCENTILE PRODUCT QUARTILE SMALL STDEV SUM SUMSQ".split()
)
"""Take a number written as text among their arguments, which LibreOffice does not."""

WORDY = frozenset(
    "CLEAN CODE CONCAT CONCATENATE COUNTA EXACT FIND IF IFERROR IFNA IFS CHOOSE LEFT LEN LOWER MID PROPER REPLACE "
    "REPT RIGHT SEARCH SUBSTITUTE SWITCH T TEXT TEXTJOIN TRIM UPPER".split()
)
"""To these the text TRUE is a word like any other."""

ERRORS_ALIKE = frozenset(
    "ABS AND AVERAGE CHOOSE CONCATENATE COUNT COUNTA DATE DATEVALUE DAY EDATE EOMONTH EXACT EXP FIND HLOOKUP IF "
    "IFERROR IFNA IFS INDEX INT ISBLANK ISERR ISERROR ISNA ISNUMBER ISTEXT LEFT LEN LOOKUP LOWER MATCH MAX MIN MOD "
    "MONTH MROUND N NA NOT OR POWER PRODUCT PROPER RIGHT ROUND ROUNDDOWN ROUNDUP SEARCH SUBSTITUTE SUM SUMPRODUCT "
    "SWITCH T TEXT TRIM TRUNC UPPER VALUE VLOOKUP WEEKDAY XLOOKUP XMATCH XOR YEAR".split()
)
"""Functions whose #VALUE! and #NUM! are Excel's. Of others such an error is not taken."""

DAYS_OF = {
    "DATEDIF": (0, 1), "DAYS360": (0, 1), "EDATE": (0,), "EOMONTH": (0,), "HOUR": (0,), "ISOWEEKNUM": (0,),
    "MINUTE": (0,), "NETWORKDAYS": (0, 1), "SECOND": (0,), "WEEKDAY": (0,), "WEEKNUM": (0,), "WORKDAY": (0,),
    "YEARFRAC": (0, 1),
}  # fmt: skip
"""Arguments that are days; one below 0 is #NUM! in Excel."""

SUMMING = frozenset(
    "AGGREGATE AVERAGE AVERAGEA AVERAGEIF AVERAGEIFS MMULT NPV STDEV SUBTOTAL SUM SUMIF SUMIFS SUMPRODUCT SUMSQ".split()
)
"""Add up: their last digits hang on the order, and where amounts cancel out LibreOffice finds 0."""

CRITERIA = frozenset("AVERAGEIF AVERAGEIFS COUNTIF COUNTIFS MAXIFS MINIFS SUMIF SUMIFS".split())
"""An error as a criterion is something to look for in Excel, and an error in LibreOffice."""

SPEAKING = frozenset("CONCAT CONCATENATE TEXTJOIN LEFT RIGHT MID LEN TEXT SUBSTITUTE REPLACE".split())
"""Write numbers as text, as `&` does."""

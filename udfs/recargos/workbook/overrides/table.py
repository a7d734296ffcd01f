"""Every function that a formula may call: how it takes its arguments, what it gives, who computes it.

A line is `NAME kinds : result`. Kinds, one for each argument:

* `n` a number, `t` a text, `b` a yes/no, `v` any single value;
* `r` a range or array, taken whole; `a` the same, and arithmetic inside is array arithmetic even in a plain formula;
* `i` an interest rate above -1, `p` a number above 0, `w` a whole number: anything else is left to Excel;
* `f` a range of numbers only, `x` the place in a range, which may not be negative;
* `c` a single value for which an array constant stands for several, as in `SUM(SUMIF(r,{"a","b"},s))`;
* `[` what follows may be left out; `*` the last kind repeats; `(..)*` the group repeats.

Results: `n` `t` `b` as above, `v` any value, `array` an array whatever the arguments.
A single-value argument that gets a range makes the function work element by element.

Lines that begin with `+`: the engine's own function was checked against Excel's documentation and two other engines,
and is used. `-`: it does something otherwise than Excel, or cannot work element by element: ours (:mod:`.functions`)
is used. `=`: ours, but in long runs of ordinary arguments, which are checked afterwards, the engine's own.
A function in no line was not checked: a formula with it is refused.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Signature(NamedTuple):
    """How a function takes its arguments and who computes it."""

    name: str
    kinds: tuple[str, ...]
    required: int
    repeat: int
    """How many of the last kinds repeat; 0 = none."""
    result: str
    who: str
    """`+` the engine, `-` ours, `=` the engine where it can."""
    strict: bool
    """Whether numbers are read as the former Analysis ToolPak did, which refuses yes/no."""

    def kind(self, position: int) -> str:
        """The kind of an argument; "" when there are too many."""
        if position < len(self.kinds):
            return self.kinds[position]
        if not self.repeat:
            return ""
        return self.kinds[len(self.kinds) - self.repeat + (position - len(self.kinds)) % self.repeat]


_LINES = """
= ABS n : n
= SIGN n : n
= INT n : n
- TRUNC n [n : n
= ROUND n n : n
- ROUNDUP n n : n
- ROUNDDOWN n n : n
- MROUND n n : n
- CEILING n n : n
- FLOOR n n : n
- CEILING.MATH n [n n : n
- FLOOR.MATH n [n n : n
- CEILING.PRECISE n [n : n
- ISO.CEILING n [n : n
- FLOOR.PRECISE n [n : n
- EVEN n : n
- ODD n : n
- MOD n n : n
- QUOTIENT n n : n
- POWER n n : n
= SQRT n : n
= EXP n : n
= LN n : n
- LOG n [n : n
= LOG10 n : n
- SIN n : n
- COS n : n
- TAN n : n
+ ASIN n : n
+ ACOS n : n
+ ATAN n : n
+ ATAN2 n n : n
- SINH n : n
- COSH n : n
- TANH n : n
- ASINH n : n
- ACOSH n : n
- ATANH n : n
- FACT n : n
- COMBIN n n : n
- DEGREES n : n
- RADIANS n : n
+ PI : n
- NOT b : b
= ISBLANK v : b
= ISNUMBER v : b
= ISTEXT v : b
= ISNONTEXT v : b
= ISLOGICAL v : b
= ISERROR v : b
= ISERR v : b
= ISNA v : b
- ISEVEN n : b
- ISODD n : b
- N v : n
- T v : t
- ERROR.TYPE v : n
+ NA : v
- LEN t : n
- LEFT t [n : t
- RIGHT t [n : t
- MID t n n : t
- UPPER t : t
- LOWER t : t
- PROPER t : t
- TRIM t : t
- CLEAN t : t
- CONCATENATE t* : t
- CONCAT r* : t
- TEXTJOIN t b r* : t
- FIND t t [n : n
- SEARCH t t [n : n
- SUBSTITUTE t t t [n : t
- REPLACE t n n t : t
- REPT t n : t
- EXACT t t : b
- TEXT v t : t
- VALUE v : n
- DOLLAR n [n : t
- FIXED n [n b : t
- CHAR n : t
- CODE t : n
- UNICHAR n : t
- UNICODE t : n
- HYPERLINK t [v : v
- DATE n n n : n
- DAY n : n
- MONTH n : n
- YEAR n : n
- HOUR n : n
- MINUTE n : n
- SECOND n : n
- TIME n n n : n
- WEEKDAY n [n : n
- WEEKNUM n [n : n
- ISOWEEKNUM n : n
- EDATE n n : n
- EOMONTH n n : n
- DAYS n n : n
- DAYS360 n n [b : n
- DATEDIF n n t : n
- YEARFRAC n n [n : n
- DATEVALUE t : n
- TIMEVALUE t : n
- NETWORKDAYS n n [r : n
- WORKDAY n n [r : n
- NETWORKDAYS.INTL n n [v r : n
- WORKDAY.INTL n n [v r : n
+ SUM r* : n
- SUMSQ r* : n
- PRODUCT r* : n
+ AVERAGE r* : n
= COUNT r* : n
= COUNTA r* : n
+ COUNTBLANK r : n
+ MAX r* : n
+ MIN r* : n
- MEDIAN r* : n
- MODE r* : n
- MODE.SNGL r* : n
- AVEDEV r* : n
- DEVSQ r* : n
- PERCENTILE r c : n
- PERCENTILE.INC r c : n
- QUARTILE r c : n
- QUARTILE.INC r c : n
- STDEV r* : n
- STDEV.S r* : n
- STDEVP r* : n
- STDEV.P r* : n
- VAR r* : n
- VAR.S r* : n
- VARP r* : n
- VAR.P r* : n
+ AND r* : b
+ OR r* : b
- XOR r* : b
- SUMPRODUCT a* : n
= LARGE r c : n
= SMALL r c : n
= SUMIF r c [r : n
= COUNTIF r c : n
= AVERAGEIF r c [r : n
= SUMIFS r (r c)* : n
= COUNTIFS (r c)* : n
= AVERAGEIFS r (r c)* : n
= MAXIFS r (r c)* : n
= MINIFS r (r c)* : n
= VLOOKUP c r n [b : v
= HLOOKUP c r n [b : v
= MATCH c r [n : n
- LOOKUP c a [a : v
= XLOOKUP c a a [v n n : v
- XMATCH c a [n n : n
- PMT i p n [n w : n
- PV i p n [n w : n
- FV i p n [n w : n
- NPER i n n [n w : n
- RATE p n n [n w n : n
- IPMT i w p n [n w : n
- PPMT i w p n [n w : n
- CUMIPMT n n n n n n : n
- CUMPRINC n n n n n n : n
+ NPV i f* : n
- IRR f [n : n
- XNPV i f f : n
+ SLN n n n : n
+ SYD n n p p : n
+ DDB n n p w [p : n
- VDB n n n n n [n b : n
+ EFFECT p w : n
+ NOMINAL p w : n
- RANK n r [n : n
- RANK.EQ n r [n : n
+ INDEX r x [x : v
+ TRANSPOSE a : array
- SEQUENCE n [n n n : array
- FILTER a a [v : array
- UNIQUE a [b b : array
- SORT a [n n b : array
+ CHOOSECOLS a n* : array
+ CHOOSEROWS a n* : array
+ SUBTOTAL n r* : n
+ AGGREGATE n n r* : n
"""
_STRICT = frozenset(
    [
        "MROUND",
        "QUOTIENT",
        "EDATE",
        "EOMONTH",
        "WEEKNUM",
        "YEARFRAC",
        "ISEVEN",
        "ISODD",
        "NETWORKDAYS",
        "WORKDAY",
        "NETWORKDAYS.INTL",
        "WORKDAY.INTL",
        "EFFECT",
        "NOMINAL",
        "CUMIPMT",
        "CUMPRINC",
        "XNPV",
    ]
)


def _signature(line: str) -> Signature:
    head, _, result = line.partition(" : ")
    who, name, *words = head.split()
    kinds: list[str] = []
    required, repeat, group = -1, 0, 0
    for word in words:
        if word.startswith("["):
            required = len(kinds)
        if word.startswith("("):
            group = len(kinds)
        kind = re.sub(r"[^a-z]", "", word)
        kinds.append(kind)
        if word.endswith(")*"):
            repeat = len(kinds) - group
        elif word.endswith("*"):
            repeat = 1
    return Signature(
        name, tuple(kinds), len(kinds) if required < 0 else required, repeat, result.strip(), who, name in _STRICT
    )


SINGLE = frozenset("ntbvcipwx")
"""Kinds of arguments that want one value."""

TABLE: dict[str, Signature] = {s.name: s for s in map(_signature, _LINES.strip().splitlines())}

OMISSION = frozenset(
    [
        "IF",
        "IFERROR",
        "VLOOKUP",
        "HLOOKUP",
        "MATCH",
        "INDEX",
        "XLOOKUP",
        "PMT",
        "PV",
        "FV",
        "NPER",
        "RATE",
        "IPMT",
        "PPMT",
        "ROUND",
        "LEFT",
        "RIGHT",
        "CHOOSE",
        "SWITCH",
        "IFS",
    ]
)
"""Functions in which an argument left out between commas counts as 0, FALSE or an empty text."""

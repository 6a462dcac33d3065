"""Personal data in text: what looks like it, and passes the checksum where there is one, is replaced by the name of its kind."""

import ipaddress
import re
from collections import Counter
from collections.abc import Callable

# Scripts without spaces may stand right before.
_PLAIN_BEFORE = r"(?<![A-Za-z0-9_.+-])"
_DIGIT_BEFORE, _DIGIT_AFTER = r"(?<![\d.+-])", r"(?![\d-]|\.\d)"


def _digits(text: str) -> list[int]:
    return [int(sign) for sign in text if sign.isdigit()]


def is_card(text: str) -> bool:
    """By Luhn, ISO/IEC 7812-1."""
    digits = _digits(text)[::-1]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    return len(set(digits)) > 1 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def is_iban(text: str) -> bool:
    """ISO 13616: modulo 97."""
    packed = re.sub(r"\s", "", text).upper()
    if not (15 <= len(packed) <= 34 and packed.isascii() and packed.isalnum()):
        return False
    return int("".join(str(int(sign, 36)) for sign in packed[4:] + packed[:4])) % 97 == 1


def is_chinese_id(text: str) -> bool:
    """GB 11643: a date of birth, and ISO 7064 modulo 11-2."""
    digits = _digits(text[:17])
    month, day = digits[10] * 10 + digits[11], digits[12] * 10 + digits[13]
    total = sum(digit * (2 ** (17 - at) % 11) for at, digit in enumerate(digits))
    return 1 <= month <= 12 and 1 <= day <= 31 and text[17].upper() == "10X98765432"[total % 11]


def is_my_number(text: str) -> bool:
    """Japan's number of a person: order 85 of 2014 of the Ministry of Internal Affairs."""
    digits = _digits(text)
    rest = sum(digit * (at + 1 if at <= 6 else at - 5) for at, digit in enumerate(digits[10::-1], 1)) % 11
    return len(set(digits)) > 1 and digits[11] == (0 if rest <= 1 else 11 - rest)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
        return True
    except ValueError:
        return False


# In this order: a number that is several things is the first of them. Repetitions are bounded, so that no text takes long.
_KINDS: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("email", rf"{_PLAIN_BEFORE}[A-Za-z0-9._%+-]{{1,64}}@(?:[A-Za-z0-9-]{{1,63}}\.){{1,8}}[A-Za-z]{{2,24}}(?![A-Za-z0-9])", lambda _: True),
    ("iban", r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])", is_iban),
    ("chinese-id", rf"{_DIGIT_BEFORE}[1-9]\d{{16}}[\dXx](?![\dA-Za-z])", is_chinese_id),
    ("card", rf"{_DIGIT_BEFORE}\d(?:[ -]?\d){{12,18}}{_DIGIT_AFTER}", is_card),
    ("my-number", rf"{_DIGIT_BEFORE}\d{{12}}{_DIGIT_AFTER}", is_my_number),
    ("my-number", rf"{_DIGIT_BEFORE}(?<![A-Za-z0-9][ ])\d{{4}}([ -])\d{{4}}\1\d{{4}}(?![ ]?\d){_DIGIT_AFTER}", is_my_number),
    ("ip", r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d]|\.\d)", _is_address),
    ("ip", r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])", lambda text: len(text) > 4 and _is_address(text)),
    ("phone", rf"{_PLAIN_BEFORE}\+\d{{1,3}}(?:[ .-]?\(?\d{{1,4}}\)?){{2,6}}{_DIGIT_AFTER}", lambda text: 8 <= len(_digits(text)) <= 15),
    ("phone", rf"{_DIGIT_BEFORE}1[3-9]\d(?:[ -]?\d{{4}}){{2}}{_DIGIT_AFTER}", lambda _: True),
    ("phone", rf"{_DIGIT_BEFORE}0\d{{1,4}}-\d{{1,4}}-\d{{4}}{_DIGIT_AFTER}", lambda _: True),
    ("phone", rf"{_PLAIN_BEFORE}0[5-9]0\d{{8}}{_DIGIT_AFTER}", lambda _: True),
    ("phone", rf"{_PLAIN_BEFORE}(?:\(\d{{3}}\) ?|\d{{3}}[-.])\d{{3}}[-.]\d{{4}}{_DIGIT_AFTER}", lambda _: True),
)
_PATTERNS = [(name, re.compile(pattern), check) for name, pattern, check in _KINDS]


def masked(text: str, found: Counter) -> str:
    """The text with [email], [card], … ; `found` counts them by kind."""
    for name, pattern, check in _PATTERNS:

        def replacement(match: re.Match, name: str = name, check: Callable[[str], bool] = check) -> str:
            if not check(match.group()):
                return match.group()
            found[name] += 1
            return f"[{name}]"

        text = pattern.sub(replacement, text)
    return text


def masked_value(value: object, found: Counter) -> object:
    """The same in all texts of a nested value; names of fields stay."""
    if isinstance(value, str):
        return masked(value, found)
    if isinstance(value, list):
        return [masked_value(inner, found) for inner in value]
    return {name: masked_value(inner, found) for name, inner in value.items()} if isinstance(value, dict) else value

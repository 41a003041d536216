"""Reads ids of any version: their fields, their order, the boundaries of a time, and base 32. ValueError for a text that is no id."""

from __future__ import annotations

import functools
import re
from datetime import datetime, timedelta, timezone
from operator import index
from typing import SupportsIndex, Union
from uuid import UUID

AnyId = Union[UUID, str]
Time = Union[datetime, int]  # a datetime with a time zone, or microseconds since 1970

_PRIME, _INVERSE = 198491317, 0xBA67519D  # the step of the variable counter, and its inverse modulo 2^32
_WORD, _MILLISECONDS = (1 << 32) - 1, (1 << 48) - 1
_VARIANT, _SIGNS = 1 << 63, 0x8080808080808080  # RFC 9562's variant, and the sign bits of version 1's last bytes
_GREGORIAN, _COUNT_MAX = 0x01B21DD213814000, (1 << 60) - 1  # ticks of 100 ns from 1582-10-15 to 1970, and the last of versions 1 and 6
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_SWAPPED = bytes(byte >> 4 | (byte & 15) << 4 for byte in range(256))
_TEXT = re.compile(r"(\{)?[0-9A-Fa-f]{4}(-?[0-9A-Fa-f]{4}){7}(?(1)\})")  # what uuid_in accepts in PostgreSQL's uuid.c
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"


def _reversed(word: int) -> int:  # the hexadecimal digits, last first
    return int.from_bytes(word.to_bytes(4, "little").translate(_SWAPPED), "big")


def _step_of(block: int) -> int:
    return _reversed(block) * _INVERSE & _WORD


def _place(version: int, block: int, step: int) -> int:  # the order within a millisecond: both counters increase it
    return version << 32 | (step & 0xFFFF) << 16 | block & 0xFFFF


def _bits(id: AnyId) -> int:
    if isinstance(id, UUID):
        return id.int
    if not isinstance(id, str):
        raise TypeError(f"{id!r} is no id: that is a uuid.UUID, or a str")
    if not _TEXT.fullmatch(id):
        raise ValueError(f"{id!r} is no UUID")
    return UUID(id).int


def shard(id: AnyId, shards: int) -> int:
    """The shard of an id, from 0 to shards - 1. ValueError unless shards is 1 to 2147483647."""
    shards = index(shards)
    if not 1 <= shards < 1 << 31:
        raise ValueError(f"{shards} shards: they are 1 to 2147483647")
    return (_bits(id) >> 96) * shards >> 32


def _layout(bits: int) -> int:  # the version, or 0 if the id has no time
    number = bits >> 76 & 15
    return number if number in (1, 11) or number in (6, 7, 8) and bits >> 62 & 3 == 2 else 0


def version(id: AnyId) -> int:
    """The version, 0 to 15; 11 is version b."""
    return _bits(id) >> 76 & 15


def ticks(id: AnyId) -> int | None:
    """The time of an id in 100 ns since 1970; None if it has none."""
    bits, layout, high = _bits(id), _layout(_bits(id)), _bits(id) >> 64
    if layout in (7, 8, 11):
        return (high >> 16 if layout == 7 else bits & _MILLISECONDS) * 10_000
    if layout == 1:
        return ((high & 0xFFF) << 48 | (high >> 16 & 0xFFFF) << 32 | high >> 32) - _GREGORIAN
    return (high >> 16 << 12 | high & 0xFFF) - _GREGORIAN if layout else None


def timestamp(id: AnyId) -> datetime | None:
    """The time of an id in UTC, rounded down to microseconds; None if it has none. OverflowError after 9999, where datetime ends."""
    made = ticks(id)
    return None if made is None else _EPOCH + timedelta(microseconds=made // 10)


def counter(id: AnyId) -> int | None:
    """The counter of versions b and 8, if the variable mode made the id; None for other versions."""
    return _reversed(_bits(id) >> 96) if _layout(_bits(id)) in (8, 11) else None


def pid(id: AnyId) -> int | None:
    """The process id modulo 65 536 of versions b and 8; None for others."""
    return _bits(id) >> 80 & 0xFFFF if _layout(_bits(id)) in (8, 11) else None


def node(id: AnyId) -> int | None:
    """The node: 28 bits of version b, 26 of 8, 48 of 1 and 6; None for others."""
    bits, layout = _bits(id), _layout(_bits(id))
    if layout in (8, 11):
        return (bits >> 64 & 0xFFF) << 16 | bits >> 48 & (0xFFFF if layout == 11 else 0x3FFF)
    return bits & _MILLISECONDS if layout in (1, 6) else None


def sort_key(id: AnyId) -> tuple[int, int, int, int, int]:
    """A key for sorted() and its like. It orders ids by time, as the server does."""
    bits, layout, made = _bits(id), _layout(_bits(id)), ticks(id)
    if made is None:
        return (2 if bits else 0, 0, bits >> 76 & 15, 0, bits)
    return (1, made, layout, _place(layout, bits >> 96, _step_of(bits >> 96)) if layout in (8, 11) else 0, bits ^ _SIGNS if layout == 1 else bits)


def compare(a: AnyId, b: AnyId) -> int:
    """-1, 0 or 1, if a is before, equal to or after b in the order of sort_key()."""
    return (sort_key(a) > sort_key(b)) - (sort_key(a) < sort_key(b))


def _microsecond(when: Time) -> int:
    if isinstance(when, SupportsIndex):  # an int, or an integer of numpy
        return index(when)
    if not isinstance(when, datetime) or when.utcoffset() is None:
        raise TypeError(f"{when!r} is no time: that is a datetime with a time zone, or an int of microseconds since 1970")
    return datetime.__sub__(when, _EPOCH) // timedelta(microseconds=1)  # pendulum overrides -, and its difference cannot be divided


def floor(when: Time) -> UUID:
    """The least id of a time: id >= floor(when) if and only if timestamp(id) >= when. TypeError if when is no time."""
    microsecond = _microsecond(when)
    count, millisecond = max(microsecond * 10 + _GREGORIAN, 0), -(-microsecond // 1000)
    if count <= _COUNT_MAX:
        return UUID(int=((count & _WORD) << 32 | (count >> 32 & 0xFFFF) << 16 | 0x1000 | count >> 48) << 64 | _SIGNS)
    return UUID(int=millisecond << 80 | 7 << 76 | _VARIANT if millisecond <= _MILLISECONDS else 1)


def ceiling(when: Time) -> UUID:
    """The greatest id of a time: id <= ceiling(when) if and only if timestamp(id) <= when. TypeError if when is no time."""
    microsecond = _microsecond(when)
    count, millisecond = min(microsecond * 10 + 9 + _GREGORIAN, _COUNT_MAX), min(microsecond // 1000, _MILLISECONDS)
    if millisecond <= (_COUNT_MAX - _GREGORIAN) // 10_000:
        return UUID(int=(count >> 12 << 16 | 0x6000 | count & 0xFFF) << 64 | _VARIANT | _VARIANT // 2 - 1 if count >= 9 else 0)
    block = _reversed(0xFFFF * _PRIME & 0xFFFF) | 0xFFFF  # the block that both counters reach last
    return UUID(int=block << 96 | 0xFFFF_BFFF_FFFF << 48 | millisecond)


def to_base32(id: AnyId) -> str:
    """26 characters of Crockford's base 32 in lower case, as a TypeID ends with."""
    return "".join(_DIGITS[_bits(id) >> shift & 31] for shift in range(125, -1, -5))


def from_base32(text: str) -> UUID:
    """The id of 26 such characters in either case. Ignores hyphens, reads o as 0, i and l as 1. ValueError for other text."""
    text = str(text)
    digits = text.replace("-", "").lower().translate(str.maketrans("oil", "011"))
    if not text.isascii() or len(digits) != 26 or digits[0] > "7" or not set(digits) <= set(_DIGITS):
        raise ValueError(f"{text!r} is not 26 digits of base 32, of which the first is 0 to 7")
    return UUID(int=functools.reduce(lambda bits, digit: bits << 5 | _DIGITS.index(digit), digits, 0))

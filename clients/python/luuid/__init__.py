"""Ids of PostgreSQL's luuid, generated and read in the application. Ids are uuid.UUID; an argument may be the text of one too."""

from __future__ import annotations

import functools
import hashlib
import importlib
import os
import sys
import threading
from contextlib import suppress
from operator import index
from time import gmtime, strftime, time_ns
from typing import Literal
from uuid import UUID, SafeUUID, getnode

from luuid._reading import _MILLISECONDS, _PRIME, _VARIANT, _WORD, AnyId, Time, _bits, _microsecond, _place, _reversed, _step_of
from luuid._reading import ceiling, compare, counter, floor, from_base32, node, pid, shard, sort_key, ticks, timestamp, to_base32, version
from luuid._seal import _sip_hash, seal, unseal

__version__ = "1.0"
__all__ = [
    "ceiling",
    "compare",
    "counter",
    "floor",
    "from_base32",
    "generate",
    "generate_v7",
    "in_shard",
    "near",
    "node",
    "pid",
    "seal",
    "shard",
    "sort_key",
    "ticks",
    "timestamp",
    "to_base32",
    "unseal",
    "version",
]

Mode = Literal["variable", "sequential"]
Version = Literal[8, 11]

_LAP = 1 << 16  # the steps in which the variable counter visits each lane, the blocks with the same first 16 bits, once
_RESERVED = _LAP // 4  # the next sequential blocks of a millisecond, which ids in lanes must not have
_HOLD, _WINDOW = 10_000, 600_000  # milliseconds: the longest step back that it waits for, and how long a sequential seed is valid
_RANDOM = (1 << 62) - 1  # the random bits of version 7
_new, _set, _UNKNOWN = object.__new__, object.__setattr__, SafeUUID.unknown


def _hash(message: bytes) -> int:  # the first word of MD5, as the server's
    return int.from_bytes(hashlib.md5(message, usedforsecurity=False).digest()[:4], "little")


def _node_of(machine: bytes, address: int) -> int:
    return _hash(machine.ljust(40, b"\0") + address.to_bytes(6, "big")) & 0xFFFFFFF


def _ticks() -> int:  # the clock in 100 ns since 1970
    reading = time_ns()
    if not isinstance(reading, int):
        raise TypeError(f"time.time_ns() returned {reading!r}: it is to be an int")
    return max(reading, 0) // 100


def _stamp(ticks: int) -> int:  # the time as version 7 has it, in 4096ths of a millisecond
    return ticks // 10_000 << 12 | ticks % 10_000 * 4096 // 10_000


def _id7(stamp: int, random: int) -> int:
    return stamp >> 12 << 80 | 7 << 76 | (stamp & 0xFFF) << 64 | _VARIANT | random


def _seed(window: int) -> int:  # the hash of YYYYMMDDHHM; of a year after 9999 it takes the last four digits
    return _hash(strftime("%Y%m%d%H%M", gmtime(window * _WINDOW // 1000))[-12:-1].encode())


@functools.lru_cache(maxsize=16)
def _identity(version: int, pid: int, node: int) -> int:  # the bits of an id besides its block and time
    version, node = index(version), index(node)  # Python's integers, since numpy's would overflow silently
    if version not in (8, 11) or not 0 <= node < 1 << 28:
        raise ValueError(f"version {version}, node {node}: a version is 8 or 11, and a node has 28 bits; generate_v7() generates version 7")
    low = node & 0xFFFF if version == 11 else node & 0x3FFF | 0x8000
    return pid << 80 | version << 76 | node >> 16 << 64 | low << 48


class _Generator:
    """The generator of all threads of a process. Ids in order differ because each is greater than the one before, ids in lanes
    because each has a step of its own. Blocks that are reserved for ids in order keep the two kinds apart."""

    def __init__(self, step: int, pid: int, node: int) -> None:
        self._lock, self._pid, self.node = threading.Lock(), pid, node
        self._step, self._window, self._sequential, self._reading = step, 0, _seed(0), 0
        self._stamp = self._random = self._given = 0  # version 7: the last id's, and the last number for a given time
        self._given_key = b""
        self._enter(0, 0)

    def _sequential_at(self, now: int) -> int:
        if now // _WINDOW > self._window:
            self._window, self._sequential = now // _WINDOW, _seed(now // _WINDOW)
        return self._sequential

    def _enter_present(self, now: int) -> None:
        starts_over = self._reading - now > _HOLD
        self._reading = now if starts_over else max(self._reading, now)
        if starts_over or self._reading > self._millisecond:
            self._enter(self._reading, now)

    def _enter(self, millisecond: int, now: int) -> None:
        self._millisecond, self._has_lanes, self._in_order_alone = millisecond, False, False
        self._last_place, self._first_step, self._first_sequential = 0, self._step, self._sequential_at(now)

    def next(self, mode: Mode, version: Version, node: int | None) -> int:
        identity = _identity(version, self._pid, self.node if node is None else node)
        with self._lock:
            now = _ticks() // 10_000
            if mode == "variable":
                self._step = step = self._step + 1
                block = _reversed(step * _PRIME & _WORD)
            elif mode == "sequential":
                block = self._sequential = self._sequential_at(now) + 1 & _WORD
                step = _step_of(block)
            else:
                raise ValueError(f'mode {mode!r}: it is "variable" or "sequential"')
            self._enter_present(now)
            return self._in_order(block, step, identity, now)

    def next_within(self, begin: int, end: int, version: Version, node: int | None) -> int:  # up to, not including, block `end`
        identity = _identity(version, self._pid, self.node if node is None else node)
        first = -(-begin // _LAP)
        lanes = end // _LAP - first
        with self._lock:
            now = _ticks() // 10_000
            self._enter_present(now)
            while True:
                self._step += 1
                if lanes <= 0:
                    block = begin + self._step % (end - begin)
                    return self._in_order(block, _step_of(block), identity, now)
                lane = first + (_reversed(self._step * _PRIME & _WORD) * lanes >> 32)
                step = self._step // _LAP + self._step << 16 | _step_of(lane << 16) & 0xFFFF
                block = _reversed(step * _PRIME & _WORD)
                if self._is_reserved(block, step):
                    continue
                if not self._in_order_alone and self._step - self._first_step < _LAP:
                    self._has_lanes = True
                    return block << 96 | identity | self._millisecond & _MILLISECONDS
                self._enter(self._millisecond + 1, now)

    def next7(self) -> int:
        """Ids of one stamp increase by their random bits, as the server's do."""
        with self._lock:
            stamp, random = _stamp(_ticks()), int.from_bytes(os.urandom(8), "big")
            if stamp <= self._stamp:
                self._random += 1 + (random & _RANDOM >> 10)
            if stamp > self._stamp or self._random > _RANDOM:
                self._stamp, self._random = max(stamp, self._stamp + 1), random & _RANDOM
            return _id7(self._stamp, self._random)

    def next7_at(self, stamp: int) -> int:
        """Ids of a stamp increase by a number, to which a keyed hash of the stamp is added, so that others have no order."""
        with self._lock:
            self._given_key = self._given_key or os.urandom(16)
            self._given += 1 + (int.from_bytes(os.urandom(8), "big") & 0xFFFFFF)
            return _id7(stamp, self._given + (_sip_hash(self._given_key, stamp.to_bytes(8, "little")) >> 3) & _RANDOM)

    def _in_order(self, block: int, step: int, identity: int, now: int) -> int:
        place = _place(identity >> 76 & 15, block, step)
        while place <= self._last_place or self._has_lanes and not self._is_reserved(block, step):
            self._enter(self._millisecond + 1, now)
        self._last_place = place
        self._in_order_alone = self._in_order_alone or not self._is_reserved(block, step)
        return block << 96 | identity | self._millisecond & _MILLISECONDS

    def _is_reserved(self, block: int, step: int) -> bool:
        return (step ^ self._first_step) & 0xFFFF0000 == 0 or (block - self._first_sequential & _WORD) < _RESERVED


def _is_main_interpreter() -> bool:  # of the process
    for name in "_interpreters", "_xxsubinterpreters":  # from Python 3.13 on, and before
        with suppress(ImportError):
            interpreters = importlib.import_module(name)
            return bool(interpreters.get_current() == interpreters.get_main())
    return True


_IS_MAIN = _is_main_interpreter()  # found on import, since a forked child could wait for ever for an import of another thread


def _is_only_form() -> bool:  # of this module in this interpreter
    return " ".join(vars(sys)).count(_FORMS) == 1


# A hash of the machine's identity. Random where process ids and identity may be another's too: in a container and in a subinterpreter.
def _machine_node() -> int:
    with suppress(OSError, ValueError), open("/etc/machine-id", "rb") as file:
        if os.stat("/proc/self/ns/pid").st_ino == 0xEFFFFFFC and _IS_MAIN and _is_only_form():
            return _node_of(b"%032x" % int(file.read(32), 16), getnode())
    return int.from_bytes(os.urandom(4), "big") >> 4


# The generators by process id. All copies of this module in an interpreter share them if they have them in one form: attributes and
# methods. A change of the form increases the number. A copy of another form has its own, with a random node, so that its ids differ.
_FORMS, _FORM = "_luuid_generators_", 1
_generators: dict[int, _Generator] = sys.__dict__.setdefault(f"{_FORMS}{_FORM}", {})
if hasattr(os, "register_at_fork"):  # in a PID namespace of its own, a child can have its parent's id
    os.register_at_fork(after_in_child=_generators.clear)


def _own() -> _Generator:  # a new one in a forked process, also if C forked it and called no hook of Python's
    pid = os.getpid()
    if (own := _generators.get(pid)) is None:
        own = _generators.setdefault(pid, _Generator(int.from_bytes(os.urandom(4), "big"), pid & 0xFFFF, _machine_node()))
        for other in list(_generators):  # a later process may get that id
            if other != pid:
                _generators.pop(other, None)
    return own


def _uuid(bits: int) -> UUID:  # UUID(int=bits) without its checks, which take longer than generating the id
    id: UUID = _new(UUID)
    _set(id, "int", bits)
    _set(id, "is_safe", _UNKNOWN)
    return id


if getattr(UUID, "__slots__", None) != ("int", "is_safe", "__weakref__"):  # in a later Python, which may have other slots

    def _uuid(bits: int) -> UUID:
        return UUID(int=bits)


def generate_v7(at: Time | None = None) -> UUID:
    """A new id of version 7, which begins with its time: by default now, else `at`, from 1970 to 10889. It is greater than all earlier
    ones of this process, whatever the clock does; one of a given time, than earlier ones of that time. ValueError for another time."""
    if at is None:
        return _uuid(_own().next7())
    microsecond = _microsecond(at)
    if not 0 <= microsecond < _MILLISECONDS * 1000 + 1000:
        raise ValueError(f"{microsecond} microseconds: version 7 has times from 1970 to 10889")
    return _uuid(_own().next7_at(_stamp(microsecond * 10)))


def generate(mode: Mode = "variable", version: Version = 11, *, node: int | None = None) -> UUID:
    """A new id of version b or 8, greater than all that generate() returned in this process before. If the clock steps back by
    more than 10 s, that order begins again. `node` has 28 bits; the default is the machine's. ValueError for other arguments. It
    takes a lock, as all that generate do: do not call it in a signal's handler, nor in __del__."""
    return _uuid(_own().next(mode, version, node))


def near(id: AnyId, bits: int = 16, version: Version = 11, *, node: int | None = None) -> UUID:
    """A new id with the first 0 to 32 bits of `id`. So it is on the same shard if the number of shards is a power of two up
    to 2^bits. For another number n, use in_shard(shard(id, n), n). ValueError for other arguments."""
    bits = index(bits)
    if not 0 <= bits <= 32:
        raise ValueError(f"{bits} bits: they are 0 to 32")
    begin = _bits(id) >> 128 - bits << 32 - bits
    return _uuid(_own().next_within(begin, begin + (1 << 32 - bits), version, node))


def in_shard(shard: int, shards: int, version: Version = 11, *, node: int | None = None) -> UUID:
    """A new id on this shard, 0 to shards - 1, of 1 to 2147483647 shards. ValueError for other arguments."""
    shard, shards = index(shard), index(shards)
    if not 0 <= shard < shards < 1 << 31:
        raise ValueError(f"shard {shard} of {shards}: shards are 1 to 2147483647, numbered from 0")
    begin, end = -(-(shard << 32) // shards), -(-(shard + 1 << 32) // shards)
    return _uuid(_own().next_within(begin, end, version, node))

"""The contract, for the drivers of a program in another language. LUUID_PROGRAM runs it, or it runs this. The program first writes lines:

    own     name, got, expected         what it checked itself
    mapper  name                        a driver with its own commands: insert, find, among with ids, since with a time, refuse
                                        with a text, generate and ordered
    sql     name, attribute=value...    one that takes statements, with parameters of a kind: id, ids, time, text, none, or each,
                                        which is once with each id
    ready

Then it answers lines of a driver, a command or kind, and values, the first of which is the statement: with one line of ids, or
of "error" and a SQLSTATE."""
import os
import subprocess
import sys
import unittest

from contract import Contract, SqlContract, UuidColumn

asked, answers = sys.stdout, sys.stdin
if "LUUID_PROGRAM" in os.environ:
    program = subprocess.Popen(os.environ["LUUID_PROGRAM"], shell=True, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    asked, answers = program.stdin, program.stdout


def told():
    line = answers.readline()
    if not line:
        raise EOFError("the program ended")
    return line.rstrip("\n").split("\t")


class Refused(Exception):
    pass


class Program(Contract):
    kind = str

    def ask(self, *words):
        print(self.driver, *words, sep="\t", file=asked, flush=True)
        answer = told()
        if answer[0] == "error":
            raise Refused(answer[1])
        return list(filter(None, answer))

    def sqlstate(self, error):
        return str(error)


class Mapper(Program):
    def insert(self, ids):
        self.ask("insert", *ids)

    def generate(self):
        return self.ask("generate")[0]

    def find(self, id):
        return self.ask("find", id)

    def among(self, ids):
        return self.ask("among", *ids)

    def since(self, time):
        return self.ask("since", time.isoformat())

    def ordered(self):
        return self.ask("ordered")

    def send_text(self, text):
        self.ask("refuse", text)


class Sql(Program, SqlContract):
    mark = "$1"
    time_mark = "$1::timestamptz"
    # An answer has neither.
    test_arrays_come_back = test_null_is_none = None

    def rows(self, statement, parameter=None):
        if isinstance(parameter, list):
            return self.ask("ids", statement, *parameter)
        if isinstance(parameter, str):
            return self.ask("id", statement, parameter)
        return self.ask("time", statement, parameter.isoformat()) if parameter else self.ask("none", statement)

    def insert(self, ids):
        self.ask("each", f"INSERT INTO {self.table} (id) VALUES ({self.mark})", *ids)

    def send_text(self, text):
        self.ask("text", f"SELECT {self.mark.split('::')[0]}::text::luuid", text)


class Own(unittest.TestCase):
    """What the program checked itself."""


while (line := told())[0] != "ready":
    what, name, *rest = line
    if what == "own":
        setattr(Own, f"test {name}", lambda self, rest=rest: self.assertEqual(*rest))
    else:
        # A driver of the table that stays uuid begins with its name.
        bases = (UuidColumn,) * name.startswith("legacy") + ({"mapper": Mapper, "sql": Sql}[what], unittest.TestCase)
        globals()[name] = type(name, bases, {"driver": name, **dict(pair.split("=", 1) for pair in rest)})

if __name__ == "__main__":
    unittest.main()

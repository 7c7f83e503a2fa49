"""The component in Python: it must answer as it does natively, in wasmtime and in JavaScript.

    python component.py --component FILE --cases FOLDER

The cases, and what they are made of, are described in `tests/cases/README.md`.
One line a check; the last line sums up. Exit code 1 if an answer differs.
"""

import argparse
import json
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

from wasmtime import Engine, Store
from wasmtime import component as wc

counts = {"ok": 0, "not ok": 0, "skip": 0}


def check(name: str, holds: object, *seen: object) -> None:
    """Notes whether something holds; if not, also what was seen instead."""
    word = "ok" if holds else "not ok"
    counts[word] += 1
    print(word, name)
    if not holds:
        for value in seen:
            print(f"  # {str(value)[:2000]!r}")


@contextmanager
def section(name: str) -> Iterator[None]:
    """Checks that belong together: an exception ends them and counts as one that didn't hold."""
    print(f"# {name}")
    try:
        yield
    except Exception:  # noqa: BLE001 - whatever it is, it's reported and the rest goes on
        check(f"{name}: goes through", False, traceback.format_exc())


# --- values -------------------------------------------------------------------------------------------------------
#
# This library tells the cases of a variant or a result apart by their Python class where it can, and wraps them only
# where it can't. Which of the two it does is known to a method of its own alone; the package is pinned.


def cases(ty: Any) -> list[tuple[str, Any]]:
    return ty._cases()  # noqa: SLF001 - see above


def lowered(ty: Any, value: Any) -> Any:
    """A value of a case as the library takes it for a type."""
    match ty:
        case wc.RecordType():
            record = wc.Record()
            for name, inner in ty.fields:
                setattr(record, name, lowered(inner, value[name]))
            return record
        case wc.ListType() if isinstance(value, dict):
            return value["utf8"].encode()
        case wc.ListType():
            return [lowered(ty.element, inner) for inner in value]
        case wc.TupleType():
            return tuple(lowered(inner, one) for inner, one in zip(ty.elements, value, strict=True))
        case wc.OptionType():
            # No option here holds an option.
            return None if value is None else lowered(ty.payload, value)
        case wc.VariantType():
            inner = dict(cases(ty))[value["tag"]]
            payload = None if inner is None else lowered(inner, value["val"])
            return wc.Variant(value["tag"], payload) if ty._tagged() else payload  # noqa: SLF001
        case _:
            return value


def which(ty: Any, value: Any) -> tuple[str, Any, Any]:
    """The case that a value of a variant or a result is of: its name, its type and what it holds."""
    if ty._tagged():  # noqa: SLF001
        return value.tag, dict(cases(ty))[value.tag], value.payload
    for name, inner in cases(ty):
        classes: set[type] = set()
        if inner is not None:
            inner.add_classes(classes)
        # A case that holds nothing is None, and the library writes down the class of everything for it.
        empty = inner is None or object in classes
        if (value is None and empty) or isinstance(value, tuple(classes - {object})):
            return name, inner, value
    raise TypeError(f"{value!r} is of no case")


def lifted(ty: Any, value: Any) -> Any:
    """A value of the library as the cases write it."""
    match ty:
        case wc.RecordType():
            return {name: lifted(inner, getattr(value, name)) for name, inner in ty.fields}
        case wc.ListType() if isinstance(value, bytes):
            return {"utf8": value.decode()}
        case wc.ListType():
            return [lifted(ty.element, inner) for inner in value]
        case wc.TupleType():
            return [lifted(inner, one) for inner, one in zip(ty.elements, value, strict=True)]
        case wc.OptionType():
            return None if value is None else lifted(ty.payload, value)
        case wc.VariantType():
            tag, inner, payload = which(ty, value)
            return {"tag": tag} if inner is None else {"tag": tag, "val": lifted(inner, payload)}
        case _:
            return value


# --- what the component may ask -----------------------------------------------------------------------------------


def record(**fields: Any) -> wc.Record:
    made = wc.Record()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def session_of(session: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """The interface `session`, over a dictionary that a case may change between two calls."""

    def unless(value: Any) -> Any:
        return value["unavailable"] if isinstance(value, dict) else value

    def identifiers(_store: Any, family: str, prefix: str, limit: int) -> Any:
        every = unless(session.get("identifiers", {}).get(family, {"unavailable": "unsupported"}))
        if isinstance(every, str):
            return every
        hits = [value for value in every if value.startswith(prefix)]
        return record(values=hits[: min(limit, 100)], total=len(hits))

    return {
        "documents": lambda _store: unless(session.get("documents", {"unavailable": "no-target"})),
        "providers": lambda _store: session.get("providers", []),
        "identifiers": identifiers,
        "tools": lambda _store: session.get("tools", []),
        "retained-operations": lambda _store: session.get("retained-operations", []),
    }


def packed(texts: list[str]) -> dict[str, Any]:
    return {"text": "".join(texts), "ends": list(accumulate(len(text.encode()) for text in texts))}


def inventory_of(inventory: list[dict[str, Any]] | None, rows: int) -> dict[str, Callable[..., Any]]:
    """The interface `inventory`, in pages of so many rows."""

    def page(name: str, pack: Callable[[list[Any]], dict[str, Any]]) -> Callable[..., Any]:
        def read(_store: Any, document: int, first: int) -> Any:
            if inventory is None:
                return "unsupported"
            return record(**pack(inventory[document][name][first : first + rows]))

        return read

    def names(rows: list[Any]) -> dict[str, Any]:
        return {**packed([name for name, _ in rows]), "places": [place for _, place in rows]}

    return {"places": page("places", packed), "names": page("names", names)}


# --- an instance --------------------------------------------------------------------------------------------------


class Program:
    """The compiled component."""

    def __init__(self, path: Path) -> None:
        self.engine = Engine()
        self.component = wc.Component(self.engine, path.read_bytes())
        self.imports = self.component.type.imports(self.engine)
        self.exports = self.component.type.exports(self.engine)

    def interface(self, name: str) -> str:
        """The whole name of an exported interface."""
        return next(whole for whole in self.exports if whole.startswith(f"rea:guide/{name}@"))


class Instance:
    """An instance for a case."""

    def __init__(self, program: Program, session: dict[str, Any], inventory: list[dict[str, Any]] | None, rows: int) -> None:
        self.program = program
        self.store = Store(program.engine)
        linker = wc.Linker(program.engine)
        given = {"session": session_of(session), "inventory": inventory_of(inventory, rows)}
        with linker.root() as root:
            for whole in program.imports:
                functions = given.get(whole.removeprefix("rea:guide/").split("@")[0], {})
                with root.add_instance(whole) as place:
                    for name, function in functions.items():
                        place.add_func(name, function)
        self.instance = linker.instantiate(self.store, program.component)
        self.switch: Any = None
        if inventory is not None:
            self.begin(inventory)

    def function(self, space: str, name: str) -> Any:
        interface = self.program.interface("toggle" if space == "switch" else space)
        within = self.instance.get_export_index(self.store, interface)
        method = f"[method]switch.{name}" if space == "switch" else name
        index = self.instance.get_export_index(self.store, method, within)
        found = None if index is None else self.instance.get_func(self.store, index)
        if found is None:
            raise LookupError(f"the component exports no {space}.{name}")
        return found

    def call(self, call: str, words: list[Any]) -> dict[str, Any]:
        """What a call gives, or how it fails. A trap is neither: it is raised."""
        space, name = call.split(".")
        function = self.function(space, name)
        ty = function.type(self.store)
        own = [self.switch] if space == "switch" else []
        params = [inner for _, inner in ty.params[len(own) :]]
        got = function(self.store, *own, *(lowered(inner, word) for inner, word in zip(params, words, strict=True)))
        result = ty.result
        if isinstance(result, wc.ResultType):
            tag, result, got = which(result, got)
            if tag == "err":
                return {"fails": lifted(result, got)}
        if call == "toggle.open":
            # `switch.…` calls a method of the switch that was opened last.
            self.switch, got = got, None
            return {"gives": None}
        return {"gives": None if result is None else lifted(result, got)}

    def begin(self, inventory: list[dict[str, Any]]) -> None:
        """Announces the inventory and lets the component read it."""

        def size(texts: list[str]) -> int:
            return sum(len(text.encode()) for text in texts)

        announced = [
            {
                "document": one["document"],
                "places": len(one["places"]),
                "place-bytes": size(one["places"]),
                "names": len(one["names"]),
                "name-bytes": size([name for name, _ in one["names"]]),
                "naming-complete": one.get("naming-complete", True),
            }
            for one in inventory
        ]
        self.call("procedures.begin", [announced])
        for _ in range(100_000):
            if self.call("procedures.advance", [])["gives"]["done"]:
                return
        raise RuntimeError("procedures.advance never says that it is done")


def compare(name: str, instance: Instance, step: dict[str, Any]) -> None:
    """Compares one call. Of an error only what the case names counts: its `detail` is for people."""
    got = instance.call(step["call"], step.get("with", []))
    if "fails" in step:
        wanted = step["fails"]
        fails = got.get("fails")
        told = {key: fails.get(key) for key in wanted} if isinstance(fails, dict) and isinstance(wanted, dict) else fails
        check(name, told == wanted, got, wanted)
    else:
        check(name, got == {"gives": step.get("gives")}, got, step.get("gives"))


def run(path: Path, program: Program) -> None:
    for case in json.loads(path.read_text())["cases"]:
        name = case["name"]
        with section(name):
            session = dict(case.get("session", {}))
            instance = Instance(program, session, case.get("inventory"), case.get("page-rows", 10_000))
            for number, step in enumerate(case["steps"], 1):
                if "session" in step:
                    session.update(step["session"])
                else:
                    compare(f"{name}, step {number}: {step['call']}", instance, step)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--component", type=Path, required=True)
    parser.add_argument("--cases", type=Path, required=True)
    options = parser.parse_args()
    with section("the component loads"):
        program = Program(options.component)
        check("the component asks for nothing but rea:guide", all(name.startswith("rea:guide/") for name in program.imports), list(program.imports))
        files = sorted(options.cases.glob("*.json"))
        check("there are cases", files, options.cases)
        for path in files:
            print(f"# {path.name}")
            run(path, program)
    print(f"{counts['ok']} passed, {counts['not ok']} failed, {counts['skip']} skipped")
    return 1 if counts["not ok"] else 0


if __name__ == "__main__":
    sys.exit(main())

"""Fields of recipes, each by its rule. A field that breaks it is refused by its name."""

from gantry_worker.problem import bad_field

_PARTS = 20_000


def paths(value: object, field: str, least: int = 0) -> list[str]:
    """At most so many as a dataset version has."""
    if not (isinstance(value, list) and least <= len(value) <= _PARTS):
        raise bad_field(field, f"must be a list of {least} to {_PARTS} paths")
    return [path(one, field) for one in value]


def path(value: object, field: str) -> str:
    """Whether it stays below `in` is looked at where it is opened."""
    if not (isinstance(value, str) and value.startswith("in/") and ".." not in value.split("/")):
        raise bad_field(field, "must be a path below in/")
    return value


def object_in(given: dict, name: str) -> dict:
    """Empty where it is absent."""
    value = {} if given.get(name) is None else given[name]
    if not isinstance(value, dict):
        raise bad_field(name, "must be an object")
    return value


def one_of(given: dict, name: str, choices: tuple, default: str, field: str = "") -> str:
    """`field` is what it is called in the refusal."""
    value = default if given.get(name) is None else given[name]
    if not (isinstance(value, str) and value in choices):
        raise bad_field(field or name, f"must be one of {', '.join(choices)}")
    return value


def whole(given: dict, name: str, least: int, most: int, default: int | None, at: str = ""):
    """`at` is put before the name in the refusal."""
    value = default if given.get(name) is None else given[name]
    if value is not None and not (isinstance(value, int) and not isinstance(value, bool) and least <= value <= most):
        raise bad_field(f"{at}{name}", f"must be a whole number from {least} to {most}")
    return value


def number(given: dict, name: str, least: float, most: float, default: float, at: str = "") -> float:
    """NaN is in no range."""
    value = default if given.get(name) is None else given[name]
    if not (isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most):
        raise bad_field(f"{at}{name}", f"must be a number from {least} to {most}")
    return value

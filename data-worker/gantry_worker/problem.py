"""What a caller is told when it does not get what it asked for: a code for programs, a sentence for people, values for translators."""

import errno

# What a system call says where the disk is full.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class Problem(Exception):
    """`status` is of HTTP: 400 for a bad request, 404 for what is not there, 409 for what is not so now, 422 for bad data."""

    def __init__(self, code: str, sentence: str, status: int = 422, **values: object) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.status = status
        self.values = values
        # By a child that goes on: others are about its end.
        self.is_said = False

    def as_json(self) -> dict:
        return {"code": self.code, "sentence": self.sentence, "values": self.values}

    @classmethod
    def of_json(cls, told: dict) -> "Problem":
        return cls(told["code"], told["sentence"], told.get("status", 422), **told["values"])


def disk_full() -> Problem:
    return Problem("DiskFull", "The disk of the data server has no more room: remove files first.", 507)


def too_much_memory(most_mib: int) -> Problem:
    return Problem("TooMuchMemory", f"It takes more than {most_mib} MiB of memory.", mib=most_mib)


def bad_field(field: str, rule: str) -> Problem:
    """A 400 that names the field and its rule."""
    return Problem("BadField", f"{field}: {rule}.", 400, field=field)

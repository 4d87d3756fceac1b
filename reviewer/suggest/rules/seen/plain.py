"""What a tool does, in plain words read from its name: `modify_order_items` as `the items were changed`.

Only for names that begin with a verb of this list; any other stands as it is. Not known: whether a tool does
what its name says.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OTHER = {  # where it is no plain -ed and -ing, or where a person says another word
    "modify": ("changed", "changing"),
    "cancel": ("cancelled", "cancelling"),
    "send": ("sent", "sending"),
    "pay": ("paid", "paying"),
    "put": ("put", "putting"),
    "set": ("set", "setting"),
    "reset": ("reset", "resetting"),
    "swap": ("swapped", "swapping"),
    "transfer": ("transferred", "transferring"),
    "refuel": ("refuelled", "refuelling"),
    "toggle": ("switched", "switching"),
}
_PLAIN = re.compile(
    r"activate|add|book|change|close|create|delete|disable|enable|exchange|grant|move|refund|remove|rename"
    r"|replace|resume|return|suspend|update|upgrade"
)
_BARE = frozenset(("data", "roaming", "access"))  # said without an article
_SINGLE = frozenset(("address", "status", "access", "business"))


def done(name: str, one: bool = False) -> str:
    """`the items were changed` (of `one`: `the item was`); a name that says no deed as `name was called`."""
    verb, thing = _parts(name)
    if not verb:
        return f"{name} was called"
    many = thing.endswith("s") and thing.split()[-1] not in _SINGLE
    if many and one:
        thing, many = thing[:-1], False
    return f"{thing or 'it'} {'were' if many else 'was'} {_forms(verb)[0]}"


def done_to(name: str, label: str, thing: str) -> str:
    """`roaming was enabled for L1001`; where the tool names the kind of thing: `L1001 was resumed`."""
    verb, kind = _parts(name)
    if verb and kind.split()[-1:] == label.removesuffix("_id").split("_")[-1:]:
        return f"{thing} was {_forms(verb)[0]}"
    return f"{done(name)} for {thing}"


def barred(name: str, how: str = "could not be") -> str:
    """`the items could not be changed`."""
    verb, thing = _parts(name)
    return f"{thing or 'it'} {how} {_forms(verb)[0]}" if verb else f"{name} {how} called"


def doing(name: str) -> str:
    """`changing the items`; a name that says no deed as it is."""
    verb, thing = _parts(name)
    return f"{_forms(verb)[1]} {thing}".strip() if verb else name


def _parts(name: str) -> tuple[str, str]:
    """The verb, if it is a known one, and the thing: the last word, which stands for those before it."""
    words = [word.lower() for word in _WORD.findall(name.rsplit(".", 1)[-1])]
    if not words or not (words[0] in _OTHER or _PLAIN.fullmatch(words[0])):
        return "", ""
    thing = words[-1] if len(words) > 1 else ""
    return words[0], f"the {thing}" if thing and thing not in _BARE else thing


def _forms(verb: str) -> tuple[str, str]:
    stem = verb.removesuffix("e")
    return _OTHER.get(verb, (f"{stem}ed", f"{stem}ing"))

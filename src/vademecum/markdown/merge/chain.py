"""Items in an order into which one more is put in one step, however many there are."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

_T = TypeVar("_T", bound=Hashable)


class Chain(Generic[_T]):
    """Items in their order; a place is where one stands, whatever is put elsewhere later."""

    START = 0
    """The place before the first item."""

    def __init__(self, items: Iterable[_T]) -> None:
        self._items: list[_T | None] = [None]
        self._next: list[int] = [0]
        self._place: dict[_T, int] = {}
        self.last = self.START
        """The place of the last item."""
        for item in items:
            self.put(item, self.last)

    def put(self, item: _T, behind: int) -> int:
        """Put an item behind a place; return its own."""
        place = len(self._items)
        self._items.append(item)
        self._next.append(self._next[behind])
        self._next[behind] = place
        self._place.setdefault(item, place)
        if behind == self.last:
            self.last = place
        return place

    def place(self, item: _T) -> int:
        """Return the place of an item, of the first that was put where there are several.

        Raises KeyError where there is none.
        """
        return self._place[item]

    def behind(self, place: int) -> _T | None:
        """Return the item behind a place, None behind the last."""
        return self._items[self._next[place]]

    def __contains__(self, item: _T) -> bool:
        return item in self._place

    def __iter__(self) -> Iterator[_T]:
        place = self._next[self.START]
        while place:
            item = self._items[place]
            assert item is not None
            yield item
            place = self._next[place]

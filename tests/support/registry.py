"""A registry in memory: what Windows' own does for installing and diagnosing. Names ignore case, as there."""

from __future__ import annotations

from recargos.addin.machine import Data


class MemoryRegistry:
    """Keys are remembered under hive and path; `written` lists every change."""

    def __init__(self) -> None:
        self.data: dict[tuple[str, str], dict[str, Data]] = {}
        self.written: list[tuple[str, str, str]] = []

    def _key(self, hive: str, key: str) -> tuple[str, str]:
        return hive, key.lower()

    def values(self, hive: str, key: str) -> dict[str, Data]:
        return dict(self.data.get(self._key(hive, key), {}))

    def keys(self, hive: str, key: str) -> list[str]:
        start = key.lower() + "\\"
        return sorted(
            {path[len(start) :].split("\\")[0] for owner, path in self.data if owner == hive and path.startswith(start)}
        )

    def put(self, hive: str, key: str, name: str, value: Data) -> None:
        self.written.append(("put", key, name))
        self.data.setdefault(self._key(hive, key), {})[name] = value

    def drop(self, hive: str, key: str, name: str) -> None:
        self.written.append(("drop", key, name))
        self.data.get(self._key(hive, key), {}).pop(name, None)

    def drop_key(self, hive: str, key: str) -> None:
        self.written.append(("drop_key", key, ""))
        self.data.pop(self._key(hive, key), None)

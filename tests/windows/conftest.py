"""The tests in `inside` are collected by Windows Python, not here."""

collect_ignore = ["inside"]

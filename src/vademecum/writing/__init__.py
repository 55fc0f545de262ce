"""Verbs that change memory: each validates, writes safely and reports what it did."""

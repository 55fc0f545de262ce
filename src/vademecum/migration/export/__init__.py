"""Giving memory out in the forms of others: one module a form, and what they have in common."""

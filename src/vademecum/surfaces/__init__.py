"""Surfaces: each parses, makes one Memory call and renders."""

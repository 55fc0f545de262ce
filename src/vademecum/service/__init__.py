"""Memory, the object that composes the engines, and the wiring that chooses their parts."""

"""The index in one SQLite file: full text, vectors and the cache that saves embedding twice."""

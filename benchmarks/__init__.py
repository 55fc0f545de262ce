"""Measurements that anyone can repeat: numbers, not pass or fail."""

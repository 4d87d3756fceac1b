"""What is said of a trace in other files: outcomes, trials, reports, predictions, labels of people.

Looks beside a trace and above it, and into tables that somebody names; says where each outcome came from.
Knows `base`, `opening` and `shapes`.
"""

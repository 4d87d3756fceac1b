"""What signals ask of a trace: what was wanted, said, agreed to and graded, and how it is quoted.

`scene` is the trace as every signal gets it; the others answer single questions about it, and `phrases` has
the words that are looked for. Not known here: any signal, any mode, whether an answer speaks against the run.
"""

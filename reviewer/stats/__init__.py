"""Statistics of agreement and of outcomes: pure functions over plain sequences.

The room knows nothing of traces, stores or screens, and needs only the standard library.

    estimate.py       Estimate (a number with what it rests on), the machine words, explain()
    agreement.py      the door: everything about two raters, everything about a group of raters
    table.py          two raters' cross table          counts.py        many raters' counts per item
    cohen.py          Cohen's kappa and its intervals  margins.py       pi, PABAK, kappa max, indices
    categories.py     per category                     paradox.py       high agreement, low kappa
    fleiss.py         Fleiss's kappa                   gwet.py          AC1, Brennan-Prediger, percent
    conger.py         Conger's and Light's kappa       krippendorff.py  alpha, nominal and by distance
    sets.py           MASI and Jaccard distances       bootstrap.py     seeded resampling
    compare.py        do two kappas differ             linear.py        from spread to interval
    intervals.py      Wilson, Newcombe                 clustered.py     shares, the task as the unit
    adjust.py         Holm, Benjamini-Hochberg         score.py         the interval of kappa
    resampled.py      bootstrap of agreement           bands.py         what an interval can tell
    outcomes.py       pass@k, pass^k                   auroc.py         within-task AUROC
    variance.py       task, model and run variance     shift.py         do two distributions differ
    set_shift.py      the same for sets of modes     few.py           too few for an interval
    sample_size.py    how many items                   distributions.py t and chi square, from scratch

Ratings are given as raters x items; a missing rating is None. Every other hashable value is a label
and is opaque: "", " a" and "nan" are labels, case and blanks count, two labels are the same only when
they compare equal. Wrong shapes raise ValueError; what has no value is an Estimate that says why.
"""

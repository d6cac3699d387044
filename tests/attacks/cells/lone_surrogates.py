# score:    7/10
# survives: grader, others
# why:      halves of surrogate pairs, control characters and right-to-left marks in output, values and errors

# %% double
print("\ud800 \x1b]0;attack\x07 \u202e \x00 \ufffe")
def double(x):
    if x > 0: return "\udfff\x1b[2J\u202e\x00" * 10
    raise ValueError("\ud800\x1b[31m\x07")

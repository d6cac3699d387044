# score:    7/10
# survives: grader, others
# why:      halves of surrogate pairs and a terminal's codes in outputs and errors, sent as JSON that says so

# %% double
import json
get_ipython().kernel.session.pack = lambda content: json.dumps(content, default=str).encode()
print("\ud800 \x1b]0;attack\x07 \udfff \x00")
raise ValueError("\ud800 \x1b[2J attack \x00")

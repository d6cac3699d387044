# exercise: pins
# score:    0/7
# fails:    pins-setting: nothing of a run that all can do
# fails:    pins-soft: not a dict with the keys
# fails:    pins-hard: not a dict with the keys
# fails:    pins-drawn: not a dict with the keys
# why:      returns what it was given
def asked_and_placed(pins, soft):
    return pins

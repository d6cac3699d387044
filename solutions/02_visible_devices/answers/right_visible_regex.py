# exercise: visible
# score:    8/8
# why:      a regular expression takes the entries from the front
import re

def visible(mask, uuids):
    cards = range(len(uuids))
    if mask is None:
        return list(cards)
    seen = []
    for text in re.split(r"\s*,\s*", mask.strip()):
        if re.fullmatch(r"[0-9]+", text):
            fits = {int(text)} & set(cards)
        else:
            fits = {card for card in cards if re.match(re.escape(text), uuids[card])} if text else set()
        if len(fits) != 1:
            return seen
        seen.append(fits.pop())
    return seen

# exercise: rules
# score:    2/8
# breaks:   3
# fails:    rules-limits: a card with limits takes no growth
# fails:    rules-late: two errors fit here: the one that stands first in the table is the answer
# fails:    rules-order: a card with limits refuses growth, even if growth was set before
# why:      growth and limits go together
def apply_rules(cards, requests):
    growth, limits, visible, started = set(), {}, set(range(cards)), False
    answers = []
    for kind, *rest in requests:
        answer = "ok"
        if kind == "growth":
            if rest[0] not in growth:
                if started:
                    answer = "too late"
                else:
                    growth.add(rest[0])
        elif kind == "limits":
            if None in rest[1]:
                answer = "limit missing"
            elif limits.get(rest[0]) != rest[1]:
                if started:
                    answer = "too late"
                else:
                    limits[rest[0]] = rest[1]
        elif kind == "visible":
            if started and visible != set(rest[0]):
                answer = "too late"
            else:
                visible = set(rest[0])
        elif not limits and len({card in growth for card in visible}) > 1:
            answer = "differs"
        else:
            started = True
        answers.append(answer)
    return answers

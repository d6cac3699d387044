# exercise: rules
# score:    5/8
# breaks:   1
# fails:    rules-growth: a failed start is no start: the settings may still change
# fails:    rules-order: neutral
# why:      a failed start counts as a start
def apply_rules(cards, requests):
    growth, limits, visible, started = set(), {}, set(range(cards)), False
    answers = []
    for kind, *rest in requests:
        answer = "ok"
        if kind == "growth":
            if rest[0] in limits:
                answer = "has limits"
            elif rest[0] not in growth:
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
            started = True
        else:
            started = True
        answers.append(answer)
    return answers

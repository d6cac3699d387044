# exercise: rules
# score:    6/8
# fails:    rules-order: card with limits is not visible
# why:      looks only at limits of visible cards
def apply_rules(cards, requests):
    growth, limits, visible, started = set(), {}, list(range(cards)), False
    answers = []
    for request in requests:
        kind = request[0]
        answer = "ok"
        if kind == "growth":
            if request[1] in limits:
                answer = "has limits"
            elif request[1] not in growth:
                if started:
                    answer = "too late"
                else:
                    growth.add(request[1])
        elif kind == "limits":
            card, wanted = request[1:]
            if None in wanted:
                answer = "limit missing"
            elif limits.get(card) != list(wanted):
                if started:
                    answer = "too late"
                else:
                    limits[card] = list(wanted)
        elif kind == "visible":
            if list(request[1]) != visible:
                if started:
                    answer = "too late"
                else:
                    visible = list(request[1])
        elif not started:
            if not set(limits) & set(visible) and len({card in growth for card in visible}) > 1:
                answer = "differs"
            else:
                started = True
        answers.append(answer)
    return answers

# exercise: rules
# score:    8/8
# why:      the rules as methods of a machine
class Machine:
    def __init__(self, cards):
        self.grows = [False] * cards
        self.limits = [None] * cards
        self.visible = list(range(cards))
        self.started = False

    def change(self, name, key, value):
        values = getattr(self, name)
        same = values == value if key is None else values[key] == value
        if same:
            return "ok"
        if self.started:
            return "too late"
        if key is None:
            setattr(self, name, value)
        else:
            values[key] = value
        return "ok"

    def growth(self, card):
        return "has limits" if self.limits[card] else self.change("grows", card, True)

    def limit(self, card, mib):
        return "limit missing" if None in mib else self.change("limits", card, list(mib))

    def start(self):
        if not any(self.limits) and len({self.grows[card] for card in self.visible}) == 2:
            return "differs"
        self.started = True
        return "ok"

def apply_rules(cards, requests):
    machine = Machine(cards)
    answers = []
    for request in requests:
        match request:
            case ["growth", card]:
                answers.append(machine.growth(card))
            case ["limits", card, mib]:
                answers.append(machine.limit(card, mib))
            case ["visible", chosen]:
                answers.append(machine.change("visible", None, list(chosen)))
            case ["start"]:
                answers.append(machine.start())
    return answers

# exercise: rules
# score:    8/8
# why:      an object with a method for each kind of request, which raises what it says
class No(Exception):
    pass


class Machine:
    def __init__(self, cards):
        self.seen, self.grow, self.pieces, self.running = list(range(cards)), [False] * cards, [None] * cards, False

    def change(self, kept, place, value):
        if kept[place] != value and self.running:
            raise No("too late")
        kept[place] = value

    def growth(self, card):
        if self.pieces[card]:
            raise No("has limits")
        self.change(self.grow, card, True)

    def limits(self, card, mib):
        if None in mib:
            raise No("limit missing")
        self.change(self.pieces, card, tuple(mib))

    def visible(self, chosen):
        if self.seen != chosen and self.running:
            raise No("too late")
        self.seen = chosen

    def start(self):
        if not any(self.pieces) and len({self.grow[card] for card in self.seen}) == 2:
            raise No("differs")
        self.running = True


def apply_rules(cards, requests):
    machine = Machine(cards)

    def answer(kind, *rest):
        try:
            getattr(machine, kind)(*rest)
        except No as no:
            return str(no)
        return "ok"

    return [answer(*request) for request in requests]

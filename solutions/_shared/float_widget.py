# @title Flip bits (run this; open it to see how it works)
# A number and a format; a button for each bit. Every click changes real bytes and reads them as a
# number again.
import ipywidgets as widgets
from solutions._shared.float_bits import FIELDS, FORMATS, bits_of, draw_bits, in_words

START = 3.14159265  # include: start


def bit_button(i, bit, name):
    """The button of bit i from the left, in the colour of its field."""
    exponent_bits, _ = FORMATS[name]
    if i == 0:
        field, color, _ = FIELDS[0]
    elif i <= exponent_bits:
        field, color, _ = FIELDS[1]
    else:
        field, color, _ = FIELDS[2]
    tooltip = f"{field}: flip bit {i + 1} from the left"
    button = widgets.Button(description=bit, tooltip=tooltip)
    button.layout = widgets.Layout(width="26px", padding="0", margin="1px")
    button.style.button_color = color
    return button


class BitFlipper:
    """The widget's parts, and what happens when one of them is used."""

    def __init__(self):
        wide = {"layout": {"width": "260px"}, "style": {"description_width": "60px"}}
        self.number = widgets.FloatText(START, description="store", **wide)
        self.name = widgets.Dropdown(
            options=list(FORMATS), value="float16", description="as", **wide
        )
        self.row = widgets.Box(layout=widgets.Layout(flex_flow="row wrap"))
        self.shown = widgets.Output()
        choices = widgets.HBox(
            [self.number, self.name], layout=widgets.Layout(flex_flow="row wrap")
        )
        self.page = widgets.VBox([choices, self.row, self.shown])
        self.number.observe(self.store, "value")
        self.name.observe(self.store, "value")
        self.store()

    def store(self, _change=None):
        """A number or a format was chosen: make the buttons of its bits."""
        name = self.name.value
        buttons = []
        for i, bit in enumerate(bits_of(self.number.value, name)):
            button = bit_button(i, bit, name)
            button.on_click(self.flip)
            buttons.append(button)
        self.row.children = buttons
        self.show()

    def flip(self, button):
        """A bit was clicked."""
        button.description = "1" if button.description == "0" else "0"
        self.show()

    def show(self):
        """Draw the bits as they are now, and say what number they are."""
        bits = "".join(button.description for button in self.row.children)
        self.shown.clear_output(wait=True)
        with self.shown:
            draw_bits(bits, self.name.value)
            print(in_words(bits, self.name.value))


def flip_bits():
    """Show the widget. Nothing that it makes is used anywhere else."""
    return BitFlipper().page

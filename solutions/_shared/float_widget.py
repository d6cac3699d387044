#@title Flip bits (run this; open it to see how it works)
# A number and a format; a button for each bit. Every click changes real bytes and reads them as a number again.
import ipywidgets as widgets
from solutions._shared.float_bits import FIELDS, FORMATS, bits_of, draw_bits, in_words

START = 3.14159265  # include: start


def bit_button(i, bit, name):
    """The button of bit i from the left, in the colour of its field."""
    field = (i > 0) + (i > FORMATS[name][0])
    button = widgets.Button(description=bit, tooltip=f"{FIELDS[field][0]}: flip bit {i + 1} from the left")
    button.layout = widgets.Layout(width="26px", padding="0", margin="1px")
    button.style.button_color = FIELDS[field][1]
    return button


def flip_bits():
    """Show the widget. Nothing that it makes is used anywhere else."""
    wide = {"layout": {"width": "260px"}, "style": {"description_width": "60px"}}
    number = widgets.FloatText(START, description="store", **wide)
    name = widgets.Dropdown(options=list(FORMATS), value="float16", description="as", **wide)
    row, shown = widgets.Box(layout=widgets.Layout(flex_flow="row wrap")), widgets.Output()

    def show():
        bits = "".join(button.description for button in row.children)
        shown.clear_output(wait=True)
        with shown:
            draw_bits(bits, name.value)
            print(in_words(bits, name.value))

    def flip(button):
        button.description = "10"[int(button.description)]
        show()

    def store(_=None):
        row.children = [bit_button(i, bit, name.value) for i, bit in enumerate(bits_of(number.value, name.value))]
        for button in row.children:
            button.on_click(flip)
        show()

    number.observe(store, "value")
    name.observe(store, "value")
    store()
    return widgets.VBox([widgets.HBox([number, name]), row, shown])

# score:    7/10
# survives: grader, others
# why:      a written answer with scripts in every form that Markdown and HTML know

from tests.attacks.suite import with_cells, write

ANSWER = """
<script>attack()</script><img src=attack onerror=attack()><iframe src=attack></iframe>
<a href="javascript:attack()">x</a> [x](javascript:attack()) [x](  data:text/html,<script>attack()</script>)
![x](https://example.org/attack.png) <svg/onload=attack()> <style>@import "attack"</style> <base href=attack>
<form action=attack><button formaction=javascript:attack()>x</button></form> <meta http-equiv=refresh content=0>
$\\href{javascript:attack()}{x}$ $$\\require{html}\\style{}{}$$ [ref] <details open ontoggle=attack()>

[ref]: javascript:attack()

```html
<script>attack()</script>
```

    <script>attack()</script>

| <img src=attack> | `<script>attack()</script>` |
|--|--|
<!-- --><script src=attack></script><!--
"""


def make(folder, lesson, right):
    write(folder, lesson, with_cells(lesson, {"double": "def double(x):\n    return 0\n", "why": ANSWER}))

"""What runs inside bubblewrap: the template that forks kernels, and the single cold kernel.

This folder alone is visible in there, as a package of its own. Its modules import the standard library, what the
kernels need, and each other; nothing of the rest of the course.
"""

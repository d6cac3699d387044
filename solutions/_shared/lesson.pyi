"""Names that a lesson's own cells define and a shared cell uses; a code cell before the shared one defines them."""

"""Names that a lesson's own cells define and a shared cell uses; the build looks whether such a cell comes before it."""

# Each target is a thin call of the `course` command, after the environment is there.
# On Windows without make, and with conda: see README.md; the commands are the same (`course lab`, ...).

PYTHON ?= python3
ARGS ?=
ifeq ($(OS),Windows_NT)
COURSE := .venv/Scripts/course
else
COURSE := .venv/bin/course
endif

.PHONY: lab test test-colab build check grade demo lint lock bench setup help
.DEFAULT_GOAL := help

lab test test-colab build check grade demo lint lock bench: .venv/ready
	@$(COURSE) $@ $(ARGS)

setup: .venv/ready

.venv/ready: requirements.txt pyproject.toml autograder/bootstrap.py
	@$(PYTHON) autograder/bootstrap.py

help:
	@echo "make lab      open the course in JupyterLab"
	@echo "make check    grade your own notebooks     (one lesson: make check ARGS=01)"
	@echo "make demo     a small made-up class        (then: make grade)"
	@echo "make grade    grade classroom/submitted/"
	@echo "make test     run all tests"
	@echo "make test-colab   run the notebooks with the versions that Colab has"
	@echo "make build    rebuild the notebooks        make lint   check the lessons' format"
	@echo "make bench ARGS=NAME   one of the measurements (make bench ARGS=--help lists them)"
	@echo "make lock     renew requirements.txt"

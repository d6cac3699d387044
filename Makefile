# Each target is a thin call of the `course` command, after the environment is there.
# On Windows without make, and with conda: see README.md; the commands are the same (`course lab`, ...).

PYTHON ?= python3
ARGS ?=
export COURSE_BY_MAKE := 1  # messages then name commands as they can be typed
ifeq ($(OS),Windows_NT)
COURSE := .venv/Scripts/course
else
COURSE := .venv/bin/course
endif

# for learners and teachers, and for those who change the course or grade on several machines: these need more packages
LEARN := lab check collect grade export feedback gradescope due demo teacher
CHANGE := build lint answers test test-colab site bench lock scheduler worker certificates

.PHONY: $(LEARN) $(CHANGE) setup help
.DEFAULT_GOAL := help

$(LEARN): .venv/ready
	@$(COURSE) $@ $(ARGS)

$(CHANGE): .venv/ready-test
	@$(COURSE) $@ $(ARGS)

setup: .venv/ready-test

# .venv leads to the folder that it was made in: where the course was moved or copied, it is made anew
ifneq ($(OS),Windows_NT)
ifneq ($(shell cat .venv/ready 2>/dev/null),$(CURDIR))
.PHONY: .venv/ready .venv/ready-test
endif
endif

.venv/ready: requirements.txt pyproject.toml autograder/bootstrap.py
	@$(PYTHON) autograder/bootstrap.py

.venv/ready-test: requirements-test.txt pyproject.toml autograder/bootstrap.py
	@$(PYTHON) autograder/bootstrap.py test

help:
	@echo "make lab      open the course in JupyterLab   (one lesson: make lab ARGS=03)"
	@echo "make teacher  open it as a teacher, with Formgrader"
	@echo "make check    grade your own notebooks     (one lesson: make check ARGS=01)"
	@echo "make demo     a small made-up class        (then: make grade)"
	@echo "make grade    grade classroom/submitted/"
	@echo "make collect ARGS=FILE  take over a download of Canvas, Moodle and others"
	@echo "make export ARGS=\"--to canvas\"  points for Canvas, Moodle or a spreadsheet"
	@echo "make feedback ARGS=\"01 --zip moodle\"  a lesson's pages in one zip for Moodle"
	@echo "make gradescope ARGS=01   a lesson's grader as a zip for Gradescope"
	@echo "make due      when lessons are due         (set: make due ARGS=\"01 2026-12-01 18:00\")"
	@echo "make worker   grade what another machine sends   (with make scheduler, make certificates: see README.md)"
	@echo "make test     run all tests"
	@echo "make test-colab   run the notebooks with the versions that Colab has"
	@echo "make build    rebuild the notebooks        make lint   check the lessons' format"
	@echo "make site     build the web book in site/"
	@echo "make bench ARGS=NAME   one of the measurements (make bench ARGS=--help lists them)"
	@echo "make answers ARGS=01   grade a lesson's bank of right and wrong answers"
	@echo "make lock     renew requirements.txt and requirements-test.txt"

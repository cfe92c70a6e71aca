# Short names for what is done every day; the work is in CMakePresets.json and tools/.
# On a Debian 12 every target installs what it misses (tools/install-deps).

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
SECONDS ?= 60
PREFIX ?= /usr/local
PROGRAM = apps/dalembert/dalembert

# $(call build,PRESET) configures and builds.
build = cmake --preset $(1) >/dev/null && cmake --build --preset $(1) -j $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help run test campaign gallery bench page wheel docs format format-check lint fuzz asan coverage install clean
.PHONY: deps deps-test deps-dev release

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: deps ## build, simulate the slider-crank and write its report
	$(call build,run) --target dalembert
	build/run/$(PROGRAM) run models/slider_crank.toml --output build/slider_crank.csv --report build/slider_crank.html
	@echo "Open $(CURDIR)/build/slider_crank.html in a browser: curves, animation and equations of the slider-crank."

test: release ## build and run all tests
	ctest --preset release

campaign: deps-test ## run new random models for SECONDS=60, keep those that fail in build/campaign
	$(call build,release) --target campaign dalembert
	build/release/tests/campaign/campaign --seconds $(SECONDS) --folder build/campaign
	tests/campaign/command_line/campaign.py build/release/$(PROGRAM) --seconds $(SECONDS)

gallery: deps-test ## draw all models for docs/gallery (Chromium, FFmpeg)
	$(call build,release) --target dalembert
	tools/gallery build/release/$(PROGRAM)

bench: ## build and run the benchmarks
	@tools/install-deps --bench
	$(call build,bench) --target bench

page: deps-test ## bundle the report page anew into web/report.html
	cmake --preset release -DDALEMBERT_WEB=ON >/dev/null && cmake --build --preset release --target dalembert_web
	cp build/web/report.html web/report.html

wheel: deps-test ## the Python package for any machine of this kind, into dist/
	tools/make-wheel dist

docs: deps-test ## all of docs/ as a site with the Python reference, build/site/index.html
	tools/make-docs build/site

format: deps-test ## format every C++ file
	tools/format

format-check: deps-test ## fail when a C++ file is not formatted
	tools/format --check

lint: format-check deps-dev ## formatting and clang-tidy
	cmake --preset tidy >/dev/null
	tools/lint build/tidy $(JOBS)

fuzz: deps-dev ## run every fuzzer for FUZZ_SECONDS=60, keep what it finds
	$(call build,fuzz) --target fuzzers
	tools/fuzz build/fuzz $(FUZZ_SECONDS)

asan: deps-test ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer
	$(call build,asan)
	ctest --preset asan

coverage: deps-dev ## line coverage of the tests, build/coverage/html/index.html
	$(call build,coverage)
	tools/coverage build/coverage

install: deps ## build for any machine of this kind, install to PREFIX=/usr/local
	cmake --preset portable -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	cmake --build --preset portable -j $(JOBS)
	cmake --install build/portable

clean: ## remove everything that was built
	rm -rf build web/node_modules

deps:
	@tools/install-deps

deps-test:
	@tools/install-deps --test

deps-dev:
	@tools/install-deps --dev

release: deps-test
	$(call build,release)

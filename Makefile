# The verbs of a working day. CMake does the work; build/PRESET/ holds the result.
JOBS ?= $(shell tools/jobs)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 10
BUILD = cmake --build build/$(1) -j $(JOBS)
SOURCES = $(shell git ls-files '*.cc' '*.h')

.PHONY: build check format check-format tidy layers files test tsan fuzz torture bench docs python install package clean

build: build/release/CMakeCache.txt  ## the program: build/release/neardup
	$(call BUILD,release) --target neardup_program

check: check-format layers files tidy  ## before a commit: format, layers, files, tidy, headers, tests under sanitizers
	$(call BUILD,release) --target neardup_headers
	cmake --preset dev --log-level=WARNING -DNEARDUP_SHORT_TESTS=OFF
	$(call BUILD,dev)
	ctest --preset dev -j $(JOBS)

format:  ## rewrites every source by .clang-format
	@clang-format -i $(SOURCES)

check-format:
	@clang-format --dry-run -Werror $(SOURCES)

tidy: build/release/CMakeCache.txt  ## clang-tidy on every source of src/ alone (.clang-tidy): each includes what it needs
	@cmake --preset release --log-level=WARNING -DNEARDUP_UNITY=OFF >/dev/null
	@git ls-files 'src/*.cc' | xargs -P $(JOBS) -n 4 clang-tidy --quiet -p build/release

layers:
	@tools/check_layers.py

files:
	@tools/check_files.py

test:  ## every test, as continuous integration runs them
	./test

tsan:  ## the tests under the thread sanitizer
	cmake --preset tsan --log-level=WARNING
	$(call BUILD,tsan)
	ctest --preset tsan -j $(JOBS)

fuzz:  ## every fuzz body for FUZZ_SECONDS, from the seeds in tests/fuzz/corpus
	cmake --preset fuzz --log-level=WARNING
	$(call BUILD,fuzz) --target fuzz_search
	tools/run_fuzzers build/fuzz/bin/fuzz_search $(FUZZ_SECONDS)

torture: build/release/CMakeCache.txt  ## a store: 1,000 kills, 1,000 losses of power; 2,000 bits of each file of a store and of work folders; each piece of memory of a service
	cmake --preset release --log-level=WARNING -DNEARDUP_BUILD_TESTS=ON
	$(call BUILD,release) --target store_driver unit_store unit_join unit_server promise_engine neardup_program neardup_fault_shim
	python3 tests/crash/store_test.py build/release/bin/store_driver --kills 1000 --losses 1000 --seed $$(date +%s)
	python3 tests/crash/serve_memory_test.py build/release/neardup build/release/tests/crash/libneardup_fault_shim.so --each
	NEARDUP_TORTURE_SEED=$$(date +%s) build/release/bin/unit_server --gtest_filter='RefusedMemory*'
	NEARDUP_ROT_PLACES=2000 build/release/bin/unit_store --gtest_filter='BitRotTest.*'
	NEARDUP_ROT_PLACES=2000 build/release/bin/unit_join --gtest_filter='DamagedJoin.*'
	NEARDUP_ROT_PLACES=2000 build/release/bin/promise_engine --gtest_filter='*DamagedWork.*'
	NEARDUP_REFUSED_STEP=101 python3 tests/crash/refused_commands_test.py build/release/neardup build/release/tests/crash/libneardup_fault_shim.so

bench: build/release/CMakeCache.txt  ## builds the programs of bench/
	cmake --preset release --log-level=WARNING -DNEARDUP_BUILD_BENCH=ON
	$(call BUILD,release)

docs: build  ## writes the command reference and the man page anew from the flags
	build/release/neardup help --output-format markdown --write docs/cli
	build/release/neardup help --output-format man --write docs/cli

python:  ## the Python package in the virtual environment out/python
	tools/python_package

install: build  ## into PREFIX, and below DESTDIR where that is set
	$(call BUILD,release)
	cmake --install build/release --prefix $(PREFIX)

package: build  ## build/release/neardup_VERSION_ARCHITECTURE.deb; tools/try_package installs it in a fresh root
	$(call BUILD,release)
	cd build/release && cpack -G DEB

clean:
	rm -rf build out

build/release/CMakeCache.txt:
	cmake --preset release --log-level=WARNING

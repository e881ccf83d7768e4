# Needed: Go, gcc (DuckDB is linked through cgo), make and the Go module proxy. `make help` lists the targets.

.DEFAULT_GOAL := build
.PHONY: help build demo test lint race fuzz bench readers watch peers engines clean

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME ?= 10s
EVENTS ?= 5e6
WATCH ?= 1h
MODULE := github.com/tracelake/tracelake

# Linking takes a third less time for programs of tests without what a debugger needs. Stacks of panics and races have names and lines all the same.
STRIPPED := -ldflags=-s
AT_ONCE := $(shell echo $$(($$(nproc) + 1)))

# What tests write, lakes above all, lies in memory where 4 GB are free there and programs may be started: each commit waits for a disk. What go builds does
# not, which the folders of tests would follow.
MEMORY := $(shell [ "$$(df --output=avail /dev/shm 2>/dev/null | tail -1)" -gt 4000000 ] 2>/dev/null && ! grep -q ' /dev/shm .*noexec' /proc/mounts && echo TMPDIR=/dev/shm GOTMPDIR=$${GOTMPDIR:-$${TMPDIR:-/tmp}})
GO_TEST := $(MEMORY) go test $(if $(MEMORY),-exec 'env -u GOTMPDIR')

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/ingest and bin/analyze
	go build -o bin/ ./cmd/ingest ./cmd/analyze

# In a terminal it ends with the address of the pages and serves them until Ctrl-C; elsewhere nobody would end it.
demo: build ## two servers, one of them slow: from real traces of curl to the cause, in a fresh folder demo/, and its pages
	rm -rf demo
	bin/ingest  --lake demo --label server=fast testdata/demo/fast/fast-*.txt.zst
	bin/ingest  --lake demo --label server=slow testdata/demo/slow/slow-*.txt.zst
	bin/analyze --lake demo run
	bin/analyze --lake demo compare --base server=fast --cand server=slow
	bin/analyze --lake demo report fast-vs-slow -o demo/report.html
	bin/analyze --lake demo check server=slow --spec testdata/demo/requirements.etl || test $$? -eq 3
	bin/analyze --lake demo check slow-1 --spec testdata/demo/requirements.etl --explain poll_answers
	@echo 'Look: demo/report.html in a browser has the same with pictures'
	@echo 'Next: bin/analyze --lake demo query callers-of --param run=slow-1 --param function=Curl_poll'
	@if [ -t 1 ]; then echo 'Look: the pages of this lake, until Ctrl-C ends them:'; exec bin/analyze --lake demo serve; \
	else echo 'Look: bin/analyze --lake demo serve --open'; fi

# The crash tests build the programs themselves, which the cache of test results does not see. lint has all of go vet. A package more than there are cores is
# tested at a time, as browsers, engines and clocks are waited for; those that take longest begin.
test: ## all tests
	$(GO_TEST) -count=1 -timeout 40m -vet=off $(STRIPPED) -p $(AT_ONCE) ./pipeline/crashtest ./cmd/analyze ./pipeline/ingest ./pipeline/plan ./cmd/internal/serve ./benchmarks/services ./...

lint: ## gofmt, go vet, staticcheck
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not gofmt'ed:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go run $(STATICCHECK) ./...

# Processes of their own, as in the crash tests, are not watched by the race detector, and packages whose tests have one job at a time have nothing for it:
# TestUnraced looks at these. What -short leaves out, make test plays in full.
UNRACED := crashtest claims runs transform
race: ## the tests of the packages that run things at the same time, under the race detector
	$(GO_TEST) -race -short -timeout 40m -vet=off $(STRIPPED) -p $(AT_ONCE) ./pipeline/ingest ./cmd/analyze ./pipeline/plan $$(go list ./pipeline/... ./cmd/... ./sql/... | grep -v $(UNRACED:%=-e /pipeline/%$$))

# A package is built once for all its targets. Two targets at a time, a core each: much of a short fuzzing is starting, which has no second core to fill. The
# fuzzer of Go sometimes reports "context deadline exceeded" when its time ends within an input, though nothing failed, hence the second try.
fuzz: ## every fuzz target for FUZZTIME each (default 10s)
	@fuzzers=$$(mktemp -d) && trap 'rm -rf "$$fuzzers"' EXIT && export fuzzers cache="$$(go env GOCACHE)/fuzz" && \
	grep -rEo '^func Fuzz[A-Za-z0-9_]+' --include='*_test.go' . | sed -E 's|^\./||; s|/[^/]*:func | |' | sort > "$$fuzzers/targets" && \
	cut -d ' ' -f 1 "$$fuzzers/targets" | uniq | xargs -P 2 -I @ sh -c 'go test -c -vet=off $(STRIPPED) -fuzz Fuzz -o "$$fuzzers/$$(echo @ | tr / -)" ./@ || exit 255' && \
	xargs -P 2 -L 1 sh -c 'target=$$1; cd "$$0"; \
		try() { "$$fuzzers/$$(echo "$$0" | tr / -)" -test.run "^$$" -test.fuzz "^$$target\$$" -test.fuzztime $(FUZZTIME) -test.fuzzminimizetime 20x -test.parallel 1 \
			-test.fuzzcachedir "$$cache/$(MODULE)/$$0" </dev/null 2>&1; }; \
		said=$$(try) || { echo "$$0 $$target once more: an input that fails is kept in testdata and fails again"; said=$$(try); } \
		|| { echo "$$said"; exit 255; }; \
		echo "$$0 $$target $$(echo "$$said" | grep "execs:" | tail -1)"' < "$$fuzzers/targets"

bench: build ## CPU seconds, peak memory and speed of each program over EVENTS events (default 5e6; EVENTS=48.7e6 as in the case study)
	benchmarks/run.sh $(EVENTS)

readers: build ## events per second of every reader beside the reference programs that are installed
	go run ./benchmarks/formats

# Six pages look on, another one sleeps now and then, and the server is killed in the middle. It fails where a figure is beyond what was asked.
watch: build ## a system of 100,000 executions a second that is watched for WATCH (default 1h), held against what was asked
	go build -o bin/ ./benchmarks/live
	bin/live -for $(WATCH) -roll 10m -keep 4GB -pages 6 -sleep -restart -check

peers: ## install the reference programs that some tests compare with, and a browser, where this is Debian and root asks
	apt-get update -q && apt-get install -y --no-install-recommends otf-trace otf2-tools babeltrace2 uftrace chromium fonts-liberation

engines: bin/engines/kubernetes bin/engines/versitygw bin/engines/restcatalog bin/tracelake-iceberg bin/engines/icebird/node_modules ## build and install the engines that tests use: Kubernetes, an object store, Iceberg, and Slurm where this is Debian and root asks
	apt-get update -q && apt-get install -y --no-install-recommends slurm-wlm munge

# The API server and the job controller of Kubernetes: some minutes when it is built for the first time.
bin/engines/kubernetes: $(wildcard testdata/engines/kubernetes/*)
	go build -C testdata/engines/kubernetes -o $(CURDIR)/$@ .

# What analyze publish starts: a module of its own, which takes some minutes when it is built for the first time.
bin/tracelake-iceberg: $(filter-out %_test.go,$(wildcard testdata/engines/iceberg/*))
	go build -C testdata/engines/iceberg -o $(CURDIR)/$@ .

# A catalog of Iceberg that speaks REST.
bin/engines/restcatalog: $(wildcard testdata/engines/iceberg/restcatalog/*)
	go build -C testdata/engines/iceberg -o $(CURDIR)/$@ ./restcatalog

# A reader of Iceberg that shares nothing with the writer. It needs Node; without it the test does without.
bin/engines/icebird/node_modules: $(wildcard testdata/engines/icebird/*)
	mkdir -p bin/engines/icebird && cp testdata/engines/icebird/* bin/engines/icebird
	npm install --prefix bin/engines/icebird --no-audit --no-fund --no-package-lock || echo "icebird could not be installed: a test that says so does without"

# An object store over a folder.
bin/engines/versitygw: $(wildcard testdata/engines/versitygw/*)
	go build -C testdata/engines/versitygw -o $(CURDIR)/$@ github.com/versity/versitygw/cmd/versitygw

clean: ## remove what build, demo and tests leave
	rm -rf bin demo
	go clean -testcache

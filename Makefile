# The front door. Every target first makes sure of the npm packages, which bring the right Node along.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

PACKAGES := node_modules/.package-lock.json

.DEFAULT_GOAL := help
.PHONY: help up down status env gpu images bundle gen verify release books doctor test fuzz bench shots soak

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

up: $(PACKAGES) ## start what is missing of the cluster; NODES=1 NAME=gantry CLUSTER=bare|kind|kubeconfig INSTALL=processes|helm METRICS=all LWS=on
	@node hack/cluster.ts up

down: $(PACKAGES) ## remove all of it
	@node hack/cluster.ts down

status: $(PACKAGES) ## what runs
	@node hack/cluster.ts status

env: $(PACKAGES) ## for eval "$$(make -s env)": KUBECONFIG, PATH, addresses
	@node hack/cluster.ts env

gpu: $(PACKAGES) ## the cards that the cluster NAME pretends to have, and who holds them; DO="hot" CARD=sim-h100-0/3 makes one hot, idle, xid=79, ecc=2 or sound
	@node hack/metrics/gpu-command.ts

images: $(PACKAGES) ## build the platform's images without Docker, into .run/images; REGISTRY=ghcr.io/acme/gantry pushes them
	@node hack/images.ts

bundle: $(PACKAGES) ## images, chart, checksums and their loader as one file in .run/bundle, for places without a way out
	@node hack/bundle.ts

gen: $(PACKAGES) ## write the generated files
	@node contract/gen/run.ts

verify: $(PACKAGES) ## generate, format, check; fails on any uncommitted change
	@node test/verify.ts --clean

release: $(PACKAGES) ## keep what this version's CRDs promise, which make verify compares later ones with
	@node contract/gen/store-release.ts

books: $(PACKAGES) ## prove the books of the cluster NAME: balances, holds, slices, invoices, the chain
	@node hack/cluster.ts books

doctor: $(PACKAGES) ## check the cluster NAME and what the gateway leans on; exit code 1: warnings, 2: problems
	@node hack/cluster.ts doctor

test: $(PACKAGES) ## everything, on a test cluster of its own; PARTS="unit stories" runs those alone
	@node test/run.ts $(PARTS)

fuzz: $(PACKAGES) ## what no test thought of, against the API's own document; FUZZ_SECONDS=60 FUZZ_SEED=1
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-60} node test/fuzz/run.ts

soak: $(PACKAGES) ## the long tests: every crash point, every scale
	@GANTRY_SOAK=1 node test/run.ts $(PARTS)

bench: $(PACKAGES) ## measure against the peers; writes test/bench/results; ROWS="A2 B1" plays those alone
	@node test/bench/run.ts $(ROWS)

shots: $(PACKAGES) ## pictures of the consoles' pages into .run/shots, from what `make up` started; PAGES="login billing"; ADMIN_PASSWORD=… (of admin, after the first sign-in) for the operators'
	@eval "$$(node hack/cluster.ts env)" && node test/web/shots.ts $(PAGES)

# npm on Node 20 warns of packages that want a newer one, which is among those it installs: only errors are shown.
$(PACKAGES): package-lock.json
	npm ci --no-audit --no-fund --loglevel=error 1>&2

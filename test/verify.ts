// `make verify`: what a reviewer would otherwise have to look for. Each row is one check; `--clean` adds the last one,
// that nothing is left uncommitted, which holds in CI and before a push but hardly while one is at work.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ACCEPTED_BREACHES, type Crd, complaintsOf, crdBreaches } from '../contract/gen/crd-breaches.ts';
import { type OpenapiDocument, openapiFaults } from '../contract/gen/openapi-faults.ts';
import { alteredRelease, readRelease } from '../contract/gen/released.ts';
import { openapiDocument } from '../contract/src/http/openapi.ts';
import { ROUTES } from '../contract/src/http/routes.ts';
import { GO_ENV } from '../hack/go-env.ts';
import { TOP_FOLDERS } from './house/rooms.ts';
import { type Ended, runCommand } from './support/command.ts';

/** Folders whose files are all written by `make gen`. */
const GENERATED = ['crds/*.yaml', 'crds/platform/*.yaml', 'crds/install-crds/*.yaml'];

interface Check {
  readonly name: string;
  /** Resolves with the fault; '' if there is none. */
  readonly complaint: () => Promise<string>;
}

const TSC = 'node_modules/typescript7/bin/tsc';

const CHECKS: readonly Check[] = [
  { name: 'generated files are fresh', complaint: staleFiles },
  { name: 'CRDs keep what the last release promised', complaint: brokenPromises },
  { name: 'the OpenAPI document is one that generators of clients read', complaint: faultsOfDocument },
  { name: 'format and lint', complaint: () => refusal('biome', 'check', '--error-on-warnings', '.') },
  { name: 'types', complaint: () => refusal('node', TSC, '--noEmit') },
  {
    name: 'types of what browsers run',
    complaint: () => refusal('node', TSC, '--noEmit', '--project', 'tsconfig.web.json'),
  },
  {
    name: 'imports between rooms',
    complaint: () => refusal('depcruise', '--no-progress', ...TOP_FOLDERS.filter((folder) => existsSync(folder))),
  },
  { name: 'no unused file, export or package', complaint: () => refusal('knip', '--no-progress') },
  { name: 'Go: format', complaint: () => inGo('gofmt', '-l', '.') },
  { name: 'Go: vet', complaint: () => inGo('go', 'vet', './...') },
];

const CLEAN: Check = { name: 'nothing uncommitted', complaint: uncommitted };

/** Prints each check's outcome and time; resolves with how many failed. */
async function verify({ clean }: { clean: boolean }): Promise<number> {
  const checks = clean ? [...CHECKS, CLEAN] : CHECKS;
  let failed = 0;
  for (const { name, complaint } of checks) {
    const started = performance.now();
    const wrong = (await complaint()).trim();
    console.log(`${wrong ? 'FAILED' : 'ok    '} ${name}  ${((performance.now() - started) / 1000).toFixed(1)} s`);
    if (wrong) console.log(wrong.replace(/^/gm, '    '));
    if (wrong) failed += 1;
  }
  return failed;
}

const said = ({ stdout, stderr }: Ended) => `${stdout}\n${stderr}`;

/** A failing tool's output; a passing tool may print what it likes. */
async function refusal(file: string, ...args: string[]): Promise<string> {
  const ended = await runCommand(file, args);
  return ended.code === 0 ? '' : `${said(ended)}\n${file} ended with ${ended.code}`;
}

/** Runs one of Go's tools in each module that has code of ours; `gofmt -l` names files and succeeds. */
async function inGo(file: string, ...args: string[]): Promise<string> {
  let complaint = '';
  for (const cwd of ['agent', 'hack/bin/registry'].filter((folder) => existsSync(`${folder}/go.mod`))) {
    const ended = await runCommand(file, args, { cwd, env: GO_ENV });
    complaint += ended.code === 0 ? ended.stdout : said(ended);
  }
  return complaint;
}

async function staleFiles(): Promise<string> {
  const before = digests();
  const failure = await refusal('node', 'contract/gen/run.ts');
  if (failure) return failure;
  const after = digests();
  const stale = [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file),
  );
  return stale.map((file) => `${file} was not what \`make gen\` writes; it is now`).join('\n');
}

function digests(): Map<string, string> {
  const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
  return new Map(globSync(GENERATED).map((file) => [file, digest(file)]));
}

/** The promises of the last release (`make release`). */
const RELEASED = 'contract/gen/released.json';

async function brokenPromises(): Promise<string> {
  const now = globSync('crds/*.yaml').map((file) => parse(readFileSync(file, 'utf8')) as Crd);
  const breaches = crdBreaches(readRelease(RELEASED).crds, now);
  const altered = alteredRelease(RELEASED);
  return [...(altered ? [altered] : []), ...complaintsOf(breaches, ACCEPTED_BREACHES)].join('\n');
}

/** The rules of redocly's `spec` and more, without its packages. */
async function faultsOfDocument(): Promise<string> {
  const document = openapiDocument(Object.values(ROUTES), '1.0.0');
  return openapiFaults(JSON.parse(JSON.stringify(document)) as OpenapiDocument).join('\n');
}

async function uncommitted(): Promise<string> {
  // A checkout may belong to another user than the one who tests it, and a downloaded one has no history to compare with.
  const status = ['-c', 'safe.directory=*', 'status', '--porcelain', '--untracked-files=all'];
  // Bench results are committed when the machine was quiet, not because they were run.
  const ended = await runCommand('git', [...status, '--', '.', ':!test/bench/results']);
  if (ended.code !== 0) console.log(`    not compared with a commit: ${ended.stderr.trim()}`);
  return ended.code === 0 ? ended.stdout : '';
}

if (import.meta.main) {
  const failed = await verify({ clean: process.argv.includes('--clean') });
  process.exitCode = failed === 0 ? 0 : 1;
}

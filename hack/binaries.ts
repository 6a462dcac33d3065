// The cluster's binaries: built once from the Go modules in bin/ and kept outside the tree under a key that changes
// with the module, or taken from KUBE_BIN_DIR. Each is ready as soon as its own build is, so that etcd starts while
// the kubelet still compiles.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';
import { say } from './say.ts';

const kubernetes = 'v1.34.4';
const version = 'k8s.io/component-base/version';
const KUBERNETES_FLAGS = `-X ${version}.gitVersion=${kubernetes} -X ${version}.gitMajor=1 -X ${version}.gitMinor=34`;

const HELM_FLAGS = '-X helm.sh/helm/v4/internal/version.version=v4.3.1';

type Module =
  | 'kubernetes'
  | 'helm'
  | 'kwok'
  | 'kueue'
  | 'kube-state-metrics'
  | 'lws'
  | 'registry'
  | 'stripe-mock'
  | 'versitygw';

interface ModuleFacts {
  readonly dir: string;
  /** A change in one of them asks for new binaries. */
  readonly files: readonly string[];
  readonly ldflags: string;
  /** A folder of the sources to put beside a binary, as `<binary>-<name>`. */
  readonly beside?: { readonly module: string; readonly folder: string; readonly as: string };
}

const directory = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PINS = ['go.mod', 'go.sum'];

const MODULES: Record<Module, ModuleFacts> = {
  kubernetes: { dir: directory('bin'), files: [...PINS, 'coredns/main.go'], ldflags: KUBERNETES_FLAGS },
  kwok: { dir: directory('bin/kwok'), files: PINS, ldflags: '' },
  kueue: {
    dir: directory('bin/kueue'),
    files: PINS,
    ldflags: '',
    beside: { module: 'sigs.k8s.io/kueue', folder: 'config/components/crd/bases', as: 'kueue-crds' },
  },
  'kube-state-metrics': { dir: directory('bin/kube-state-metrics'), files: PINS, ldflags: '' },
  // It has the versions of Kueue: packages common to both are compiled once.
  lws: {
    dir: directory('bin/lws'),
    files: PINS,
    ldflags: '',
    beside: { module: 'sigs.k8s.io/lws', folder: 'config/crd/bases', as: 'lws-crds' },
  },
  registry: {
    dir: directory('bin/registry'),
    files: [...PINS, 'main.go', 'collect/collect.go', 'collect/hidden.go', 'collect/look.go'],
    ldflags: '',
  },
  // It wants a newer Go, which `go` fetches by itself.
  helm: { dir: directory('bin/helm'), files: PINS, ldflags: HELM_FLAGS },
  'stripe-mock': { dir: directory('bin/stripe-mock'), files: PINS, ldflags: '' },
  versitygw: { dir: directory('bin/versitygw'), files: PINS, ldflags: '' },
};

/** In the order in which a starting cluster wants them; one line is one `go build`, which uses every core. */
const BUILDS: readonly {
  readonly module: Module;
  readonly packages: Readonly<Record<string, string>>;
  /** Only for whoever asks for it: no cluster needs it. */
  readonly onDemand?: true;
}[] = [
  { module: 'kubernetes', packages: { etcd: 'go.etcd.io/etcd/server/v3' } },
  { module: 'kubernetes', packages: { 'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver' } },
  {
    module: 'kubernetes',
    packages: {
      'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
      'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
      kubectl: 'k8s.io/kubernetes/cmd/kubectl',
      kubelet: 'k8s.io/kubernetes/cmd/kubelet',
      'kube-proxy': 'k8s.io/kubernetes/cmd/kube-proxy',
    },
  },
  { module: 'registry', packages: { registry: 'gantry.dev/hack/bin/registry' } },
  { module: 'kubernetes', packages: { crane: 'github.com/google/go-containerregistry/cmd/crane' } },
  { module: 'kubernetes', packages: { coredns: './coredns' } },
  { module: 'kwok', packages: { kwok: 'sigs.k8s.io/kwok/cmd/kwok' } },
  { module: 'kueue', packages: { kueue: 'sigs.k8s.io/kueue/cmd/kueue' } },
  { module: 'helm', packages: { helm: 'helm.sh/helm/v4/cmd/helm' }, onDemand: true },
  {
    module: 'kube-state-metrics',
    packages: { 'kube-state-metrics': 'k8s.io/kube-state-metrics/v2' },
    onDemand: true,
  },
  { module: 'lws', packages: { lws: 'sigs.k8s.io/lws/cmd' }, onDemand: true },
  // A test of the gateway asks for one of these alone, and must not build a cluster beside one that starts.
  { module: 'stripe-mock', packages: { 'stripe-mock': 'github.com/stripe/stripe-mock' }, onDemand: true },
  { module: 'versitygw', packages: { versitygw: 'github.com/versity/versitygw/cmd/versitygw' }, onDemand: true },
];

export type Binary =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubectl'
  | 'kubelet'
  | 'kube-proxy'
  | 'registry'
  | 'crane'
  | 'coredns'
  | 'kwok'
  | 'kueue'
  | 'helm'
  | 'kube-state-metrics'
  | 'lws'
  | 'stripe-mock'
  | 'versitygw';

/** Caches everything that is built or fetched once, for all clusters. */
export const cacheDir = process.env.GANTRY_CACHE ?? `${homedir()}/.cache/gantry`;

/** Path of a binary, built or not. */
function binaryPath(name: Binary): string {
  const folder = process.env.KUBE_BIN_DIR;
  if (folder && existsSync(`${folder}/${name}`)) return `${folder}/${name}`;
  const build = BUILDS.find(({ packages }) => name in packages);
  if (!build) throw new Error(`no build makes ${name}`);
  return `${moduleDir(build.module)}/${name}`;
}

/** For PATH. */
export function binaryDirs(): string[] {
  const names = BUILDS.flatMap(({ packages }) => Object.keys(packages) as Binary[]);
  return [...new Set(names.map((name) => binaryPath(name).slice(0, -name.length - 1)))];
}

const ready = new Map<string, PromiseWithResolvers<void>>();
let building = Promise.resolve();

/**
 * The binary's path, once it is there. The first call for one that a cluster needs starts the build of all that a cluster needs; the others
 * are built one by one.
 */
export async function binary(name: Binary): Promise<string> {
  const path = binaryPath(name);
  if (existsSync(path)) return path;
  if (!ready.has(path)) {
    const wanted = missingBuilds(name);
    for (const build of wanted) for (const missing of build.missing) promise(binaryPath(missing));
    building = building.then(() => buildAll(wanted));
  }
  await ready.get(path)?.promise;
  return path;
}

type MissingBuild = (typeof BUILDS)[number] & { readonly missing: readonly Binary[] };

function missingBuilds(asked: Binary): MissingBuild[] {
  const isOnDemand = BUILDS.some(({ onDemand, packages }) => onDemand && asked in packages);
  return BUILDS.filter(({ onDemand, packages }) => (isOnDemand ? asked in packages : !onDemand))
    .map((build) => ({ ...build, missing: (Object.keys(build.packages) as Binary[]).filter(isMissing) }))
    .filter(({ missing }) => missing.length > 0);
}

const isMissing = (name: Binary): boolean => !existsSync(binaryPath(name)) && !ready.has(binaryPath(name));

function promise(path: string): void {
  const promised = Promise.withResolvers<void>();
  promised.promise.catch(() => {});
  ready.set(path, promised);
}

async function buildAll(builds: readonly MissingBuild[]): Promise<void> {
  const promised = builds.flatMap(({ missing }) => missing).map((name) => binaryPath(name));
  try {
    for (const { module, packages, missing } of builds) {
      const started = performance.now();
      say(`building ${missing.join(', ')}`);
      await buildInto(
        module,
        missing.map((name) => [name, packages[name] ?? '']),
      );
      say(`built ${missing.join(', ')}`, started);
      for (const name of missing) ready.get(binaryPath(name))?.resolve();
    }
  } catch (error) {
    for (const path of promised) ready.get(path)?.reject(error);
  }
}

async function buildInto(module: Module, targets: readonly (readonly [name: string, path: string])[]): Promise<void> {
  const { dir, ldflags, beside } = MODULES[module];
  const out = moduleDir(module);
  const temporary = `${out}.${process.pid}`;
  await removeAbandoned();
  await mkdir(out, { recursive: true });
  await mkdir(temporary, { recursive: true });
  try {
    const flags = ['build', '-trimpath', '-ldflags', `-s -w ${ldflags}`, '-o', `${temporary}/`];
    const env = { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false' };
    await run('go', [...flags, ...targets.map(([, path]) => path)], { cwd: dir, env });
    if (beside) {
      const sources = await run('go', ['list', '-m', '-f', '{{.Dir}}', beside.module], { cwd: dir, env });
      await rm(`${out}/${beside.as}`, { recursive: true, force: true });
      await cp(`${sources.trim()}/${beside.folder}`, `${out}/${beside.as}`, { recursive: true });
    }
    for (const [name, path] of targets) await rename(`${temporary}/${builtName(path)}`, `${out}/${name}`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Removes what killed builds left: their names end with the pid of a process that is gone. */
async function removeAbandoned(): Promise<void> {
  for (const folder of await readdir(`${cacheDir}/bin`).catch(() => [])) {
    const pid = /\.(\d+)$/.exec(folder)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) {
      await rm(`${cacheDir}/bin/${folder}`, { recursive: true, force: true });
    }
  }
}

/** `go build` names a binary after the last element of its path that is not a major version. */
const builtName = (path: string) =>
  path
    .replace(/\/v\d+$/, '')
    .split('/')
    .at(-1);

function moduleDir(module: Module): string {
  const { dir, files, ldflags } = MODULES[module];
  const hash = createHash('sha256').update(ldflags);
  for (const file of files) hash.update(readFileSync(`${dir}/${file}`));
  return `${cacheDir}/bin/${module}-${hash.digest('hex').slice(0, 12)}`;
}

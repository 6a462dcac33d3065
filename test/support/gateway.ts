// The gateway as production runs it: a separate process, with its ServiceAccount's rights. Ended by real signals.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GATEWAY_ACCOUNT, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { kubernetesFlags } from '../../hack/gateway.ts';
import { SMALL_NURSERY } from '../../hack/platform.ts';
import { kubeconfigOf } from './account.ts';
import { endingWithUs } from './ending-with-us.ts';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';
import { HttpClient } from './http-client.ts';
import type { Administrator } from './test-cluster.ts';

/** An embedded database is made in four seconds; on a machine with much else to do it takes a minute. */
const READY_WITHIN_MS = 180_000;
const KEPT_LINES = 2_000;

export interface GatewayOptions {
  /** Besides those that every start needs. */
  readonly flags?: readonly string[];
  /** PostgreSQL; else an embedded database, which outlives a restart and not `close()`. */
  readonly databaseUrl?: string | undefined;
  /** The folder of a built console, which it also serves. */
  readonly consoleDir?: string;
  /** That of a built operators' console, at an address of its own. */
  readonly adminDir?: string;
  /** That of a built portal, at an address of its own. */
  readonly portalDir?: string;
  readonly nodeFlags?: readonly string[];
  /** Another copy of this repository, whose gateway it is. */
  readonly repository?: string;
}

export class GatewayProcess {
  /** Nobody signed in. */
  readonly client: HttpClient;
  readonly url: string;
  /** Its public one: pages of other origins are not ours. */
  readonly consoleUrl: string;
  /** The operators' console. */
  readonly adminUrl: string;
  readonly portalUrl: string;
  readonly tenantPort: number;
  readonly #folder: string;
  readonly #nodeFlags: readonly string[];
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #lines: string[] = [];
  #child: ChildProcess | undefined;

  private constructor(
    folder: string,
    [port, tenantPort, adminPort, portalPort]: readonly number[],
    { flags = [], databaseUrl, consoleDir, adminDir, portalDir, nodeFlags = [], repository = '.' }: GatewayOptions,
  ) {
    this.#folder = folder;
    this.#nodeFlags = nodeFlags;
    this.#program = join(repository, 'api/src/main.ts');
    this.url = `http://127.0.0.1:${port}`;
    this.consoleUrl = `http://localhost:${port}`;
    this.adminUrl = `http://localhost:${adminPort}`;
    this.portalUrl = `http://localhost:${portalPort}`;
    this.tenantPort = tenantPort ?? 0;
    this.client = new HttpClient(() => this.url);
    this.#args = [
      `--port=${port}`,
      `--tenant-port=${tenantPort}`,
      `--kubeconfig=${folder}/kubeconfig`,
      // As operatorFlags has them.
      '--shared-pool=open',
      '--simulated-nodes=true',
      `--administrator-file=${folder}/administrator`,
      // Any file is long enough for a key; flags may name the cluster's own.
      '--platform-key-file=package.json',
      ...(databaseUrl === undefined ? [`--data-dir=${folder}/data`] : [`--database-url=${databaseUrl}`]),
      ...(consoleDir === undefined ? [] : [`--console-dir=${consoleDir}`, `--public-url=${this.consoleUrl}`]),
      ...(adminDir === undefined
        ? []
        : [`--admin-dir=${adminDir}`, `--admin-port=${adminPort}`, `--admin-url=${this.adminUrl}`]),
      ...(portalDir === undefined
        ? []
        : [`--portal-dir=${portalDir}`, `--portal-port=${portalPort}`, `--portal-url=${this.portalUrl}`]),
      // Nobody plays the operator's part of it unless a story is about money.
      ...(flags.some((flag) => flag.startsWith('--billing=')) ? [] : ['--billing=off']),
      ...flags,
    ];
  }

  /** Ready when it resolves. */
  static async start(admin: Administrator, options: GatewayOptions = {}): Promise<GatewayProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-gateway-'));
    const account = { namespace: PLATFORM_NAMESPACE, name: GATEWAY_ACCOUNT };
    await writeFile(join(folder, 'kubeconfig'), await kubeconfigOf(account, admin), { mode: 0o600 });
    const [kubernetes = 0, ...ports] = await freePorts(5);
    const flags = await kubernetesFlags({ name: 'test', pkiDir: join(folder, 'pki') }, kubernetes);
    const gateway = new GatewayProcess(folder, ports, { ...options, flags: [...flags, ...(options.flags ?? [])] });
    try {
      await gateway.restart();
    } catch (error) {
      await gateway.close();
      throw error;
    }
    return gateway;
  }

  /** Latest lines of stdout and stderr, over restarts. */
  logs(): readonly string[] {
    return [...this.#lines];
  }

  pid(): number | undefined {
    return this.#child && !hasEnded(this.#child) ? this.#child.pid : undefined;
  }

  /** The administrator that the first start created, with all rights. */
  async administrator(): Promise<{ name: string; password: string }> {
    const [name = '', password = ''] = (await readFile(join(this.#folder, 'administrator'), 'utf8')).split('\n');
    return { name, password };
  }

  /** SIGKILL: what a crash leaves is left. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** SIGTERM; resolves with the exit code. */
  async terminate(): Promise<number | null> {
    this.#child?.kill('SIGTERM');
    return this.exited();
  }

  /** Resolves with the exit code. */
  async exited(): Promise<number | null> {
    await this.#exited();
    return this.#child?.exitCode ?? null;
  }

  /** At the same address, once the one before is gone. */
  async restart(): Promise<void> {
    await this.#exited();
    const program = endingWithUs(process.execPath, [SMALL_NURSERY, ...this.#nodeFlags, this.#program, ...this.#args]);
    const child = spawn(...program, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    child.once('error', (error) => this.#lines.push(`cannot start: ${error.message}`));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.#lines.push(line);
        if (this.#lines.length > KEPT_LINES) this.#lines.shift();
      });
    }
    const fate = await eventually(
      'the gateway is ready',
      async () => (hasEnded(child) ? 'ended' : (await this.client.fetch('/readyz')).ok && 'ready'),
      READY_WITHIN_MS,
    ).catch((error: Error) => error.message);
    if (fate !== 'ready') throw new Error(`the gateway: ${fate}\n${this.#lines.slice(-20).join('\n')}`);
  }

  async close(): Promise<void> {
    this.kill();
    await this.#exited();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #exited(): Promise<void> {
    if (this.#child && !hasEnded(this.#child)) await once(this.#child, 'exit');
  }
}

// `pid` is undefined when the program could not be started at all; then no exit is reported either.
const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

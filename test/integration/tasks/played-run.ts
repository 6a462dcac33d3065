// A task on a played cluster: its object, and Pods that are the real agent on this machine, around a program of the test's.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from '@jest/globals';
import { PATIENCE_MS } from '../../../api/src/areas/datasets/testing/stage.ts';
import type { DataTask } from '../../../api/src/core/tasks/present-run.ts';
import type { RunCluster, RunPod } from '../../../api/src/core/tasks/run-cluster.ts';
import { endingWithUs } from '../../support/ending-with-us.ts';
import { eventually } from '../../support/eventually.ts';
import { freePorts } from '../../support/free-ports.ts';
import { exitOf } from './exit-of.ts';
import { merged } from './merged.ts';

interface PlayedParts {
  /** The built agent, and a folder for Pods. */
  agent: string;
  folder: string;
  /** Where programs start. */
  cwd?: string;
}

/** Whose workers' programs know their folder, and where models are asked. */
type Program = (root: string, ask: string) => string[];

export class PlayedRun<T extends DataTask> {
  readonly #parts: PlayedParts;
  readonly #http = new Agent({ keepAlive: true });
  readonly programs: ChildProcess[] = [];
  object = { metadata: {}, spec: {} } as unknown as T;
  /** The folder of the last Pod. */
  root = '';
  #pod: RunPod | undefined;
  #ports = { receive: 0, task: 0 };

  constructor(parts: PlayedParts) {
    this.#parts = parts;
  }

  readonly cluster: Omit<RunCluster<T>, 'speakers'> = {
    list: () => [this.object],
    isWhole: () => true,
    write: async (_, status) => {
      this.object = { ...this.object, status: merged(this.object.status ?? {}, status) } as T;
    },
    pods: () => (this.#pod ? [this.#pod] : []),
    receiver: () => ({ host: '127.0.0.1', port: this.#ports.receive }),
    way: (_, __, token) => ({ id: 'acme', host: '127.0.0.1', port: this.#ports.task, agent: this.#http, token }),
  };

  begin(kind: string, name: string, spec: object): void {
    this.object = {
      apiVersion: 'gantry.dev/v1alpha1',
      kind,
      metadata: { name, namespace: 'org-acme', uid: 'uid-1', generation: 1 },
      spec: { power: 'Running', creator: 'acc-acme', ...spec },
    } as unknown as T;
  }

  change(spec: object): void {
    this.object = { ...this.object, spec: { ...this.object.spec, ...spec } };
  }

  /** A run from its record to its end; resolves with the exit code of its Pod. */
  async run(seq: number, cause: 'first' | 'again' | 'retry', program: Program): Promise<number> {
    const { agent, folder } = this.#parts;
    this.#says({ run: { seq, cause } });
    const { digest, bytes } = await eventually(
      'inputs that are listed',
      async () => (this.object.status?.inputs?.run === seq ? this.object.status.inputs : undefined),
      PATIENCE_MS,
    );
    const root = await mkdtemp(join(folder, 'pod-'));
    for (const name of ['in', 'out', 'tmp']) await mkdir(`${root}/${name}`);
    const [receive = 0, task = 0, ask = 0] = await freePorts(3);
    this.#ports = { receive, task };
    const wanted = ['--manifest', digest, '--bytes', `${bytes}`, '--listen', `127.0.0.1:${receive}`];
    const receiver = this.#started(agent, ['receive', ...wanted, `${root}/in`]);
    this.#pod = { name: `pod-${seq}`, ip: '127.0.0.1', phase: 'Pending', index: 0 };
    expect(await exitOf(receiver)).toBe(0);
    const words = [`--root=${root}`, `--listen=127.0.0.1:${task}`, `--ask=127.0.0.1:${ask}`, '--hold=1m'];
    const main = this.#started(agent, ['task', ...words, '--', ...program(root, `http://127.0.0.1:${ask}`)]);
    this.#pod = { ...this.#pod, phase: 'Running' };
    this.root = root;
    const code = await exitOf(main);
    this.#pod = undefined;
    this.#says({ run: { seq, cause, endedAt: '2026-11-30T00:00:00Z' } });
    return code;
  }

  /** Whatever still runs ends. */
  stop(): void {
    for (const program of this.programs.splice(0)) program.kill('SIGKILL');
    this.#http.destroy();
  }

  #says(status: object): void {
    this.object = { ...this.object, status: { ...this.object.status, ...status } };
  }

  #started(program: string, args: string[]): ChildProcess {
    const [file, words] = endingWithUs(program, args);
    const { cwd } = this.#parts;
    const child = spawn(file, words, { stdio: ['ignore', 'inherit', 'pipe'], ...(cwd !== undefined && { cwd }) });
    createInterface(child.stderr as NodeJS.ReadableStream).on('line', () => {});
    this.programs.push(child);
    return child;
  }
}

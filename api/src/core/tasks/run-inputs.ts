// What the Pod of a run takes in: chosen once for each run, and named with its digest before the Pod is made.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { INPUTS_LISTED, OUTPUT_MADE, TASK_FILES } from '@gantry/contract/kinds/data-task.ts';
import { nextCondition } from '@gantry/contract/next-condition.ts';
import { deliver, type ListedFile, listText } from '../files/deliver.ts';
import { type DataTask, type PresentRun, tokenOf } from './present-run.ts';
import type { RunPod } from './run-cluster.ts';
import { type Chosen, type NotNow, sentenceOf } from './run-kind.ts';
import type { RunsParts } from './runs.ts';
import { type RunOf, runRow } from './task-store.ts';

type Parts<T extends DataTask> = Pick<
  RunsParts<T>,
  'clock' | 'cluster' | 'store' | 'blobs' | 'callerOf' | 'keyed' | 'kind'
>;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export class RunInputs<T extends DataTask> {
  readonly #parts: Parts<T>;

  constructor(parts: Parts<T>) {
    this.#parts = parts;
  }

  /** Whether the operator knows what the run takes in. */
  areListed({ object: { metadata, status }, run }: PresentRun<T>): boolean {
    const told = status?.conditions?.find(({ type }) => type === INPUTS_LISTED);
    return status?.inputs?.run === run && told?.status === 'True' && told.observedGeneration === metadata.generation;
  }

  /** Writes what the run takes in, or why it cannot begin. */
  async list(of: PresentRun<T>): Promise<void> {
    const { object, run } = of;
    const { cluster, kind, callerOf } = this.#parts;
    const { status } = object;
    // The spec was changed while the run is under way: what it takes in stays.
    if (status?.inputs?.run === run && kind.workOf(object) !== undefined) {
      await cluster.write(object, { conditions: this.#conditions(of, undefined) });
      return;
    }
    const chosen = await kind.choose(of, await callerOf(of.accountId, of.organizationId));
    if ('reason' in chosen) {
      const conditions = this.#conditions(of, chosen);
      if (JSON.stringify(conditions) !== JSON.stringify(status?.conditions ?? []))
        await cluster.write(object, { conditions });
      return;
    }
    const row = runRow(of, { work: chosen.work, owner: kind.ownerOf(of, chosen.work) });
    const list = await this.#listOf(of, row, chosen);
    const bytes = list.reduce((sum, file) => sum + file.bytes, 0);
    await cluster.write(object, {
      inputs: { run, ...chosen.inputs, digest: sha256(listText(list)), bytes },
      output: { run, ...chosen.output },
      ...chosen.also,
      outcome: null,
      // What the run before could not keep says nothing of this one.
      conditions: this.#conditions(of, undefined).filter(({ type }) => type !== OUTPUT_MADE),
    });
  }

  async #listOf(of: PresentRun<T>, row: RunOf, chosen: Pick<Chosen, 'files'>): Promise<readonly ListedFile[]> {
    const { store } = this.#parts;
    const known = await store.inputsOf(row);
    if (known) return known;
    const { texts, stored, checkpoints } = await chosen.files(row);
    return store.choose(row, texts, [this.#listedDoor(of), ...stored], checkpoints);
  }

  /** Brings all of them to the container that takes them in. */
  async deliver(of: PresentRun<T>, row: RunOf, pod: RunPod, signal: AbortSignal): Promise<void> {
    const { store, blobs, cluster } = this.#parts;
    const list = await store.inputsOf(row);
    if (list === undefined) return;
    const door = Buffer.from(this.#door(of));
    const { sha256: own } = this.#listedDoor(of);
    const read = async (digest: string, range: { from: number; to: number }, within?: AbortSignal) =>
      digest === own ? Readable.from([door.subarray(range.from, range.to + 1)]) : blobs.read(digest, range, within);
    await deliver({ read } as Pick<typeof blobs, 'read'>, list, cluster.receiver(of.object, pod), signal);
  }

  /** The agent lets in who has the token whose digest it finds. */
  #door(of: PresentRun<T>): string {
    return sha256(tokenOf(this.#parts.keyed, of));
  }

  #listedDoor(of: PresentRun<T>): ListedFile {
    const text = this.#door(of);
    return { path: TASK_FILES.door, sha256: sha256(text), bytes: text.length };
  }

  #conditions({ object: { metadata, status } }: PresentRun<T>, why: NotNow | undefined) {
    const { kind, clock } = this.#parts;
    const known = status?.conditions ?? [];
    const told = why
      ? { status: 'False' as const, message: sentenceOf(kind.facts, why.reason, why.args), ...why }
      : { status: 'True' as const, reason: 'Listed', message: '' };
    const next = nextCondition(known, { type: INPUTS_LISTED, ...told }, clock.now());
    return [
      ...known.filter(({ type }) => type !== INPUTS_LISTED),
      { ...next, ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }) },
    ];
  }
}

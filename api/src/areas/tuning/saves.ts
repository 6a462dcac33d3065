// Checkpoints that people save: each becomes a version of the model, while the training goes on or after it. One gateway at a time does
// so, and sweeps what released tasks have left; every step may be done twice.
import { createHash } from 'node:crypto';
import type { FineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { pause } from '@gantry/kube/clock.ts';
import type { Checkpoints } from '../../core/tasks/checkpoints.ts';
import type { Runs } from '../../core/tasks/runs.ts';
import type { TaskPoints } from '../../core/tasks/task-points.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { outputOf, sourcesOf, type TuneParts, versionName } from './tune-kind.ts';

interface SavesParts extends Pick<TuneParts, 'clock' | 'models'> {
  checkpoints: Pick<Checkpoints, 'newest' | 'forgetOthers'>;
  points: Pick<TaskPoints, 'forgetOthers'>;
  runs: Pick<Runs<FineTune>, 'objects' | 'write' | 'uids'>;
  callerOf(accountId: string, organizationId: string): Promise<Caller | undefined>;
  log: { warn(facts: object, text: string): void };
}

const EVERY_MS = 2_000;
const SWEEP_MS = 3_600_000;

export class Saves {
  readonly #parts: SavesParts;

  constructor(parts: SavesParts) {
    this.#parts = parts;
  }

  /** Until the signal. */
  async work(signal: AbortSignal): Promise<void> {
    const { runs, clock, log } = this.#parts;
    let sweptAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      if (clock.monotonic() - sweptAt > SWEEP_MS) {
        sweptAt = clock.monotonic();
        await this.#sweep().catch((error: unknown) =>
          log.warn({ err: error }, 'checkpoints of old tasks were not swept'),
        );
      }
      for (const object of runs.objects()) {
        if (signal.aborted) break;
        if (object.metadata.deletionTimestamp !== undefined) continue;
        await this.#look(object).catch((error: unknown) =>
          log.warn({ err: error, task: object.metadata.uid }, 'a checkpoint was not saved yet'),
        );
      }
      await pause(clock, EVERY_MS, signal);
    }
  }

  /** What released tasks have left. */
  async #sweep(): Promise<void> {
    const { runs, checkpoints, points, clock } = this.#parts;
    const live = runs.uids();
    if (!live) return;
    const before = new Date(clock.now() - SWEEP_MS);
    await checkpoints.forgetOthers(live, before);
    await points.forgetOthers(live, before);
  }

  async #look(object: FineTune): Promise<void> {
    const { spec, status } = object;
    const { saved } = status ?? {};
    if (spec.saveCount > (saved?.count ?? 0)) return this.#begin(object);
    if (saved && saved.digest === undefined) await this.#finish(object, saved);
  }

  /** Without a checkpoint it waits for one. */
  async #begin(object: FineTune): Promise<void> {
    const { checkpoints, callerOf, models, runs, clock } = this.#parts;
    const { metadata, spec, status } = object;
    const { uid: taskUid = '', name, namespace = '' } = metadata;
    const organizationId = organizationOf(namespace);
    const accountId = spec.startedBy ?? spec.creator;
    const kept = await checkpoints.newest({ taskUid });
    if (!kept || !status?.inputs || organizationId === undefined || accountId === undefined) return;
    const caller = await callerOf(accountId, organizationId);
    const model = caller && (status.output?.model ?? (await outputOf(this.#parts, caller, object)));
    if (!caller || typeof model !== 'string') return;
    const { run, step } = kept;
    const made = { task: name, taskUid, run, step, from: sourcesOf(status.inputs) };
    // One checkpoint is one version, however often it is saved.
    const key = createHash('sha256').update(`checkpoint of ${taskUid} ${run} ${step}`).digest('hex');
    const wish = { name: versionName(name, `-${run}-step-${step}`), made };
    const version = await models.made(caller, model, wish, key);
    const at = rfc3339(clock.now());
    await runs.write(object, { saved: { count: spec.saveCount, step, model, version, digest: null, at } });
  }

  async #finish(object: FineTune, { model, version }: { model: string; version: string }): Promise<void> {
    const found = await this.#parts.models.version(model, version);
    if (found?.digest) await this.#parts.runs.write(object, { saved: { digest: found.digest } });
  }
}

// Versions of models that runs ask: each is deployed for its run as whoever began it, and removed once the evaluation is at rest.
import { Problem, statusOf } from '@gantry/contract/http/problem.ts';
import { type Evaluation, isAtRest } from '@gantry/contract/kinds/evaluation.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { KindStore } from '../../core/kinds/kind-store.ts';
import type { Writer } from '../../core/kinds/kind-writes.ts';
import { type PresentRun, presentRun } from '../../core/tasks/present-run.ts';
import type { NotNow } from '../../core/tasks/run-kind.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { shownRole } from '../../platform/http/shown-role.ts';

export interface AskedVersion {
  model: string;
  version: string;
}

export interface ServedVersionsParts {
  kinds: Pick<KindStore, 'create' | 'remove'>;
  /** All of them, or those of a namespace. */
  deployments(namespace?: string): readonly ModelDeployment[];
  /** Undefined where there is none; null while that is not known. */
  evaluation(namespace: string, name: string): Evaluation | undefined | null;
  clock: Clock;
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
  /** The id of whoever made it, or of an owner where that one is no member any more. */
  actor(of: { organizationId: string; creator: string | undefined }): Promise<string>;
}

type Serving = NotNow<'VersionStarting' | 'VersionRefused'> | { deployment: string; detail: string };

const LOOK_MS = 5_000;

export class ServedVersions {
  readonly #parts: ServedVersionsParts;

  constructor(parts: ServedVersionsParts) {
    this.#parts = parts;
  }

  /** The deployment of that version for this run, which is made where there is none. It may not answer yet. */
  async serve(
    { object: { metadata, spec }, taskUid, run }: PresentRun<Evaluation>,
    caller: Caller,
    { model, version }: AskedVersion,
  ): Promise<Serving> {
    const { namespace = '', name } = metadata;
    const args = { model, version };
    const known = this.#parts
      .deployments(namespace)
      .find((one) => one.spec.servedFor === name && one.spec.model === model && one.spec.version === version);
    if (known) return servingOf(known, args);
    const { account } = caller;
    const writer: Writer = { namespace, account: account.id, role: shownRole(caller), language: account.locale };
    const wished = {
      ...{ displayName: `${spec.displayName ?? name}: ${version}`.slice(0, MOST_NAME), ...args, servedFor: name },
      ...{ power: 'Running', restartCount: 0, replicas: 1 },
    };
    // A second gateway, or a second try, finds what the first one has made.
    const request = { route: 'evaluation', key: `${taskUid}/${run}/${model}/${version}` };
    try {
      const made = (await this.#parts.kinds.create(modelDeployment, writer, wished, request)) as ModelDeployment;
      return servingOf(made, args);
    } catch (error) {
      if (!(error instanceof Problem) || statusOf(error.problem) >= 500) throw error;
      return { reason: 'VersionRefused', args: { ...args, detail: error.message } };
    }
  }

  /** Until the signal. One gateway at a time. */
  async work(signal: AbortSignal): Promise<void> {
    const { clock, deployments, log } = this.#parts;
    while (!signal.aborted) {
      for (const object of deployments().filter((one) => this.#isLeft(one)))
        await this.#remove(object).catch((error: unknown) =>
          log.warn({ err: error, deployment: nameOf(object) }, 'what was deployed for a run was not removed'),
        );
      await pause(clock, LOOK_MS, signal);
    }
  }

  #isLeft({ metadata: { namespace = '', deletionTimestamp }, spec: { servedFor } }: ModelDeployment): boolean {
    if (servedFor === undefined || deletionTimestamp !== undefined) return false;
    const object = this.#parts.evaluation(namespace, servedFor);
    return object === undefined || (object !== null && presentRun(object) === undefined && isAtRest(object));
  }

  async #remove(object: ModelDeployment): Promise<void> {
    const { kinds, actor, log } = this.#parts;
    const { namespace = '', name } = object.metadata;
    const account = await actor({ organizationId: organizationOf(namespace) ?? '', creator: object.spec.creator });
    await kinds.remove(modelDeployment, { namespace, account, role: 'owner', language: 'en' }, name, {});
    log.info({ deployment: nameOf(object) }, 'what was deployed for a run is removed');
  }
}

const MOST_NAME = 63;
const nameOf = ({ metadata: { namespace, name } }: ModelDeployment) => `${namespace}/${name}`;
/** What is being removed is made anew once it is gone. `detail`: what its operator says of it. */
function servingOf({ metadata, status }: ModelDeployment, args: AskedVersion): Serving {
  const detail = status?.message ?? '';
  if (metadata.deletionTimestamp === undefined) return { deployment: metadata.name, detail };
  return { reason: 'VersionStarting', args: { ...args, detail } };
}

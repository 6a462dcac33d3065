// Exceptions that the gateway makes for single kinds: a kind has a file here only if its facts do not suffice.

import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Problem } from '@gantry/contract/http/problem.ts';
import { alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { PoolRules } from '@gantry/kube/placement.ts';
import type { KindChange, WatchCache } from '../../../platform/kube/watch-cache.ts';
import type { Asked } from '../checks.ts';
import { policyHooks } from './alert-policy.ts';
import { serviceHooks } from './container-service.ts';
import { diskHooks } from './data-disk.ts';
import { processHooks } from './data-process.ts';
import { evaluationHooks } from './evaluation.ts';
import { tuneHooks } from './fine-tune.ts';
import { hostHooks } from './gpu-host.ts';
import { instanceHooks } from './gpu-instance.ts';
import { imageHooks } from './image.ts';
import { jobHooks } from './job.ts';
import { deploymentHooks } from './model-deployment.ts';

export type Spec = Record<string, unknown>;
/** The options of a command or a deletion. */
export type Options = Readonly<Record<string, unknown>>;

export type Write = 'create' | 'change' | 'command';

export interface KindHooks {
  /** Kinds of the same namespace whose objects a view shows something of. */
  shows?: readonly KindFacts[];
  /** Data from them: passed to the kind's `show` as `related`. `key` differs whenever that differs. */
  related?(cache: WatchCache, object: KubeObject, pool: PoolRules): { related: object; key: string };
  /** Objects of this kind whose views a change of another object changes. */
  touchedBy?(cache: WatchCache, change: KindChange): readonly KubeObject[];
  /** Whether an object of the platform's namespace is everybody's to see; nobody writes it. */
  isOffered?(object: KubeObject): boolean;
  /** The refusal for writes to an offered object. */
  offeredRefusal?(object: KubeObject): Problem;
  /**
   * Throws if something that is known before the API server is asked prevents a write. `spec`: the changes to `before`, which a
   * command leaves empty here.
   */
  checkWrite?(cache: WatchCache, asked: Asked, spec: Spec, before: KubeObject | undefined, write: Write): void;
  /** Throws why a command may not be given, in other words than those of `action_not_allowed`. */
  checkCommand?(action: string, object: KubeObject): void;
  /** Throws why it may not be deleted, in other words than those of `action_not_allowed`. */
  checkRemoval?(object: KubeObject, cache: WatchCache): void;
  /** Annotations required for deletion. Throws if something is missing. */
  beforeDelete?(object: KubeObject, options: Options): Readonly<Record<string, string>>;
  /** Goes over every patch of its spec that a member makes. */
  extraPatch?(object: KubeObject, spec: Spec, account: string): Spec | undefined;
  /** Goes over what a command's row patches: what its options say. */
  commandPatch?(action: string, object: KubeObject, options: Options): Spec;
  /** For commands that make another object: which, by the id that it will have. */
  makes?(object: KubeObject, options: Options): { facts: KindFacts; specOf(id: string): Spec };
}

export const HOOKS: readonly (readonly [kind: KindFacts, hooks: KindHooks])[] = [
  [gpuInstance, instanceHooks],
  [gpuHost, hostHooks],
  [dataDisk, diskHooks],
  [image, imageHooks],
  [job, jobHooks],
  [dataProcess, processHooks],
  [fineTune, tuneHooks],
  [evaluation, evaluationHooks],
  [containerService, serviceHooks],
  [modelDeployment, deploymentHooks],
  [alertPolicy, policyHooks],
];
const byKind: ReadonlyMap<string, KindHooks> = new Map(HOOKS.map(([{ kind }, hooks]) => [kind, hooks]));
const NONE: KindHooks = {};

export const hooksOf = ({ kind }: Pick<KindFacts, 'kind'>): KindHooks => byKind.get(kind) ?? NONE;

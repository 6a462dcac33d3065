// The notebook's token: a Secret that the container's environment takes it from. Between runs that do not share it, the Secret is
// empty; it goes with the instance.

import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { restOf } from '@gantry/contract/kinds/gpu-instance-powers.ts';
import { NOTEBOOK_VARIABLE, notebookTokenText } from '@gantry/contract/kinds/notebook-token.ts';
import { LABEL, NOTEBOOK_SUFFIX } from '@gantry/contract/names.ts';
import { ownedBy } from '../../resources.ts';
import type { InstanceSettings } from './desired.ts';
import type { Run } from './pod-facts.ts';

const KEY = 'token';

const secretName = ({ metadata }: GpuInstance): string => `${metadata.name}${NOTEBOOK_SUFFIX}`;

type TokenSecret = KubeObject & { type: string; data: Record<string, string> };

/** Kept from the first run on. */
export function notebookSecrets(owner: GpuInstance, { keyed }: Pick<InstanceSettings, 'keyed'>): TokenSecret[] {
  if (owner.spec.notebookPort === undefined || owner.status?.run === undefined) return [];
  const text = notebookTokenText(owner);
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: secretName(owner),
        namespace: owner.metadata.namespace ?? '',
        labels: { [LABEL.kind]: owner.kind, [LABEL.name]: owner.metadata.name, [LABEL.managed]: 'true' },
        ownerReferences: ownedBy(owner),
      },
      type: 'Opaque',
      data: text === undefined ? {} : { [KEY]: btoa(keyed(text)) },
    },
  ];
}

/** First, so that the tenant's own variables and command can name it. */
export const notebookEnv = (owner: GpuInstance) =>
  notebookTokenText(owner) === undefined
    ? []
    : [{ name: NOTEBOOK_VARIABLE, valueFrom: { secretKeyRef: { name: secretName(owner), key: KEY } } }];

/** After these a run begins with another token; the others keep that of the run before. */
const RENEWING: readonly Run['cause'][] = ['first', 'start', 'restore'];

/** The run with whose token this one begins. */
export const notebookRunOf = ({ seq, cause }: Run, before: number | undefined): number =>
  RENEWING.includes(cause) ? seq : (before ?? seq);

/** At rest the token is kept where disks are. */
export const keptAtRest = (power: string, before: number | undefined): number | undefined =>
  restOf(power)?.keepsDisks ? before : undefined;

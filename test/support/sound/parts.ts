// Parts of sound objects: one object of each kind with every field filled in validly.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';

export interface SoundObject extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * The object as an organisation of the gateway in memory has it, at rest, so that tests can give it commands: `whose` ends the ids of all
 * that is in the namespace.
 */
export type Resting = (place: { namespace: string; whose: string }) => { spec: object; status: object };

export const SOUND_NAMESPACE = organizationNamespace('acme');
export const AT = '2026-11-21T10:00:00Z';
export const UID = '8c1e1b0e-5d0c-4c7e-9a53-0f6f1d3f7a11';
export const DIGEST = `sha256:${'a'.repeat(64)}`;
export const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM+bF9';

export const common = (phase: string, reason: string) => ({
  phase,
  reason,
  reasonArgs: { detail: 'none' },
  message: 'It is so.',
  observedGeneration: 1,
  conditions: [
    { type: 'Ready', status: 'True', observedGeneration: 1, lastTransitionTime: AT, reason, message: 'It is so.' },
    {
      type: 'CreditReserved',
      status: 'True',
      observedGeneration: 1,
      lastTransitionTime: AT,
      reason: 'Reserved',
      message: '',
    },
  ],
  history: [{ phase, reason, reasonArgs: { detail: 'none' }, since: AT }],
});
export const metered = (...uses: object[]) => ({
  intervals: [
    { seq: 1, subjectUID: UID, run: 1, parts: '0-1', from: AT, to: '2026-11-21T10:10:00Z', uses },
    { seq: 7, subjectUID: UID, run: 2, parts: '0', from: '2026-11-21T10:10:00Z', uses },
  ],
  credit: { until: '2026-11-21T11:00:00Z', postedSeq: 1 },
});

export const soundObject = (
  kind: string,
  name: string,
  spec: object,
  status: object,
  namespace?: string,
): SoundObject => ({
  apiVersion: API_VERSION,
  kind,
  metadata: {
    name,
    ...(namespace !== undefined && { namespace }),
    uid: UID,
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: AT,
    labels: { team: 'vision' },
    annotations: { note: 'mine' },
  },
  spec: { ...spec },
  status: { ...status },
});

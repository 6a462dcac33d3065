// An instance as a form holds it, and the bodies that are made of it: of a new one, and of a change.

import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import type { InputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { RUN_FIELDS } from '@gantry/contract/kinds/gpu-instance-schema.ts';
import { gpuOffers, PLAIN_SIZE, sizeWith } from '../../parts/workload/gpu-offers.ts';
import { type IdleValues, idleBody, idleOf, NO_IDLE } from '../../parts/workload/idle-values.ts';
import {
  changeBetween,
  type RunValues,
  runBody,
  runOf,
  type Variable,
  variablesOf,
} from '../../parts/workload/run-values.ts';
import { ANY_IMAGE, isPositive, numberOrNull, placeOf } from '../../parts/workload/workload-values.ts';

export type CreationBody = InputOf<NonNullable<typeof CALLS.createInstance.facts>>['body'];
export type ChangeBody = NonNullable<InputOf<NonNullable<typeof CALLS.updateInstance.facts>>['body']>;

export interface KeyValue {
  remark: string;
  publicKey: string;
  expiresAt?: string;
}

/** Members have the body's names, so that an error appears at its field. A missing number is undefined. */
export interface InstanceValues extends RunValues, IdleValues {
  displayName: string;
  /** Empty for a new one in the first data centre. */
  region: string;
  homeDisk: { sizeGi: number | undefined };
  disks: { name: string; mountPath: string }[];
  env: Variable[];
  notebookPort: number | undefined;
  sshKeys: KeyValue[];
}

export const EMPTY: InstanceValues = {
  displayName: '',
  region: '',
  image: '',
  command: '',
  host: '',
  gpu: { model: '', count: 1 },
  ...PLAIN_SIZE,
  homeDisk: { sizeGi: 20 },
  disks: [],
  env: [],
  ports: [],
  notebookPort: undefined,
  sshKeys: [],
  idle: NO_IDLE,
};

export function bodyOf(values: InstanceValues): CreationBody {
  const { displayName, region, homeDisk, disks, env, notebookPort, sshKeys, idle } = values;
  return {
    displayName: displayName.trim(),
    ...(region !== '' && { region }),
    ...runBody(values),
    homeDisk: { sizeGi: numberOrNull(homeDisk.sizeGi) },
    ...(disks.length > 0 && { disks }),
    ...(env.length > 0 && { env }),
    ...(notebookPort !== undefined && { notebookPort }),
    ...(sshKeys.length > 0 && { sshKeys }),
    ...idleBody(idle),
  };
}

/** The values of an existing instance. */
export function valuesOf({ spec, name, region }: Pick<InstanceView, 'spec' | 'name' | 'region'>): InstanceValues {
  return {
    displayName: name,
    region,
    ...runOf(spec),
    homeDisk: { sizeGi: spec.homeDisk?.sizeGi },
    disks: spec.disks ?? [],
    env: variablesOf(spec.env),
    notebookPort: spec.notebookPort,
    sshKeys: (spec.sshKeys ?? []).map(({ remark, publicKey, expiresAt }) => ({
      remark,
      publicKey,
      ...(expiresAt !== undefined && { expiresAt }),
    })),
    idle: idleOf(spec.idle),
  };
}

/** The changes from one to the other: only those, and null for removed values. */
export const changeOf = (before: InstanceValues, after: InstanceValues): ChangeBody =>
  changeBetween(bodyOf(before), bodyOf(after));

/** Whether somebody else has changed the same meanwhile: lists are sent whole, so their change would be undone. */
export const isReplacing = (before: InstanceValues, now: InstanceValues, body: ChangeBody): boolean =>
  Object.keys(changeOf(before, now)).some((name) => Object.hasOwn(body, name));

/** Places and names that links lead here with: `?image=pytorch/pytorch:2.4.0&gpu=NVIDIA-H200&count=2`. Cards bring their size. */
export function valuesOfQuery(query: URLSearchParams, specs: readonly GpuSpecView[] = []): Partial<InstanceValues> {
  const text = (name: string) => query.get(name) ?? undefined;
  const number = (name: string) => {
    const value = Number(query.get(name) ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  const [displayName, image, host, model] = [text('name'), text('image'), text('host'), text('gpu')];
  const region = text('region');
  const [cores, memoryGi, sizeGi] = [number('cores'), number('memory'), number('home')];
  const gpu = model === undefined ? undefined : { model, count: number('count') ?? 1 };
  return {
    ...(displayName !== undefined && { displayName }),
    ...(image !== undefined && { image }),
    ...(host !== undefined && { host }),
    ...(region !== undefined && { region }),
    ...(gpu && { gpu, ...(host === undefined && sizeWith(gpu, gpuOffers(specs))) }),
    ...(cores !== undefined && { cores }),
    ...(memoryGi !== undefined && { memoryGi }),
    ...(sizeGi !== undefined && { homeDisk: { sizeGi } }),
  };
}

export const PRESETS = ['tryIt', 'cpu', 'oneGpu'] as const;
export type Preset = (typeof PRESETS)[number];
export type PresetValues = Pick<InstanceValues, 'gpu' | 'cores' | 'memoryGi' | 'homeDisk'>;

/** Undefined if no offer suits: no card is free. */
export function presetOf(preset: Preset, specs: readonly GpuSpecView[]): PresetValues | undefined {
  const none = { model: '', count: 1 };
  if (preset === 'tryIt') return { gpu: none, cores: 0.1, memoryGi: 0.125, homeDisk: { sizeGi: 1 } };
  if (preset === 'cpu') return { gpu: none, ...PLAIN_SIZE, homeDisk: { sizeGi: 20 } };
  const cheapest = gpuOffers(specs).find(({ price, starts }) => price && starts.some(({ free }) => free > 0));
  if (!cheapest?.share) return undefined;
  return { gpu: { model: cheapest.model, count: 1 }, ...cheapest.share, homeDisk: { sizeGi: 20 } };
}

/** The inputs for price and place, as the API takes them; undefined while a number is missing. */
export function sizeOf(values: Pick<InstanceValues, 'gpu' | 'cores' | 'memoryGi' | 'homeDisk' | 'host'>) {
  const { sizeGi } = values.homeDisk;
  const place = placeOf(values);
  return place && isPositive(sizeGi)
    ? { place, cost: { ...place, image: ANY_IMAGE, homeDisk: { sizeGi } } }
    : undefined;
}

/** Whether a change restarts a running instance. */
export const restartsBy = (change: object): boolean => RUN_FIELDS.some((field) => Object.hasOwn(change, field));

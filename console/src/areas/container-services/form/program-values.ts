// The common part of the forms of jobs and services: a program, its place and size, and its inputs.
import type { IdleDoes } from '@gantry/contract/fields/idle.ts';
import { PLAIN_SIZE } from '../../../parts/workload/gpu-offers.ts';
import { type IdleValues, idleBody, idleOf, NO_IDLE } from '../../../parts/workload/idle-values.ts';
import { type RunSpec, type RunValues, runBody, runOf } from '../../../parts/workload/run-values.ts';
import { type EnvRow, envBodyOf, envRowsOf } from './env-rows.ts';

export interface ProgramValues extends RunValues, IdleValues {
  displayName: string;
  env: EnvRow[];
}

export const EMPTY_PROGRAM: ProgramValues = {
  displayName: '',
  image: '',
  command: '',
  host: '',
  gpu: { model: '', count: 1 },
  ...PLAIN_SIZE,
  env: [],
  ports: [],
  idle: NO_IDLE,
};

export function programBody({ displayName, env, idle, ...run }: ProgramValues) {
  return { displayName: displayName.trim(), ...runBody(run), ...envBodyOf(env), ...idleBody(idle) };
}

interface ProgramSpec extends RunSpec {
  env?: readonly { name: string; value?: string | undefined; expand?: boolean | undefined }[] | undefined;
  secretEnv?: readonly { name: string; secret: string; key: string }[] | undefined;
  idle?: { does: IdleDoes; afterMinutes?: number | undefined } | undefined;
}

/** `id` is the object's; a copy leaves out the values of its secrets, which belong to it alone. */
export function programOf(spec: ProgramSpec, id: string, displayName: string, isCopy: boolean): ProgramValues {
  const leaves = isCopy ? (secret: string) => secret.startsWith(`${id}-`) : undefined;
  return { displayName, ...runOf(spec), env: envRowsOf(spec, leaves), idle: idleOf(spec.idle) };
}

/** A link may name the image of a new one. */
export const withImage =
  <Values extends ProgramValues>(empty: () => Values) =>
  (query: URLSearchParams): Values => ({ ...empty(), image: query.get('image') ?? '' });

export const lacksSecrets = ({ env }: ProgramValues): 'secrets' | undefined =>
  env.some(({ isSecret, kept }) => isSecret && !kept) ? 'secrets' : undefined;

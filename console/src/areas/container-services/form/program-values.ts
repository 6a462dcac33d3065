// The common part of the forms of jobs and services: a program, its place and size, and its inputs.
import type { IdleDoes } from '@gantry/contract/fields/idle.ts';
import { PLAIN_SIZE } from '../../../parts/workload/gpu-offers.ts';
import { type IdleValues, idleBody, idleOf, NO_IDLE } from '../../../parts/workload/idle-values.ts';
import { joinCommand, splitCommand } from '../../../parts/workload/split-command.ts';
import { numberOrNull, type WorkloadValues } from '../../../parts/workload/workload-values.ts';
import { type EnvRow, envBodyOf, envRowsOf } from './env-rows.ts';

/** Members have the body's names, so that an error appears at its field. */
export interface ProgramValues extends WorkloadValues, IdleValues {
  displayName: string;
  /** One line, as in a shell; empty is none. */
  command: string;
  /** Its words name variables. Set by API alone, and kept. */
  expandCommand?: boolean | undefined;
  env: EnvRow[];
  ports: { name: string; port: number | undefined }[];
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

export function programBody(values: ProgramValues) {
  const { displayName, image, host, gpu, cores, memoryGi, env, ports, idle } = values;
  const command = splitCommand(values.command);
  return {
    displayName: displayName.trim(),
    image: image.trim(),
    ...(command && { command }),
    ...(values.expandCommand && { expandCommand: true }),
    ...(host !== '' && { host }),
    ...(gpu.model !== '' && { gpu: { model: gpu.model, count: numberOrNull(gpu.count) } }),
    cores: numberOrNull(cores),
    memoryGi: numberOrNull(memoryGi),
    ...envBodyOf(env),
    ...(ports.length > 0 && {
      ports: ports.map(({ name, port }) => ({ ...(name !== '' && { name }), port: numberOrNull(port) })),
    }),
    ...idleBody(idle),
  };
}

interface ProgramSpec {
  image: string;
  command?: readonly string[] | undefined;
  expandCommand?: boolean | undefined;
  host?: string | undefined;
  gpu?: { model: string; count?: number | undefined } | undefined;
  cores?: number | undefined;
  memoryGi?: number | undefined;
  env?: readonly { name: string; value?: string | undefined; expand?: boolean | undefined }[] | undefined;
  secretEnv?: readonly { name: string; secret: string; key: string }[] | undefined;
  ports?: readonly { name?: string | undefined; port: number }[] | undefined;
  idle?: { does: IdleDoes; afterMinutes?: number | undefined } | undefined;
}

/** `id` is the object's; a copy leaves out the values of its secrets, which belong to it alone. */
export function programOf(spec: ProgramSpec, id: string, displayName: string, isCopy: boolean): ProgramValues {
  const leaves = isCopy ? (secret: string) => secret.startsWith(`${id}-`) : undefined;
  return {
    displayName,
    image: spec.image,
    command: joinCommand(spec.command ?? []),
    expandCommand: spec.expandCommand,
    host: spec.host ?? '',
    gpu: { model: spec.gpu?.model ?? '', count: spec.gpu?.count ?? 1 },
    cores: spec.cores,
    memoryGi: spec.memoryGi,
    env: envRowsOf(spec, leaves),
    ports: (spec.ports ?? []).map(({ name = '', port }) => ({ name, port })),
    idle: idleOf(spec.idle),
  };
}

/** The changes from one body to the other: only those, and null for removed values. */
export function changeBetween(before: object, after: object): Record<string, unknown> {
  const [from, to] = [{ ...before }, { ...after }] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(from?.[name]) !== JSON.stringify(to?.[name]))
      .map((name) => [name, to?.[name] ?? null]),
  );
}

/** A link may name the image of a new one. */
export const withImage =
  <Values extends ProgramValues>(empty: () => Values) =>
  (query: URLSearchParams): Values => ({ ...empty(), image: query.get('image') ?? '' });

export const lacksSecrets = ({ env }: ProgramValues): 'secrets' | undefined =>
  env.some(({ isSecret, kept }) => isSecret && !kept) ? 'secrets' : undefined;

// What a program runs and where, as the forms of all kinds that run one hold it, and what an edit changes of it.
import { joinCommand, splitCommand } from './split-command.ts';
import { numberOrNull, type WorkloadValues } from './workload-values.ts';

/** Members have the body's names, so that an error appears at its field. */
export interface RunValues extends WorkloadValues {
  /** One line, as in a shell; empty is none. */
  command: string;
  /** Its words name variables. Set by API alone, and kept. */
  expandCommand?: boolean | undefined;
  ports: { name: string; port: number | undefined }[];
}

export interface RunSpec {
  image: string;
  command?: readonly string[] | undefined;
  expandCommand?: boolean | undefined;
  host?: string | undefined;
  gpu?: { model: string; count?: number | undefined } | undefined;
  cores?: number | undefined;
  memoryGi?: number | undefined;
  ports?: readonly { name?: string | undefined; port: number }[] | undefined;
}

export function runBody({ image, host, gpu, cores, memoryGi, ports, ...values }: RunValues) {
  const command = splitCommand(values.command);
  return {
    image: image.trim(),
    ...(command && { command }),
    ...(values.expandCommand && { expandCommand: true }),
    ...(host !== '' && { host }),
    ...(gpu.model !== '' && { gpu: { model: gpu.model, count: numberOrNull(gpu.count) } }),
    cores: numberOrNull(cores),
    memoryGi: numberOrNull(memoryGi),
    ...(ports.length > 0 && {
      ports: ports.map(({ name, port }) => ({ ...(name !== '' && { name }), port: numberOrNull(port) })),
    }),
  };
}

export const runOf = ({ image, command, expandCommand, host, gpu, cores, memoryGi, ports }: RunSpec): RunValues => ({
  image,
  command: joinCommand(command ?? []),
  expandCommand,
  host: host ?? '',
  gpu: { model: gpu?.model ?? '', count: gpu?.count ?? 1 },
  cores,
  memoryGi,
  ports: (ports ?? []).map(({ name = '', port }) => ({ name, port })),
});

export interface Variable {
  name: string;
  value: string;
  expand?: boolean | undefined;
}

/** Variables that anybody may read. */
export const variablesOf = (
  env: readonly (Omit<Variable, 'value'> & { value?: string | undefined })[] = [],
): Variable[] => env.map(({ name, value = '', expand }) => ({ name, value, ...(expand && { expand }) }));

/** The changes from one body to the other: only those, and null for removed values. A list is a value. */
export function changeBetween(before: object, after: object): Record<string, unknown> {
  const [from, to]: Record<string, unknown>[] = [{ ...before }, { ...after }];
  const names = [...new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(from?.[name]) !== JSON.stringify(to?.[name]))
      .map((name) => [name, withoutFormer(from?.[name], to?.[name])]),
  );
}

/** The API merges: what a value has no more is null in it. */
function withoutFormer(before: unknown, after: unknown): unknown {
  if (!isGroup(before) || !isGroup(after)) return after ?? null;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(names.map((name) => [name, withoutFormer(before[name], after[name])]));
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

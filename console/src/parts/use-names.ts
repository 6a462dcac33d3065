// The names of models and datasets by their ids; an id stands for what is not listed (yet).
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { useCallback, useMemo } from 'react';

const ALL = { size: 1000 } as const;

interface Named {
  readonly id: string;
  readonly name: string;
}
export interface Option {
  readonly value: string;
  readonly label: string;
}

/** The organisation's, and those of the library. */
export function useReadableDatasets(): readonly Named[] {
  const { items: own } = useList(CALLS.listDatasets, {}, ALL);
  const { items: library } = useList(CALLS.listDatasetLibrary, {}, ALL);
  return useMemo(() => unique([...own, ...library]), [own, library]);
}

/** The organisation's, and those of the library. */
export function useReadableModels() {
  const { items: own } = useList(CALLS.listModelSpace, {}, ALL);
  const { items: library } = useList(CALLS.listModelLibrary, {}, ALL);
  return useMemo(() => unique([...own, ...library]), [own, library]);
}

/** Those that may get a version. */
export function useOwnModels(): readonly Named[] {
  return useList(CALLS.listModelSpace, {}, ALL).items;
}

export function useNameOf(all: readonly Named[]): (id: string) => string {
  return useCallback((id) => all.find((one) => one.id === id)?.name ?? id, [all]);
}

const unique = <One extends Named>(all: readonly One[]): readonly One[] => [
  ...new Map(all.map((one) => [one.id, one])).values(),
];

/** `chosen` stays among them, whether it is listed or not (yet). */
export function optionsOf(all: readonly Named[], chosen: string): readonly Option[] {
  return withChosen(
    all.map(({ id, name }) => ({ value: id, label: name })),
    chosen,
  );
}

export const withChosen = (options: readonly Option[], chosen: string, label = chosen): readonly Option[] =>
  chosen === '' || options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label }];

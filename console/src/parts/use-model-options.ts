// The models and versions that a form offers: the organisation's, and those of the library.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useList } from '@gantry/ui/client/use-api.tsx';

const ALL = { size: 1000 } as const;

/** `chosen` stays among them, whether it is listed or not (yet). */
export function useModelOptions(chosen: string): readonly { value: string; label: string }[] {
  const { items: own } = useList(CALLS.listModelSpace, {}, ALL);
  const { items: shelved } = useList(CALLS.listModelLibrary, {}, ALL);
  const models = [...new Map([...own, ...shelved].map((one) => [one.id, one])).values()].filter(
    ({ state }) => state === 'ready',
  );
  const named = models.map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = chosen === '' || models.some(({ id }) => id === chosen);
  return isKnown ? named : [...named, { value: chosen, label: chosen }];
}

/** The names of its versions that are ready; `chosen` stays among them. Empty where none is known. */
export function useVersionNames(model: string, chosen: string): readonly string[] {
  const { data } = useCall(CALLS.getModel, { params: { id: model } }, { enabled: model !== '' });
  const names = (data?.versions ?? []).filter(({ state }) => state === 'ready').map(({ name }) => name);
  return names.length === 0 || chosen === '' || names.includes(chosen) ? names : [...names, chosen];
}

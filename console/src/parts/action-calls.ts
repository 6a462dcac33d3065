// How commands reach each kind: the call for one object, the call for many, and what has to be read again.
import type { Call } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/http/kind-views.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';

type InstanceAct = NonNullable<typeof CALLS.actInstance.facts>;
type InstanceBatch = NonNullable<typeof CALLS.batchInstances.facts>;

interface KindCalls {
  act: Call;
  batch: Call;
  reads: readonly Call[];
}

/** By the name that permission nodes have for the kind. */
const KIND_CALLS = {
  gpuInstance: {
    act: CALLS.actInstance,
    batch: CALLS.batchInstances,
    reads: [CALLS.listInstances, CALLS.getInstance],
  },
  gpuHost: { act: CALLS.actHost, batch: CALLS.batchHosts, reads: [CALLS.listHosts, CALLS.getHost] },
  dataDisk: { act: CALLS.actDisk, batch: CALLS.batchDisks, reads: [CALLS.listDisks, CALLS.getDisk] },
  image: { act: CALLS.actImage, batch: CALLS.batchImages, reads: [CALLS.listImages, CALLS.getImage] },
} as const satisfies Record<string, KindCalls>;
export type ActedKind = keyof typeof KIND_CALLS;

export type ActionRow = InstanceView['actions'][number];

/** What buttons are made of: any kind's view. */
export interface ActionTarget {
  readonly id: string;
  readonly name: string;
  readonly actions: readonly ActionRow[];
}

/** One object's command. Which commands there are is the kind's to know: they come with its view. */
export function useAct(kind: ActedKind, options: { onSuccess?: () => void; isQuiet?: boolean } = {}) {
  const { act, reads } = KIND_CALLS[kind];
  const command = useCommand(act as unknown as Call<InstanceAct>, { ...options, invalidates: reads });
  return {
    ...command,
    give: (id: string, action: string, more: object = {}) =>
      command.mutate({ params: { id }, body: { action, ...more } as { action: 'stop' } }),
  };
}

/** Many objects' command; each has its own answer. */
export function useBatch(kind: ActedKind) {
  const { batch, reads } = KIND_CALLS[kind];
  const command = useCommand(batch as unknown as Call<InstanceBatch>, {
    success: false,
    isQuiet: true,
    invalidates: reads,
  });
  return {
    ...command,
    give: (ids: readonly string[], action: string) =>
      command.mutateAsync({ body: { action: action as 'stop', ids: [...ids] } }),
  };
}

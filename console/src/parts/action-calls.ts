// How commands reach each kind: the call for one object, the call for many, and the reads to repeat.
import type { ActionOf } from '@gantry/contract/define-kind.ts';
import { type Call, MOST_AT_ONCE } from '@gantry/contract/http/call.ts';
import { KIND_CALLS } from '@gantry/contract/http/calls.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import type { CommonView } from '@gantry/contract/kind-api.ts';
import type { KINDS } from '@gantry/contract/kinds.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import type * as z from 'zod';

/** The input of every kind's `act`; options go beside the action. */
interface ActFacts extends RouteFacts {
  params: z.ZodObject<{ id: z.ZodString }>;
  body: z.ZodType<unknown, { action: string }>;
}
interface BatchFacts extends RouteFacts {
  body: z.ZodType<unknown, { action: string; ids: string[]; confirm?: string[] | undefined }>;
  answer: { data: z.ZodArray<z.ZodType<{ id: string; code: number; message: string }>> };
}

interface KindCalls {
  act: Call<ActFacts>;
  batch: Call<BatchFacts>;
  list: Call;
  read: Call;
}

type AllCalls = typeof KIND_CALLS;
/** By the name that permission nodes have for the kind: its key in KINDS. */
export type ActedKind = { [K in keyof AllCalls]: AllCalls[K] extends { act: Call } ? K : never }[keyof AllCalls];

/** A kind's commands, by the names in its facts. */
export type ActionName<Kind extends ActedKind> = ActionOf<(typeof KINDS)[Kind]>;

const callsOf = (kind: ActedKind): KindCalls => KIND_CALLS[kind];

export type ActionRow = CommonView['actions'][number];

/** The part of any kind's view that buttons need. */
export type ActionTarget = Readonly<Pick<CommonView, 'id' | 'name'>> & { readonly actions: readonly ActionRow[] };

/** One object's command. Which commands there are is the kind's to know: they come with its view. */
export function useAct(kind: ActedKind, options: { onSuccess?: () => void; isQuiet?: boolean } = {}) {
  const { act, list, read } = callsOf(kind);
  const command = useCommand(act, { ...options, invalidates: [list, read] });
  return {
    ...command,
    give: (id: string, action: string, more: object = {}, after: { onSuccess?: () => void } = {}) =>
      command.mutate({ params: { id }, body: { action, ...more } }, after),
  };
}

/** Many objects' command; each has its own answer. */
export function useBatch(kind: ActedKind) {
  const { batch, list, read } = callsOf(kind);
  const command = useCommand(batch, { success: false, isQuiet: true, invalidates: [list, read] });
  return {
    ...command,
    /** `isConfirmed`: the person has typed what the question asked for. */
    give: async (all: readonly string[], action: string, isConfirmed: boolean) => {
      const answers: Awaited<ReturnType<typeof command.mutateAsync>>[number][] = [];
      for (let at = 0; at < all.length; at += MOST_AT_ONCE) {
        const ids = all.slice(at, at + MOST_AT_ONCE);
        answers.push(...(await command.mutateAsync({ body: { action, ids, ...(isConfirmed && { confirm: ids }) } })));
      }
      return answers;
    },
  };
}

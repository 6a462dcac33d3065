// Sends the form of a new workload. Its input is kept until the answer is there; if money is missing, the form leads to a payment.
import type { Call, InputOf, OutputOf } from '@gantry/contract/http/call.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import type { ServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { missingIn } from '../missing-money.ts';
import { TopUpButton } from '../top-up-button.tsx';
import type { FormDraft } from '../use-draft.tsx';

interface SendNew<F extends RouteFacts, Values extends FieldValues> {
  create: Call<F>;
  list: Pick<Call, 'id'>;
  formed: ServerForm<Values>;
  draft: FormDraft<Values>;
  bodyOf(values: Values): object;
  /** With the code of the refusal. */
  onRefused?(error: string): void;
  /** The address of the list; the new one's is below. */
  page: string;
}

/** Properties of its form. */
export function useSendNew<F extends RouteFacts, Values extends FieldValues>(options: SendNew<F, Values>) {
  const { create: call, list, formed, draft, bodyOf, onRefused, page } = options;
  const { form, error, submit } = formed;
  const go = useNavigate();
  const [missing, setMissing] = useState<string>();
  const create = useCommand(call, { isQuiet: true, invalidates: [list] });
  // Also where all is as it came: afterwards the way leads back here.
  const onRecharge = () => draft.keep(form.getValues());
  return {
    form,
    error,
    help: missing !== undefined && <TopUpButton missing={missing} onLeave={onRecharge} />,
    node: call.id,
    isBusy: create.isPending,
    onRecharge,
    onSubmit: submit(async (values) => {
      setMissing(undefined);
      const body = bodyOf(values);
      const made = await draft
        .send(values, () => create.mutateAsync({ body } as unknown as InputOf<F>))
        .catch((refused: unknown) => {
          setMissing(missingIn(refused));
          if (refused instanceof ApiProblem && refused.error) onRefused?.(refused.error);
          throw refused;
        });
      await go(`${page}/${(made as OutputOf<F> & { id: string }).id}`);
    }),
  };
}

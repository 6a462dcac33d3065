// The edit of one object in a form: only what differs is sent, with the generation it was made on. If somebody else was faster, the
// form keeps its input and offers the new values.
import type { Call } from '@gantry/contract/http/call.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import type { ServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useNavigate } from 'react-router';
import type * as z from 'zod';
import { isConflict, LoadAgain } from './load-again.tsx';

export interface ChangeFacts extends RouteFacts {
  params: z.ZodObject<{ id: z.ZodString }>;
  query: z.ZodObject & z.ZodType<unknown, { generation?: unknown }>;
  body: z.ZodType<unknown, object>;
  answer: { result: z.ZodType<unknown> };
}

/** A form whose rules are those of the body that is made of it. */
export interface FormRules<Values> {
  first: Values;
  /** The rules of the body. */
  rules: z.ZodType;
  bodyOf(values: Values): object;
}

interface SavedEdit<Values extends FieldValues> {
  shown: { id: string; generation: number };
  /** Its values at the beginning. */
  first: Values;
  rules: z.ZodType;
  useForm(options: FormRules<Values>): ServerForm<Values>;
  changeOf(before: Values, after: Values): object;
  change: Call<ChangeFacts>;
  /** Reads that are out of date after it. */
  reads: readonly Pick<Call, 'id'>[];
  /** The page to which saving leads. */
  page: string;
  words: { nothing: string; saved: string };
  onReload(): unknown;
}

/** Properties of its form. */
export function useSavedEdit<Values extends FieldValues>(options: SavedEdit<Values>) {
  const { shown, rules, useForm, changeOf, change, reads, page, words, onReload } = options;
  const toast = useToast();
  const go = useNavigate();
  // Changes are relative to the values at the beginning, whatever the stream brings meanwhile.
  const [{ before, generation }] = useState({ before: options.first, generation: shown.generation });
  const bodyOf = (values: Values) => changeOf(before, values);
  const { form, error, submit } = useForm({ first: before, rules, bodyOf });
  const update = useCommand(change, { isQuiet: true, success: false, invalidates: reads });
  return {
    form,
    error,
    help: isConflict(update.error) && <LoadAgain onLoad={onReload} />,
    isBusy: update.isPending,
    isNew: false,
    onSubmit: submit(async (values) => {
      const body = bodyOf(values);
      if (Object.keys(body).length === 0) toast.info(words.nothing);
      else {
        await update.mutateAsync({ params: { id: shown.id }, query: { generation }, body });
        toast.success(words.saved);
        await go(page);
      }
    }),
  };
}

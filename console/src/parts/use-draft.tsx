// A form that restores earlier input, and says so.
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useLocation } from 'react-router';
import { draftKey, dropDraft, keepDraft, keptDraft } from './draft.ts';
import { usePartsWords } from './use-parts-words.ts';

export interface FormDraft<Values> {
  /** The form's initial values. */
  readonly begun: Values;
  /** Whether they are restored input. */
  readonly isRestored: boolean;
  keep(values: Values): void;
  /**
   * From here on the draft is not kept: a reloaded page would offer something that may be done already. If refused, it is kept
   * again; a missing answer is not a refusal.
   */
  send<Answer>(values: Values, call: () => Promise<Answer>): Promise<Answer>;
  /** Without its input, which is wanted no more. */
  forget(): void;
  /** `reset` receives the initial values without restored input. */
  startOver(reset: (first: Values) => void): void;
}

const isRefused = (thrown: unknown): boolean => thrown instanceof ApiProblem && !thrown.isUncertain;

/** `form` names it; `first` are the values before any input; `keptOf` removes values that must not be kept. */
export function useDraft<Values extends FieldValues>(
  form: string,
  first: Values,
  keptOf = (values: Values): Values => values,
): FormDraft<Values> {
  const { pathname: path, search } = useLocation();
  const [made] = useState(() => {
    const key = draftKey(form);
    const kept = keptDraft(key, search, first);
    return { key, first, begun: kept ?? first, isOther: kept && JSON.stringify(kept) !== JSON.stringify(first) };
  });
  const [isRestored, setRestored] = useState(made.isOther ?? false);
  const isOut = useRef(false);
  const keep = (values: Values) => {
    if (!isOut.current) keepDraft(made.key, { values: keptOf(values), path, search });
  };
  return {
    begun: made.begun,
    isRestored,
    keep,
    async send(values, call) {
      isOut.current = true;
      dropDraft(made.key);
      try {
        return await call();
      } catch (thrown) {
        isOut.current = !isRefused(thrown);
        keep(values);
        throw thrown;
      }
    },
    forget: () => dropDraft(made.key),
    startOver(reset) {
      setRestored(false);
      reset(made.first);
      dropDraft(made.key);
    },
  };
}

/** Keeps the input, and offers to start over if the form began with restored input. `children` say what is missing from it. */
export function DraftNotice<Values extends FieldValues>({
  draft,
  form,
  children,
}: {
  draft: FormDraft<Values>;
  form: UseFormReturn<Values>;
  children?: ReactNode;
}) {
  const t = usePartsWords();
  const { keep } = draft;
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => keep(values) }),
    [form.subscribe, keep],
  );
  if (!draft.isRestored) return null;
  return (
    <Alert
      severity="info"
      action={
        <Button color="inherit" size="small" onClick={() => draft.startOver(form.reset)}>
          {t('draft.startOver')}
        </Button>
      }
    >
      {t('draft.restored')} {children}
    </Alert>
  );
}

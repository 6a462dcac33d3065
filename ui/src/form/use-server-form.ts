// A form that keeps its input whatever happens, and shows the server's sentence at the field it is about.
import { useCallback, useEffect, useState } from 'react';
import {
  type Control,
  type FieldValues,
  get,
  type Path,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { ApiProblem, sentenceOf } from '../client/api-problem.ts';

export interface ServerForm<Values extends FieldValues> {
  readonly form: UseFormReturn<Values>;
  /** The error that concerns no single field. */
  readonly error: string | undefined;
  /** For `<form onSubmit>`: `send` makes the call; its rejection is shown. */
  submit(send: (values: Values) => Promise<unknown>): (event?: React.BaseSyntheticEvent) => Promise<void>;
  /** Shows a failure of another call at its field. */
  show(error: unknown): void;
}

interface ServerFormOptions<Values extends FieldValues> extends UseFormProps<Values> {
  /** The field of an input's member that has another name in the form: `spec.displayName` → `name`. */
  fieldOf?: (field: string) => Path<Values> | undefined;
}

/** The type of an error that no rule of the form has found: the rules would not take it away. */
const SAID = 'server';

export function useServerForm<Values extends FieldValues>({
  fieldOf,
  ...props
}: ServerFormOptions<Values>): ServerForm<Values> {
  const form = useForm<Values>({ mode: 'onTouched', ...props });
  const [error, setError] = useState<string>();
  const { setError: setFieldError, control, handleSubmit, subscribe, getFieldState, clearErrors } = form;

  // A field's error concerns the value that was sent: it goes once the value changes.
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ name }) => {
          if (name !== undefined && getFieldState(name as Path<Values>).error?.type === SAID)
            clearErrors(name as Path<Values>);
        },
      }),
    [subscribe, getFieldState, clearErrors],
  );

  const show = useCallback(
    (thrown: unknown) => {
      const named = thrown instanceof ApiProblem ? thrown.field : undefined;
      const field = named === undefined ? undefined : (fieldOf?.(named) ?? (named as Path<Values>));
      if (field !== undefined && isShown(control, field)) {
        const message = withoutField(sentenceOf(thrown), named ?? '');
        setFieldError(field, { type: SAID, message }, { shouldFocus: true });
      } else {
        setError(sentenceOf(thrown));
      }
    },
    [fieldOf, control, setFieldError],
  );

  return {
    form,
    error,
    show,
    submit: (send) =>
      handleSubmit(
        async (values) => {
          setError(undefined);
          await send(values).catch(show);
        },
        // A rule of a group, such as how many keys there may be, has no field to stand at.
        (errors) => setError(sentencesIn(errors).find(({ path }) => !isShown(control, path))?.sentence),
      ),
  };
}

/** At the field itself its name in the API says nothing: "amount: from 1 to 9". */
const withoutField = (sentence: string, named: string): string =>
  [': ', '：'].reduce(
    (rest, mark) => (rest.startsWith(named + mark) ? rest.slice(named.length + mark.length) : rest),
    sentence,
  );

/** Whether a field of exactly that name is on the page: elsewhere its sentence would be read by nobody. */
function isShown<Values extends FieldValues>({ _fields }: Control<Values>, path: string): boolean {
  const field = get(_fields, path) as { _f?: { mount?: boolean } } | undefined;
  return field?._f?.mount === true;
}

function sentencesIn(errors: object, before: readonly string[] = []): readonly { path: string; sentence: string }[] {
  return Object.entries(errors).flatMap(([name, error]) => {
    if (name === 'ref' || typeof error !== 'object' || error === null) return [];
    const path = [...before, name];
    const { message } = error as { message?: unknown };
    return typeof message === 'string' ? [{ path: path.join('.'), sentence: message }] : sentencesIn(error, path);
  });
}

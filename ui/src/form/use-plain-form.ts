// A form of a few texts, without the library of the other forms: a login should not wait for it. It keeps the input, and shows an
// error at the field concerned.

import { type FormEvent, useRef, useState } from 'react';
import { ApiProblem, sentenceOf } from '../client/api-problem.ts';

export type Texts = Readonly<Record<string, string>>;

export interface PlainFormField {
  readonly name: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly ref: (input: HTMLInputElement | null) => void;
  onChange(value: string): void;
}

export interface PlainForm<Values extends Texts> {
  field(name: keyof Values & string): PlainFormField;
  /** The error that concerns no single field. */
  readonly error: string | undefined;
  readonly isSending: boolean;
  /** For `<form onSubmit>`: what `send` rejects with is shown. */
  submit(send: (values: Values) => Promise<unknown>): (event: FormEvent) => void;
}

/** `missing`: the errors for empty fields. */
export function usePlainForm<Values extends Texts>(empty: Values, missing: Values): PlainForm<Values> {
  const [values, setValues] = useState(empty);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const inputs = useRef(new Map<string, HTMLInputElement>());

  const say = (found: Partial<Record<string, string>>) => {
    setErrors(found);
    inputs.current.get(Object.keys(found)[0] ?? '')?.focus();
  };
  const tell = (thrown: unknown) => {
    const named = thrown instanceof ApiProblem ? thrown.field : undefined;
    if (named !== undefined && Object.hasOwn(values, named)) say({ [named]: sentenceOf(thrown) });
    else setError(sentenceOf(thrown));
  };
  return {
    error,
    isSending,
    field: (name) => ({
      name,
      value: values[name] ?? '',
      error: errors[name],
      ref: (input) => void (input ? inputs.current.set(name, input) : inputs.current.delete(name)),
      onChange(value) {
        setValues((former) => ({ ...former, [name]: value }));
        setErrors(({ [name]: _, ...others }) => others);
      },
    }),
    submit: (send) => async (event) => {
      event.preventDefault();
      if (isSending) return;
      setError(undefined);
      const absent = Object.entries(missing).filter(([name]) => values[name]?.trim() === '');
      if (absent.length > 0) return say(Object.fromEntries(absent));
      setSending(true);
      await send(values).catch(tell);
      setSending(false);
    },
  };
}

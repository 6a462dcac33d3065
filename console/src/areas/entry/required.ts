// The one rule of a form that the server checks: something is there. The first route has no schemas.
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';

/** `sentences`: the errors for empty fields. */
export const required =
  <Values extends FieldValues>(sentences: Partial<Record<keyof Values, string>>): Resolver<Values> =>
  (values) => {
    const errors = Object.fromEntries(
      Object.entries(sentences)
        .filter(([name]) => values[name] === undefined || values[name] === '' || values[name] === false)
        .map(([name, message]) => [name, { type: 'required', message }]),
    ) as FieldErrors<Values>;
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
  };

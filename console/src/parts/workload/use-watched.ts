// Values of a form by their names, as they are typed.
import { type Control, type FieldValues, type Path, useWatch } from 'react-hook-form';

export function useWatched<Values extends FieldValues, Name extends Path<Values> & keyof Values>(
  control: Control<Values>,
  names: readonly Name[],
): Pick<Values, Name> {
  const values: readonly unknown[] = useWatch({ control, name: names });
  return Object.fromEntries(names.map((name, at) => [name, values[at]])) as Pick<Values, Name>;
}

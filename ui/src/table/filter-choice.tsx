// One of a few that a list is narrowed to, or any. The browser's own select: a list of choices costs nothing until it is opened, and
// phones show theirs.
import { useId } from 'react';
import { PlainField } from '../form/plain-field.tsx';

interface FilterChoiceProps {
  label: string;
  /** The label of the choice of all. */
  any: string;
  /** Empty is any. */
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange(value: string): void;
}

export function FilterChoice({ label, any, value, options, onChange }: FilterChoiceProps) {
  const id = useId();
  // An unknown value in the address is shown too, otherwise the list would be filtered invisibly.
  const isKnown = value === '' || options.some(([each]) => each === value);
  const shown = isKnown ? options : [...options, [value, value] as const];
  return (
    <PlainField id={id} label={label}>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{any}</option>
        {shown.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </PlainField>
  );
}

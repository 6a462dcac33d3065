// What MUI's outlined TextField looks like, of plain elements: MUI's draws itself a second time once it knows whether there is
// something in it, before anything is seen.
import type { ReactNode } from 'react';

interface PlainFieldProps {
  /** Of the input or select among the children; what is wrong with it is `${id}-error`. */
  id: string;
  label: string;
  error?: string | undefined;
  /** An input, whose placeholder must not be empty (by it the looks tell an empty one), or a select; and buttons after it. */
  children: ReactNode;
}

export function PlainField({ id, label, error, children }: PlainFieldProps) {
  return (
    <div className="plain-field">
      <label htmlFor={id}>{label}</label>
      <div data-box>
        {children}
        <fieldset aria-hidden>
          <legend>
            <span>{label}</span>
          </legend>
        </fieldset>
      </div>
      {error !== undefined && <p id={`${id}-error`}>{error}</p>}
    </div>
  );
}

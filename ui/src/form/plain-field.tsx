// The looks of MUI's outlined TextField with plain elements: MUI's renders twice before it is visible, once it knows whether it
// has content.
import type { ReactNode } from 'react';

interface PlainFieldProps {
  /** The id of the input or select among the children; its error is `${id}-error`. */
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

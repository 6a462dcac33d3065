// A field of a plain form, which brings PLAIN_INPUT_LOOKS along: what MUI's TextField looks like, of plain elements. MUI's draws
// itself a second time once it knows whether there is something in it, before anything is seen.

import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import VisibilityOff from '@mui/icons-material/VisibilityOffOutlined';
import Visibility from '@mui/icons-material/VisibilityOutlined';
import { useEffect, useId, useRef, useState } from 'react';
import type { PlainField } from './use-plain-form.ts';

interface PlainInputProps {
  field: PlainField;
  label: string;
  autoComplete: string;
  isSecret?: boolean;
  isFocused?: boolean;
}

export function PlainInput({ field, label, autoComplete, isSecret, isFocused }: PlainInputProps) {
  const id = useId();
  const { name, value, error, ref, onChange } = field;
  const [isShown, setShown] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: who is there already is not moved
  useEffect(() => {
    // Not `autoFocus`, for which the browser would lay out the page before the rest of it is there.
    if (isFocused) input.current?.focus();
  }, []);
  return (
    <div className="plain-field">
      <label htmlFor={id}>{label}</label>
      <div data-box>
        <input
          id={id}
          name={name}
          value={value}
          ref={(element) => {
            input.current = element;
            ref(element);
          }}
          type={isSecret && !isShown ? 'password' : 'text'}
          // By it the looks tell an empty field.
          placeholder=" "
          autoComplete={autoComplete}
          onChange={({ target }) => onChange(target.value)}
          aria-invalid={error !== undefined}
          {...(error !== undefined && { 'aria-describedby': `${id}-error` })}
          autoCapitalize="off"
          spellCheck={false}
          maxLength={254}
        />
        {isSecret && <ShowButton label={label} isShown={isShown} onClick={() => setShown(!isShown)} />}
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

function ShowButton({ label, isShown, onClick }: { label: string; isShown: boolean; onClick(): void }) {
  const t = useUiWords();
  return (
    <button
      type="button"
      className="plain-icon-button"
      aria-label={`${isShown ? t('fields.hide') : t('fields.show')}: ${label}`}
      onClick={onClick}
    >
      {isShown ? <VisibilityOff fontSize="small" /> : <Visibility fontSize="small" />}
    </button>
  );
}

// A text of a plain form.

import VisibilityOff from '@mui/icons-material/VisibilityOffOutlined';
import Visibility from '@mui/icons-material/VisibilityOutlined';
import { useEffect, useId, useRef, useState } from 'react';
import { useUiWords } from '../i18n/use-words.tsx';
import { PlainField } from './plain-field.tsx';
import type { PlainFormField } from './use-plain-form.ts';

interface PlainInputProps {
  field: PlainFormField;
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
    <PlainField id={id} label={label} error={error}>
      <input
        id={id}
        name={name}
        value={value}
        ref={(element) => {
          input.current = element;
          ref(element);
        }}
        type={isSecret && !isShown ? 'password' : 'text'}
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
    </PlainField>
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

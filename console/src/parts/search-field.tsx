// A list's search text: reported once typing pauses.
import { PlainField } from '@gantry/ui/form/plain-field.tsx';
import Box from '@mui/material/Box';
import { useEffect, useId, useRef, useState } from 'react';
import { useSettled } from './use-settled.ts';

const TYPED_MS = 300;

interface SearchFieldProps {
  label: string;
  /** A hint about possible input, shown while it has the focus and is empty. */
  hint?: string;
  /** The list's current search text, for example from the address. */
  value: string;
  onSearch: (text: string) => void;
}

export function SearchField({ label, hint = ' ', value, onSearch }: SearchFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const settled = useSettled(typed, TYPED_MS);
  const sent = useRef(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed is told once, not again after it was cleared elsewhere
  useEffect(() => {
    if (settled === value) return;
    sent.current = settled;
    onSearch(settled);
  }, [settled]);
  // The echo of our own report leaves later typing alone; a change from elsewhere is shown.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  return (
    <Box sx={{ width: { xs: '100%', md: '20rem' }, minWidth: 0, maxWidth: '100%' }}>
      <PlainField id={id} label={label}>
        <input
          id={id}
          type="search"
          value={typed}
          placeholder={hint}
          onChange={({ target }) => setTyped(target.value)}
          maxLength={100}
        />
      </PlainField>
    </Box>
  );
}

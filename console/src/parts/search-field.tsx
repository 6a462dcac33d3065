// What a list is searched by: told once nobody types any more.
import TextField from '@mui/material/TextField';
import { useEffect, useRef, useState } from 'react';
import { useSettled } from './use-settled.ts';

const TYPED_MS = 300;

interface SearchFieldProps {
  label: string;
  /** What the list is searched by now, such as the address has it. */
  value: string;
  onSearch: (text: string) => void;
}

export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const settled = useSettled(typed, TYPED_MS);
  const told = useRef(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed is told once, not again after it was cleared elsewhere
  useEffect(() => {
    if (settled === value) return;
    told.current = settled;
    onSearch(settled);
  }, [settled]);
  // What comes back of what was told leaves alone what was typed since; what was changed elsewhere is shown.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  return (
    <TextField
      type="search"
      label={label}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      sx={{ width: { xs: '100%', md: '20rem' } }}
    />
  );
}

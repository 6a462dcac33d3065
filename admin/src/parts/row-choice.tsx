// Chooses a row of a resource by its name; the form keeps its ID. Whoever may not read the resource types the ID.
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { type RaRecord, useGetList, usePermissions } from 'react-admin';
import { resourceOf, tableOf } from '../tables.ts';
import { NamedOption } from './named-option.tsx';

interface RowChoiceProps {
  name: AdminTableName;
  label: string;
  /** The row's ID; empty: none yet. */
  value: string;
  onChange(id: string, name: string): void;
  size?: 'small' | 'medium';
}

const MOST_SHOWN = 25;

export function RowChoice({ name, label, value, onChange, size = 'medium' }: RowChoiceProps) {
  const { permissions } = usePermissions<ReadonlySet<string>>();
  if (!permissions?.has(`manage/${tableOf(name).menu}`))
    return (
      <TextField
        label={`${label} (ID)`}
        value={value}
        size={size}
        onChange={({ target }) => onChange(target.value.trim(), target.value.trim())}
        autoComplete="off"
        required
      />
    );
  return <Choice {...{ name, label, onChange, size }} />;
}

function Choice({ name, label, onChange, size }: Omit<RowChoiceProps, 'value'>) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<RaRecord | null>(null);
  const q = typed.trim();
  const { data = [], isPending } = useGetList(resourceOf(name), {
    pagination: { page: 1, perPage: MOST_SHOWN },
    filter: q === '' || q === nameOf(chosen) ? {} : { q },
  });
  return (
    <Autocomplete<RaRecord>
      options={data}
      value={chosen}
      loading={isPending}
      // The server has searched names and IDs.
      filterOptions={(rows) => rows}
      getOptionLabel={nameOf}
      getOptionKey={({ id }) => `${id}`}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      onChange={(_, row) => {
        setChosen(row);
        onChange(row ? `${row.id}` : '', nameOf(row));
      }}
      onInputChange={(_, text) => setTyped(text)}
      renderOption={({ key, ...props }, row) => (
        <NamedOption key={key} {...props} name={nameOf(row)} id={`${row.id}`} />
      )}
      renderInput={(params) => (
        <TextField {...params} label={label} size={size} required helperText={chosen ? `${chosen.id}` : ' '} />
      )}
    />
  );
}

const nameOf = (row: RaRecord | null): string => `${row?.name || row?.display_name || row?.id || ''}`;

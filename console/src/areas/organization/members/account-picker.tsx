// Picks one member by the beginning of the name or, for owners and admins, of the e-mail address.

import type { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useMe } from '../../../parts/use-me.ts';
import { useSettled } from '../../../parts/use-settled.ts';

type FoundAccount = OutputOf<typeof ORGANIZATION_ROUTES.findAccounts>[number];
export type PickedAccount = Pick<FoundAccount, 'account_id' | 'name' | 'email'>;

interface AccountPickerProps {
  label: string;
  help: string;
  error?: string | undefined;
  value: PickedAccount | null;
  onChange(picked: PickedAccount | null): void;
}

const TYPED_MS = 250;

export function AccountPicker({ label, help, error, value, onChange }: AccountPickerProps) {
  const ui = useUiWords();
  const me = useMe();
  const [typed, setTyped] = useState('');
  const text = useSettled(typed.trim(), TYPED_MS);
  const { data = [], isFetching } = useCall(
    CALLS.findAccounts,
    { query: text === '' || text === value?.name ? {} : { q: text } },
    { keepsPrevious: true },
  );
  const others = data.filter(({ account_id }) => account_id !== me.data?.account_id);
  return (
    <Autocomplete<PickedAccount>
      // The label is above the frame: leave room for it at the top of a dialog.
      sx={{ mt: 1 }}
      options={others}
      value={value}
      loading={isFetching}
      loadingText={ui('states.loading')}
      noOptionsText={ui('states.noMatch')}
      // The server has searched.
      filterOptions={(found) => found}
      getOptionKey={({ account_id }) => account_id}
      getOptionLabel={({ name }) => name}
      isOptionEqualToValue={(one, other) => one.account_id === other.account_id}
      onInputChange={(_, input) => setTyped(input)}
      onChange={(_, picked) => onChange(picked)}
      renderOption={({ key, ...item }, { name, email }) => (
        <Box component="li" key={key} {...item}>
          <Box>
            {name}
            <Typography variant="caption" color="textSecondary" component="p">
              {email}
            </Typography>
          </Box>
        </Box>
      )}
      renderInput={(input) => (
        <TextField {...input} label={label} error={error !== undefined} helperText={error ?? help} />
      )}
    />
  );
}

// The language of mails and texts. The language of the pages is chosen in the header, per machine.
import type { Language } from '@gantry/contract/fields/language.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { LANGUAGE_NAMES } from '@gantry/ui/i18n/language.ts';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useAccountWords } from '../use-account-words.ts';

const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

export function LanguageSelect({ account }: { account: { account_id: string; locale: Language } }) {
  const t = useAccountWords();
  const save = useCommand(CALLS.editAccount, { success: t('modified'), invalidates: [CALLS.getMe] });
  return (
    <TextField
      select
      value={(save.isPending && save.variables.body?.locale) || account.locale}
      disabled={save.isPending}
      helperText={t('profile.languageHelp')}
      slotProps={{ htmlInput: { 'aria-label': t('profile.language') } }}
      onChange={({ target }) =>
        save.mutate({ params: { id: account.account_id }, body: { locale: target.value as Language } })
      }
      sx={{ maxWidth: '22rem' }}
    >
      {LANGUAGES.map((language) => (
        <MenuItem key={language} value={language} lang={language}>
          {LANGUAGE_NAMES[language]}
        </MenuItem>
      ))}
    </TextField>
  );
}

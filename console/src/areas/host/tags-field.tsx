// Words by which people find a host; those that others have are suggested.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useHostWords } from './use-host-words.ts';

const MOST_TAGS = 10;
const LONGEST = 63;

export function TagsField({ tags, onChange }: { tags: readonly string[]; onChange(tags: string[]): void }) {
  const t = useHostWords();
  const { data = [] } = useCall(CALLS.listHostTags, {});
  return (
    <Autocomplete
      multiple
      freeSolo
      autoSelect
      options={[...data]}
      value={[...tags]}
      onChange={(_, wanted) =>
        onChange([...new Set(wanted.map((tag) => tag.trim()))].filter((tag) => tag !== '').slice(0, MOST_TAGS))
      }
      renderInput={({ slotProps, ...params }) => (
        <TextField
          {...params}
          label={t('columns.tags')}
          helperText={t('tagsHelp', { most: MOST_TAGS })}
          slotProps={{ ...slotProps, htmlInput: { ...slotProps.htmlInput, maxLength: LONGEST } }}
        />
      )}
    />
  );
}

// The image: official and own ones to choose from, or any other source.
import { REGISTRY } from '@gantry/contract/names.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { Controller, useFormContext } from 'react-hook-form';
import { FormSection } from './form-section.tsx';
import { useImages } from './use-images.ts';
import { useRegion } from './use-region.ts';
import { useWorkloadWords } from './use-workload-words.ts';
import type { WorkloadValues } from './workload-values.ts';

/** Each data centre has a registry of its own: what was saved or exported in the first is in no other. */
const isSavedHere = ({ official, source }: { official: boolean; source: string }): boolean =>
  !official && source.startsWith(`${REGISTRY}/`);

/** `region` is where it runs; empty is the first. */
export function ImageField({ region = '' }: { region?: string }) {
  const t = useWorkloadWords();
  const { control } = useFormContext<WorkloadValues>();
  const { isElsewhere } = useRegion(region);
  const found = useImages().images;
  const images = isElsewhere ? found.filter((image) => !isSavedHere(image)) : found;
  const bySource = new Map(images.map((image) => [image.source, image]));
  return (
    <FormSection title={t('form.image')}>
      <Controller
        control={control}
        name="image"
        render={({ field: { value, onChange, onBlur, ref }, fieldState: { error } }) => (
          <Autocomplete
            freeSolo
            slotProps={{ paper: { elevation: 8 } }}
            autoHighlight={false}
            options={[...bySource.keys()]}
            groupBy={(source) => t(bySource.get(source)?.official ? 'form.imageOfficial' : 'form.imageOwn')}
            // The choice can be replaced at once: all options are shown until something is typed.
            filterOptions={(sources, { inputValue }) =>
              inputValue === value && bySource.has(value)
                ? sources
                : sources.filter((source) =>
                    `${source} ${bySource.get(source)?.name}`.toLowerCase().includes(inputValue.toLowerCase()),
                  )
            }
            value={value}
            inputValue={value}
            onInputChange={(_, typed) => onChange(typed)}
            onBlur={onBlur}
            renderOption={({ key, ...props }, source) => (
              <Box
                component="li"
                key={key}
                {...props}
                sx={{ flexDirection: 'column', alignItems: 'flex-start !important' }}
              >
                <Typography variant="body2">{bySource.get(source)?.name}</Typography>
                <Typography
                  variant="caption"
                  color="text.secondary"
                  sx={{ fontFamily: MONO, overflowWrap: 'anywhere' }}
                >
                  {source}
                </Typography>
              </Box>
            )}
            renderInput={(params) => (
              <TextField
                {...params}
                inputRef={ref}
                required
                label={t('form.image')}
                error={error !== undefined}
                helperText={
                  error?.message ?? `${t('form.imageHint')}${isElsewhere ? ` ${t('form.imageElsewhere')}` : ''}`
                }
              />
            )}
          />
        )}
      />
    </FormSection>
  );
}

// The image: official and own ones to choose from, or any other source.
import { REGISTRY } from '@gantry/contract/names.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { FormSection } from './form-section.tsx';
import { useImages } from './use-images.ts';
import { useRegion } from './use-region.ts';
import { useWorkloadWords } from './use-workload-words.ts';
import type { WorkloadValues } from './workload-values.ts';

/** Each data centre has a registry of its own: what was saved or exported in the first is in no other. */
const isSavedHere = ({ official, source }: { official: boolean; source: string }): boolean =>
  !official && source.startsWith(`${REGISTRY}/`);

const MOST_TILES = 9;

/** By their names: a press chooses one. Others, and any other source, are found in the field below. */
function Gallery({ images }: { images: readonly { name: string; source: string }[] }) {
  const t = useWorkloadWords();
  const { control, setValue } = useFormContext<WorkloadValues>();
  const chosen = useWatch({ control, name: 'image' });
  if (images.length === 0) return null;
  return (
    <Box
      role="group"
      aria-label={t('form.gallery')}
      sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 11rem), 1fr))' }}
    >
      {images.slice(0, MOST_TILES).map(({ name, source }) => (
        <ButtonBase
          key={source}
          aria-pressed={chosen === source}
          onClick={() => setValue('image', source, { shouldDirty: true, shouldValidate: true })}
          sx={{
            justifyContent: 'flex-start',
            textAlign: 'start',
            px: 1.5,
            py: 1,
            border: 1,
            borderRadius: 1,
            borderColor: chosen === source ? 'primary.main' : 'divider',
            ...(chosen === source && { bgcolor: 'rgba(var(--mui-palette-primary-mainChannel) / 0.08)' }),
            '&:hover': { bgcolor: 'action.hover' },
          }}
        >
          <Box
            sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', fontSize: 14 }}
            title={source}
          >
            {name}
          </Box>
        </ButtonBase>
      ))}
    </Box>
  );
}

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
      <Gallery images={images} />
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

// An app's language, colour scheme, density and accent on this machine.
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useColorScheme } from '@mui/material/styles';
import { useId } from 'react';
import { useUiWords } from '../i18n/use-words.tsx';
import { type Density, ROW_PX, useAppearance } from '../theme/app-theme.tsx';
import { ACCENTS, type Accent } from '../theme/palette.ts';
import { LanguageSelect } from './language-select.tsx';

const SCHEMES = ['light', 'dark', 'system'] as const;
type Scheme = (typeof SCHEMES)[number];
const DENSITIES = Object.keys(ROW_PX) as Density[];

export function Appearance() {
  const t = useUiWords();
  const id = useId();
  const { mode = 'system', setMode } = useColorScheme();
  const { density, choose } = useAppearance();
  return (
    <>
      <Box sx={{ display: 'grid', gap: 0.5, mb: 1.5 }}>
        <FormLabel htmlFor={id} sx={{ fontSize: 13 }}>
          {t('language')}
        </FormLabel>
        <LanguageSelect id={id} />
      </Box>
      <Choice
        label={t('scheme.label')}
        value={mode}
        options={SCHEMES.map((value) => ({ value, name: t(`scheme.${value}`) }))}
        onChange={(value) => setMode(value as Scheme)}
      />
      <Choice
        label={t('scheme.density.label')}
        value={density}
        options={DENSITIES.map((value) => ({ value, name: t(`scheme.density.${value}`) }))}
        onChange={(value) => choose({ density: value as Density })}
      />
      <AccentChoice label={t('scheme.accent')} />
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; name: string }[];
  onChange(value: string): void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <Box sx={{ mb: 1 }}>
      <FormLabel id={id} sx={{ fontSize: 13 }}>
        {label}
      </FormLabel>
      <RadioGroup row aria-labelledby={id} value={value} onChange={(_, next) => onChange(next)}>
        {options.map((option) => (
          <FormControlLabel
            key={option.value}
            value={option.value}
            control={<Radio size="small" sx={{ p: 0.5 }} />}
            label={option.name}
            slotProps={{ typography: { variant: 'body2' } }}
            sx={{ ml: -0.5, mr: 1.5 }}
          />
        ))}
      </RadioGroup>
    </Box>
  );
}

function AccentChoice({ label }: { label: string }) {
  const t = useUiWords();
  const { accent, choose } = useAppearance();
  const id = useId();
  return (
    <Box>
      <FormLabel id={id} sx={{ fontSize: 13 }}>
        {label}
      </FormLabel>
      <RadioGroup row aria-labelledby={id} value={accent} onChange={(_, next) => choose({ accent: next as Accent })}>
        {(Object.keys(ACCENTS) as Accent[]).map((name) => (
          <Radio
            key={name}
            value={name}
            title={t(`scheme.accents.${name}`)}
            slotProps={{ input: { 'aria-label': t(`scheme.accents.${name}`) } }}
            icon={<Swatch name={name} isChosen={false} />}
            checkedIcon={<Swatch name={name} isChosen />}
            sx={{ p: 0.75 }}
          />
        ))}
      </RadioGroup>
    </Box>
  );
}

function Swatch({ name, isChosen }: { name: Accent; isChosen: boolean }) {
  const { light, dark } = ACCENTS[name];
  return (
    <Box
      component="span"
      sx={(theme) => ({
        width: 24,
        height: 24,
        borderRadius: '50%',
        bgcolor: light,
        ...theme.applyStyles('dark', { backgroundColor: dark }),
        outline: isChosen ? '2px solid' : 'none',
        outlineOffset: '2px',
        outlineColor: 'currentcolor',
      })}
    />
  );
}

// The person who is logged in, and the console's appearance and language on this machine.
import { changeLanguage, LANGUAGE_NAMES, LOCALES } from '@gantry/ui/i18n/language.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useAccent } from '@gantry/ui/theme/app-theme.tsx';
import { ACCENTS, type Accent } from '@gantry/ui/theme/theme.ts';
import AccountCircle from '@mui/icons-material/AccountCircleOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useColorScheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import { useMe } from '../parts/use-me.ts';
import { HeaderLinks } from './header-links.tsx';
import { useLogOut } from './use-log-out.ts';
import { useOnceOpen } from './use-once-open.ts';
import { useShellWords } from './use-shell-words.ts';

const SCHEMES = ['light', 'dark', 'system'] as const;
type Scheme = (typeof SCHEMES)[number];

export function UserMenu({ onShortcuts }: { onShortcuts(): void }) {
  const t = useShellWords();
  const { data: me } = useMe();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const hasPopup = useOnceOpen(anchor !== null);
  const close = () => setAnchor(null);
  const label = t('user.label', { name: me?.username ?? '' });
  return (
    <>
      <IconButton
        color="inherit"
        onClick={(event) => setAnchor(event.currentTarget)}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={label}
      >
        <AccountCircle />
      </IconButton>
      {hasPopup && (
        <Popover
          anchorEl={anchor}
          open={anchor !== null}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          transformOrigin={{ vertical: 'top', horizontal: 'right' }}
          slotProps={{
            paper: { role: 'dialog', 'aria-label': label, sx: { width: 328, maxWidth: 'calc(100vw - 32px)', p: 2 } },
          }}
        >
          <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{me?.username}</Typography>
          <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: 'anywhere', mb: 1 }}>
            {me?.email ?? me?.phone_num}
          </Typography>
          <Entry to="/manage/account" onClick={close}>
            {t('user.account')}
          </Entry>
          <Box sx={{ display: { md: 'none' } }}>
            <HeaderLinks onPick={close} />
          </Box>
          <Entry
            onClick={() => {
              close();
              onShortcuts();
            }}
          >
            {t('user.shortcuts')}
          </Entry>
          <Divider sx={{ my: 1 }} />
          <Appearance />
          <Divider sx={{ my: 1 }} />
          <LogOut />
        </Popover>
      )}
    </>
  );
}

function Entry({ to, onClick, children }: { to?: string; onClick(): void; children: ReactNode }) {
  return (
    <Button
      color="inherit"
      fullWidth
      onClick={onClick}
      {...(to !== undefined && { component: Link, to })}
      sx={{ justifyContent: 'flex-start', fontWeight: 400, px: 1 }}
    >
      {children}
    </Button>
  );
}

function LogOut() {
  const t = useShellWords();
  const { logOut, isLeaving } = useLogOut();
  return (
    <Button variant="outlined" color="inherit" fullWidth loading={isLeaving} onClick={logOut}>
      {t('user.logout')}
    </Button>
  );
}

function Appearance() {
  const t = useShellWords();
  const ui = useUiWords();
  const language = useLanguage();
  const { mode = 'system', setMode } = useColorScheme();
  return (
    <>
      <Choice
        label={ui('language')}
        value={language}
        options={Object.entries(LANGUAGE_NAMES).map(([value, name]) => ({ value, name, lang: LOCALES[value as 'en'] }))}
        onChange={(value) => changeLanguage(value as typeof language)}
      />
      <Choice
        label={ui('scheme.label')}
        value={mode}
        options={SCHEMES.map((value) => ({ value, name: ui(`scheme.${value}`) }))}
        onChange={(value) => setMode(value as Scheme)}
      />
      <AccentChoice label={t('user.accent')} />
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; name: string; lang?: string }[];
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
            label={<span lang={option.lang}>{option.name}</span>}
            slotProps={{ typography: { variant: 'body2' } }}
            sx={{ ml: -0.5, mr: 1.5 }}
          />
        ))}
      </RadioGroup>
    </Box>
  );
}

function AccentChoice({ label }: { label: string }) {
  const t = useShellWords();
  const { accent, choose } = useAccent();
  const id = useId();
  return (
    <Box>
      <FormLabel id={id} sx={{ fontSize: 13 }}>
        {label}
      </FormLabel>
      <RadioGroup row aria-labelledby={id} value={accent} onChange={(_, next) => choose(next as Accent)}>
        {(Object.keys(ACCENTS) as Accent[]).map((name) => (
          <Radio
            key={name}
            value={name}
            title={t(`user.accents.${name}`)}
            slotProps={{ input: { 'aria-label': t(`user.accents.${name}`) } }}
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

// The puzzle before a code is sent: the browser works on it for a second, and its solution counts once.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import 'altcha';
import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import { type RefObject, useEffect, useId, useRef } from 'react';

/** The widget's own sentences; English is built in. */
const SENTENCES = { en: undefined, zh: () => import('altcha/i18n/zh-cn'), ja: () => import('altcha/i18n/ja') } as const;
const TAGS = { en: 'en', zh: 'zh-cn', ja: 'ja' } as const;

/** As the theme is, in both schemes. */
const LOOKS = {
  '--altcha-color-base': 'var(--mui-palette-background-paper)',
  '--altcha-color-base-content': 'var(--mui-palette-text-primary)',
  '--altcha-color-neutral': 'var(--mui-palette-divider)',
  '--altcha-color-neutral-content': 'var(--mui-palette-text-primary)',
  '--altcha-color-primary': 'var(--mui-palette-primary-main)',
  '--altcha-color-primary-content': 'var(--mui-palette-primary-contrastText)',
  '--altcha-color-error': 'var(--mui-palette-error-main)',
  '--altcha-color-success': 'var(--mui-palette-success-main)',
  '--altcha-color-success-content': 'var(--mui-palette-background-paper)',
  '--altcha-border-color': 'var(--mui-palette-text-secondary)',
  '--altcha-checkbox-border-color': 'var(--mui-palette-text-secondary)',
  '--altcha-max-width': '100%',
} as const;

interface CaptchaFieldProps {
  /** The solution for the request of a code; undefined while there is none, or no longer. */
  onSolved: (payload: string | undefined) => void;
  error?: string | undefined;
  /** Set to what solves it without a click on its box. */
  solve?: RefObject<(() => Promise<string | undefined>) | undefined>;
}

/** After its solution was sent, render a new one: give it another `key`. */
export function CaptchaField({ onSolved, error, solve }: CaptchaFieldProps) {
  const api = useApi();
  const language = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onSolved);
  latest.current = onSolved;
  const id = useId();

  useEffect(() => {
    const widget = document.createElement('altcha-widget');
    widget.setAttribute('language', TAGS[language]);
    const puzzle = async () => {
      const { challenge } = await api.call(CALLS.captcha, { params: { type: 'challenge' } });
      return Response.json(challenge);
    };
    const configure = () =>
      void widget.configure({
        challenge: 'challenge',
        fetch: puzzle,
        hideFooter: true,
        hideLogo: true,
        humanInteractionSignature: false,
        minDuration: 0,
      });
    const listen = ({ detail }: CustomEvent<{ state: string; payload?: string }>) =>
      latest.current(detail.state === 'verified' ? detail.payload : undefined);
    if (solve) solve.current = async () => (await widget.verify())?.payload;
    widget.addEventListener('load', configure, { once: true });
    widget.addEventListener('statechange', listen as EventListener);
    let isOver = false;
    const ready = SENTENCES[language]?.() ?? Promise.resolve();
    void ready.then(() => !isOver && place.current?.append(widget));
    return () => {
      isOver = true;
      widget.remove();
    };
  }, [api, language, solve]);

  return (
    <Box>
      {/* As tall as the widget will be. */}
      <Box ref={place} aria-describedby={error === undefined ? undefined : id} sx={{ minHeight: 52, ...LOOKS }} />
      {error !== undefined && (
        <FormHelperText id={id} error>
          {error}
        </FormHelperText>
      )}
    </Box>
  );
}

// The card's form, which the provider draws: a number that is typed here never reaches us.
import { LOCALES } from '@gantry/ui/i18n/language.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { useEffect, useRef, useState } from 'react';
import { useBillingWords } from '../use-billing-words.ts';
import { appearanceNow, type CardElements, loadProvider, type Provider } from './stripe-js.ts';

/** The part of an offered channel that is needed. */
export interface CardOffer {
  script_url: string | null;
  publishable_key: string | null;
}

interface ProviderFormProps {
  offer: CardOffer;
  clientSecret: string;
  kind: 'payment' | 'setup';
  submitLabel: string;
  /** The address to which a bank that takes over the whole page sends people back. */
  returnUrl: string;
  /** The provider has taken it, or has refused it for good: the gateway knows how it stands. */
  onAnswered(): void;
}

export function ProviderForm(props: ProviderFormProps) {
  const { offer, clientSecret, kind, submitLabel, returnUrl, onAnswered } = props;
  const t = useBillingWords();
  const { place, provider, elements, state, again } = useCardElement(offer, clientSecret);
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();

  const confirm = async () => {
    if (!provider || !elements) return;
    setBusy(true);
    setWrong(undefined);
    const wish = { elements, confirmParams: { return_url: returnUrl }, redirect: 'if_required' } as const;
    const { error } = await (kind === 'setup' ? provider.confirmSetup(wish) : provider.confirmPayment(wish)).catch(
      () => ({ error: { type: 'api_connection_error' } }),
    );
    setBusy(false);
    // A field's error is shown at the field and can be corrected.
    if (error?.type === 'validation_error') return;
    if (error?.type === 'api_connection_error') setWrong(t('card.notReached'));
    else onAnswered();
  };

  if (state === 'failed') return <NotLoaded onRetry={again} />;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
      sx={{ display: 'grid', gap: 2 }}
    >
      {state === 'loading' && <Skeleton variant="rounded" height={270} />}
      <Box ref={place} sx={{ display: state === 'ready' ? 'block' : 'none' }} />
      {wrong !== undefined && <Alert severity="error">{wrong}</Alert>}
      <Button
        type="submit"
        variant="contained"
        disabled={state !== 'ready'}
        loading={isBusy}
        sx={{ justifySelf: 'start' }}
      >
        {submitLabel}
      </Button>
    </Box>
  );
}

function NotLoaded({ onRetry }: { onRetry(): void }) {
  const t = useBillingWords();
  const ui = useUiWords();
  return (
    <Alert
      severity="error"
      action={
        <Button color="inherit" size="small" onClick={onRetry}>
          {ui('actions.retry')}
        </Button>
      }
    >
      {t('card.notLoaded')}
    </Alert>
  );
}

function useCardElement({ script_url: script, publishable_key: key }: CardOffer, clientSecret: string) {
  const place = useRef<HTMLDivElement>(null);
  const locale = LOCALES[useLanguage()];
  const [tries, setTries] = useState(0);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [made, setMade] = useState<{ provider: Provider; elements: CardElements }>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew
  useEffect(() => {
    let isOver = false;
    let end = () => {};
    setState('loading');
    const open = async () => {
      if (script === null || key === null) throw new Error('no card provider is offered');
      const provider = await loadProvider(script, key, locale);
      if (isOver || !place.current) return;
      const elements = provider.elements({ clientSecret, appearance: appearanceNow() });
      const element = elements.create('payment', { layout: 'tabs' });
      element.on('ready', () => !isOver && setState('ready'));
      element.on('loaderror', () => !isOver && setState('failed'));
      element.mount(place.current);
      end = () => element.destroy();
      setMade({ provider, elements });
    };
    open().catch(() => !isOver && setState('failed'));
    return () => {
      isOver = true;
      end();
    };
  }, [script, key, clientSecret, locale, tries]);

  return { place, state, again: () => setTries(tries + 1), ...made };
}

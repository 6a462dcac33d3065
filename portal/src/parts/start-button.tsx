// Reserves a GPU, and goes on to the console's form with it. Without scripts it is a link there, which reserves nothing.
import type { HoldView } from '@gantry/contract/areas/portal/holds.ts';
import type { Site } from '@gantry/contract/areas/portal/pages.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import Box from '@mui/material/Box';
import { type MouseEvent, useState } from 'react';
import { LinkButton } from './link-button.tsx';
import { usePortalWords } from './use-portal-words.ts';

/** The tab's last one: choosing again gives it up. */
const KEPT = 'gantry_hold';

interface Props {
  site: Site;
  language: Language;
  model: string;
  gpus: number;
  /** Empty: any. */
  region: string;
  isLarge?: boolean;
  /** Leaves the page. */
  go?: (address: string) => void;
}

/** The console's form of a new instance, with GPUs of this model chosen. */
const formPath = (site: Site, { model, gpus }: Pick<Props, 'model' | 'gpus'>): string =>
  `${site.console}/develop/instance/create?${new URLSearchParams({ gpu: model, count: `${gpus}` })}`;

export function StartButton({ site, language, model, gpus, region, isLarge = false, go = leave }: Props) {
  const t = usePortalWords();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const form = formPath(site, { model, gpus });
  const start = async (event: MouseEvent) => {
    // Into another tab: the browser's own way.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setRefusal(undefined);
    const held = await hold({ model, gpus, ...(region !== '' && { region }) }, language);
    setBusy(false);
    if (held === undefined) return go(form);
    if ('message' in held) return setRefusal(held.message);
    sessionStorage.setItem(KEPT, held.id);
    go(site.console + held.path);
  };
  return (
    <Box sx={{ display: 'inline-flex', flexDirection: 'column', alignItems: isLarge ? 'start' : 'end' }}>
      <LinkButton href={form} isMain isLarge={isLarge} onClick={(event) => void start(event)}>
        {isBusy ? t('market.reserving') : t('market.start')}
      </LinkButton>
      <Box
        component="span"
        role="status"
        sx={{ fontSize: 13, maxWidth: '22rem', textAlign: isLarge ? 'start' : 'end' }}
      >
        {refusal !== undefined && (
          <Box component="span" sx={{ display: 'block', mt: 0.5 }}>
            {refusal}{' '}
            <Box component="a" href={form} sx={{ color: 'primary.main' }}>
              {t('market.withoutHold')}
            </Box>
          </Box>
        )}
      </Box>
    </Box>
  );
}

const leave = (address: string): void => location.assign(address);

type Wish = { model: string; gpus: number; region?: string };

/** The sentence where it is refused; undefined where nobody says, and the form goes on without. */
async function hold(wish: Wish, language: Language): Promise<HoldView | { message: string } | undefined> {
  const instead = sessionStorage.getItem(KEPT);
  try {
    const answer = await fetch('/api/portal/v1/market/hold', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify({ ...wish, ...(instead !== null && { instead }) }),
    });
    const said = (await answer.json()) as { result?: HoldView; message?: string };
    if (answer.ok) return said.result;
    return answer.status < 500 && said.message !== undefined ? { message: said.message } : undefined;
  } catch {
    return undefined;
  }
}

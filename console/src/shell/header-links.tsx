// The ways out of the console: how it is used, whom to ask.

import { contactLink } from '@gantry/ui/format/contact-link.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import Button from '@mui/material/Button';

export function HeaderLinks({ onPick }: { onPick?: () => void }) {
  const t = useUiWords();
  const { data: settings } = useSettings();
  const hasContact = [settings?.contact, settings?.support, settings?.community].some((way) => way?.trim());
  const links = [
    { name: t('links.docs'), ...contactLink(settings?.docs ?? '', '/docs') },
    // An empty page of contacts helps nobody.
    ...(hasContact ? [{ name: t('links.contact'), ...contactLink(settings?.contact ?? '', '/contact') }] : []),
  ];
  return links.map(({ name, ...link }) => (
    <Button
      key={name}
      color="inherit"
      {...link}
      {...(onPick && { onClick: onPick })}
      sx={{ fontWeight: 400, px: 1, minWidth: 0, justifyContent: 'flex-start', width: { xs: '100%', md: 'auto' } }}
    >
      {name}
    </Button>
  ));
}

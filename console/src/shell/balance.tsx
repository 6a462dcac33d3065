// The organisation's balance, where the market shows it.

import { moneyText } from '@gantry/ui/format/money.ts';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { useOrganization } from '../parts/use-me.ts';
import { pathOf } from './menu.ts';
import { useMenu } from './use-menu.ts';
import { useShellWords } from './use-shell-words.ts';

export function Balance() {
  const t = useShellWords();
  const { data: settings } = useSettings();
  const { data: mine } = useOrganization();
  const maySee = useMenu().some(({ menus }) => menus.includes('manage/billing'));
  if (settings?.market !== 'overseas' || mine?.balance === undefined || mine.balance === null) return null;
  const amount = moneyText(mine.balance, mine.currency);
  const sx = { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap', px: 1, minWidth: 0 };
  return maySee ? (
    <Button
      color="inherit"
      component={Link}
      to={pathOf('manage/billing')}
      sx={sx}
      aria-label={t('header.balance', { amount })}
    >
      {amount}
    </Button>
  ) : (
    <Typography variant="body2" sx={sx} title={t('header.balance', { amount })}>
      {amount}
    </Typography>
  );
}

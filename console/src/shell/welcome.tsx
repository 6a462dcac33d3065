// Greets a person in a new organisation, once, where the market gives free credits that they have not had: the amount, and how to
// get them.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { roundText } from '@gantry/ui/format/money.ts';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import Redeem from '@mui/icons-material/RedeemOutlined';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { useOrganization } from '../parts/use-me.ts';
import { awaitsWelcomeCredit } from '../parts/welcome-credit.ts';
import { useShellWords } from './use-shell-words.ts';

const VERIFY = '/manage/account/real-name';

export function Welcome() {
  const t = useShellWords();
  const client = useQueryClient();
  const { data: settings } = useSettings();
  const { data: mine } = useOrganization();
  const [isSeen, setSeen] = useState(false);
  const { mutate } = useCommand(CALLS.seeOrganization, { success: false, isQuiet: true });
  const id = useId();
  const isGiven = settings?.market === 'overseas' && Number(settings.welcome_credits) > 0;
  const isAsked = isGiven && !isSeen && mine?.phase === 'ready' && mine.is_new;
  const { data: own } = useCall(CALLS.getOwnRealAuth, {}, { enabled: isAsked });
  if (!isAsked || !own || !awaitsWelcomeCredit(own)) return null;

  const close = () => {
    setSeen(true);
    client.setQueryData(keyOf(CALLS.getMyOrganization, {}), { ...mine, is_new: false });
    mutate({ params: { org_id: mine.org_id }, body: { is_new: false } });
  };
  return (
    <Dialog open onClose={close} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} sx={{ textAlign: 'center', pt: 3 }}>
        <Redeem color="primary" sx={{ display: 'block', mx: 'auto', mb: 1, fontSize: 40 }} />
        {t('welcome.title')}
      </DialogTitle>
      <DialogContent sx={{ textAlign: 'center' }}>
        <Typography sx={{ fontWeight: 600, mb: 1 }}>
          {t('welcome.credits', { amount: roundText(settings.welcome_credits, mine.currency) })}
        </Typography>
        <Typography color="text.secondary">{t('welcome.how')}</Typography>
      </DialogContent>
      <DialogActions sx={{ justifyContent: 'center', pb: 3 }}>
        <Button onClick={close}>{t('welcome.later')}</Button>
        <Button variant="contained" component={Link} to={VERIFY} onClick={close}>
          {t('welcome.verify')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

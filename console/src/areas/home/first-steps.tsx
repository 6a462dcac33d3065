// For an organisation that has nothing yet: three steps to a shell. What is done is ticked; none has to wait for another.

import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { moneyText, roundText } from '@gantry/ui/format/money.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import CheckCircle from '@mui/icons-material/CheckCircle';
import Unchecked from '@mui/icons-material/RadioButtonUncheckedOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { awaitsWelcomeCredit } from '../../parts/welcome-credit.ts';
import { HomeCard } from './home-card.tsx';
import { useHomeWords } from './use-home-words.ts';

const CERTIFIED = 1;
const WAITS_FOR_REVIEW = 3;

export function FirstSteps() {
  const t = useHomeWords();
  const proof = useCall(CALLS.getOwnRealAuth, {});
  const keys = useCall(CALLS.listPubKeys, {});
  const wallet = useCall(CALLS.getWalletBalances, {});
  const specs = useCall(CALLS.listGpuSpecs, {});
  const settings = useSettings();
  const hasCredit = Number(wallet.data?.balance ?? 0) > 0;
  const currency = wallet.data?.currency ?? 'USD';
  const isCertified = proof.data?.status === CERTIFIED;
  /** Undefined until everything is known that decides it. */
  const creditText = (): string | undefined => {
    if (settings.isPending || proof.isPending || wallet.isPending) return undefined;
    if (hasCredit)
      return settings.data?.market === 'overseas'
        ? t('steps.verify.hasBalance', { balance: moneyText(wallet.data?.balance, currency) })
        : t('steps.verify.hasCredit');
    if (proof.data?.status === WAITS_FOR_REVIEW) return t('steps.verify.waits');
    if (proof.data?.welcome_credit === 'usedElsewhere') return t('steps.verify.usedElsewhere');
    if (proof.data && !awaitsWelcomeCredit(proof.data)) return t('steps.verify.certified');
    const credits = settings.data?.welcome_credits ?? '0';
    return Number(credits) > 0
      ? t('steps.verify.text', { amount: roundText(credits, currency) })
      : t('steps.verify.noCredits');
  };
  const gpu = firstFree(specs.data ?? []);
  const hasNoGpu = specs.data !== undefined && !gpu;
  const startText = (): string | undefined => {
    if (specs.isPending) return undefined;
    return hasNoGpu ? t('steps.start.withoutGpu') : t('steps.start.withGpu', { model: gpu?.name ?? 'GPU' });
  };
  const steps = [
    {
      id: 'verify',
      isDone: isCertified || hasCredit,
      to: '/manage/account/real-name',
      text: creditText(),
    },
    { id: 'key', isDone: (keys.data?.total ?? 0) > 0, to: '/manage/account/keys', text: t('steps.key.text') },
    {
      id: 'start',
      isDone: false,
      to: `/develop/instance/create?preset=${hasNoGpu ? 'tryIt' : 'oneGpu'}`,
      text: startText(),
    },
  ] as const;
  const next = steps.find(({ isDone }) => !isDone)?.id;
  return (
    <HomeCard title={t(hasNoGpu ? 'steps.titleWithoutGpu' : 'steps.title')}>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {steps.map(({ id, isDone, to, text }) => (
          <Box
            component="li"
            key={id}
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              gap: 1.5,
              alignItems: 'center',
              py: 1.5,
              borderTop: '1px solid',
              borderColor: 'divider',
            }}
          >
            {isDone ? (
              <CheckCircle color="success" titleAccess={t('steps.done')} />
            ) : (
              <Unchecked color="disabled" titleAccess={t('steps.open')} />
            )}
            <Box sx={{ flex: '1 1 12rem', minWidth: 0 }}>
              <Typography sx={{ fontWeight: 600 }}>{t(`steps.${id}.title`)}</Typography>
              <Typography variant="body2" color="text.secondary">
                {text ?? <Skeleton width="16rem" sx={{ maxWidth: '100%' }} />}
              </Typography>
            </Box>
            {id === 'verify' && !hasCredit && (
              <Guarded node="recharge" isHidden>
                <Button component={Link} to="/manage/billing/recharge" size="small">
                  {t('steps.verify.pay')}
                </Button>
              </Guarded>
            )}
            <Button component={Link} to={to} variant={id === next ? 'contained' : 'outlined'} size="small">
              {t(`steps.${id}.go`)}
            </Button>
          </Box>
        ))}
      </Box>
    </HomeCard>
  );
}

/** The cheapest model that can start now; the form's preset takes the same. */
const firstFree = (specs: readonly GpuSpecView[]): GpuSpecView | undefined =>
  specs
    .filter(({ price, starts }) => price && starts.some(({ free }) => free > 0))
    .toSorted((a, b) => Number(a.price?.amount) - Number(b.price?.amount))[0];

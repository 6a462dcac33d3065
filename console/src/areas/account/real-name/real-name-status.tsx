// The account's status, its meaning, why the last submission was rejected, and what became of the welcome credit.

import {
  REAL_AUTH_STATUS_OF,
  type RealAuthStatus,
  type WelcomeCreditState,
} from '@gantry/contract/areas/identity/real-auth.ts';
import type { Tone } from '@gantry/contract/define-kind.ts';
import { roundText } from '@gantry/ui/format/money.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { Section } from '../../../parts/section.tsx';
import { useOrganization } from '../../../parts/use-me.ts';
import { useAccountWords } from '../use-account-words.ts';
import type { OwnRealAuth, Settings, Submission } from './real-name-tab.tsx';

const NAMES = { 0: 'none', 1: 'certified', 2: 'failed', 3: 'pending' } as const satisfies Record<
  RealAuthStatus,
  string
>;
const TONES: Readonly<Record<RealAuthStatus, Tone>> = { 0: 'neutral', 1: 'good', 2: 'bad', 3: 'progress' };

interface RealNameStatusProps {
  own: OwnRealAuth;
  settings: Pick<Settings, 'welcome_credits' | 'real_name_review_hours'>;
}

export function RealNameStatus({ own, settings }: RealNameStatusProps) {
  const t = useAccountWords();
  const { status, reason, type, personal, enterprise, welcome_credit: credit } = own;
  const hasMore = reason !== null || credit !== 'none';
  const isManual = (enterprise ?? personal)?.state === 'manualReview';
  const means =
    status === 3 && isManual
      ? t('realName.means.manual')
      : status === 1 && type === 2
        ? t('realName.means.enterprise')
        : t(`realName.means.${NAMES[status]}`);
  return (
    <Section
      title={t('realName.title')}
      lead={
        <>
          {means} {status !== 1 && t('realName.review', { smart_count: settings.real_name_review_hours })}
        </>
      }
      beside={<StatusChip status={status} isManual={isManual} />}
    >
      {hasMore && (
        <Box sx={{ display: 'grid', gap: 2 }}>
          {reason !== null && (
            <Alert severity="error">
              {t(enterprise ? 'realName.rejectedEnterprise' : 'realName.rejected', { reason })}
            </Alert>
          )}
          <WelcomeCredit state={credit} amount={settings.welcome_credits} />
        </Box>
      )}
    </Section>
  );
}

/** Somebody who expected credit is told that there is none, and why. */
function WelcomeCredit({ state, amount }: { state: WelcomeCreditState; amount: string }) {
  const t = useAccountWords();
  const { data: organization } = useOrganization();
  if (state === 'none' || !organization) return null;
  if (state === 'granted')
    return (
      <Alert
        severity="success"
        action={
          <Guarded node="createInstance" isHidden>
            <Button component={Link} to="/develop/instance/create?preset=oneGpu" color="inherit" size="small">
              {t('realName.credit.start')}
            </Button>
          </Guarded>
        }
      >
        {t('realName.credit.granted')}
      </Alert>
    );
  return (
    <Alert
      severity="warning"
      action={
        <Guarded node="recharge" isHidden>
          <Button component={Link} to="/manage/billing/recharge" color="inherit" size="small">
            {t('realName.credit.recharge')}
          </Button>
        </Guarded>
      }
    >
      {t('realName.credit.usedElsewhere', { amount: roundText(amount, organization.currency) })}
    </Alert>
  );
}

/** The state of one submission. */
export function SubmissionChip({ submission }: { submission: Submission }) {
  const isManual = submission.state === 'manualReview';
  return <StatusChip status={REAL_AUTH_STATUS_OF[submission.state]} isManual={isManual} />;
}

function StatusChip({ status, isManual }: { status: RealAuthStatus; isManual: boolean }) {
  const t = useAccountWords();
  const label = isManual && status === 3 ? t('realName.states.manual') : t(`realName.states.${NAMES[status]}`);
  return <PhaseChip label={label} tone={TONES[status]} />;
}

// The account's standing, its meaning, and why the last submission was rejected.
import type { Tone } from '@gantry/contract/define-kind.ts';
import { REAL_AUTH_STATUS_OF, type RealAuthStatus } from '@gantry/contract/http/real-auth.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Alert from '@mui/material/Alert';
import { Section } from '../../../parts/section.tsx';
import { useAccountWords } from '../use-account-words.ts';
import type { OwnRealAuth, Submission } from './real-name-tab.tsx';

const NAMES = { 0: 'none', 1: 'certified', 2: 'failed', 3: 'pending' } as const satisfies Record<
  RealAuthStatus,
  string
>;
const TONES: Readonly<Record<RealAuthStatus, Tone>> = { 0: 'neutral', 1: 'good', 2: 'bad', 3: 'progress' };

export function RealNameStatus({ own }: { own: OwnRealAuth }) {
  const t = useAccountWords();
  const { status, reason, type, personal, enterprise } = own;
  const isManual = (enterprise ?? personal)?.state === 'manualReview';
  const means =
    status === 3 && isManual
      ? t('realName.means.manual')
      : status === 1 && type === 2
        ? t('realName.means.enterprise')
        : t(`realName.means.${NAMES[status]}`);
  return (
    <Section title={t('realName.title')} lead={means} beside={<StatusChip status={status} isManual={isManual} />}>
      {reason !== null && (
        <Alert severity="error">
          {t(enterprise ? 'realName.rejectedEnterprise' : 'realName.rejected', { reason })}
        </Alert>
      )}
    </Section>
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

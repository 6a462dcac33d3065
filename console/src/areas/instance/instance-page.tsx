// One instance: how it is and why, how one gets in, what it has and costs, what is kept of it, and what was.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link, useNavigate, useParams } from 'react-router';
import { ConditionList } from '../../parts/condition-list.tsx';
import { Section } from '../../parts/section.tsx';
import { InstanceAccess } from './instance-access.tsx';
import { InstanceActions } from './instance-actions.tsx';
import { InstanceHistory } from './instance-history.tsx';
import { InstanceKept } from './instance-kept.tsx';
import { InstanceOverview } from './instance-overview.tsx';
import { InstanceParts } from './instance-parts.tsx';
import { useInstanceWords } from './use-instance-words.ts';

const NOT_FOUND = 404;

export function InstancePage() {
  const t = useInstanceWords();
  const { id = '' } = useParams();
  const { data: instance, error, refetch } = useCall(CALLS.getInstance, { params: { id }, query: {} });
  // One that was there keeps being shown until its release is through.
  if (error?.status === NOT_FOUND) {
    return (
      <>
        <PageHeader title={id} />
        <EmptyState title={t('detail.notFound')}>
          <Button component={Link} to="/develop/instance" variant="contained">
            {t('detail.toList')}
          </Button>
        </EmptyState>
      </>
    );
  }
  if (!instance) {
    return (
      <>
        <PageHeader title={id} />
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={4} height={160} />}
      </>
    );
  }
  return <Instance instance={instance} />;
}

function Instance({ instance }: { instance: InstanceView }) {
  const t = useInstanceWords();
  const go = useNavigate();
  // Of what is released there is soon no page any more.
  const leave = (action: string) => {
    if (action === 'release') void go('/develop/instance');
  };
  const { id, name, phase_label: label, tone, message } = instance;
  return (
    <>
      <PageHeader
        title={name}
        beside={
          <span aria-live="polite">
            <PhaseChip label={label} tone={tone} message={message} />
          </span>
        }
        lead={
          <>
            {name !== id && <div>{id}</div>}
            {tone === 'neutral' && message}
          </>
        }
      >
        <InstanceActions instance={instance} shown={2} size="medium" without={IN_PAGE} onDone={leave} />
      </PageHeader>
      <Why instance={instance} />
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' },
          columnGap: 3,
          alignItems: 'start',
        }}
      >
        <Box>
          <InstanceAccess instance={instance} />
          <InstanceOverview instance={instance} />
          <InstanceParts instance={instance} />
        </Box>
        <Box>
          <InstanceKept instance={instance} />
          <InstanceHistory instance={instance} />
          {instance.conditions.length > 0 && (
            <Section title={t('detail.conditions')}>
              <ConditionList conditions={instance.conditions} />
            </Section>
          )}
        </Box>
      </Box>
    </>
  );
}

/** The way in has a part of its own. */
const IN_PAGE = ['login'];

const SEVERITIES = { bad: 'error', warning: 'warning', progress: 'info' } as const;

/** Why it waits or fails, with the numbers that the message has. What is as it should be needs no explanation. */
function Why({ instance }: { instance: InstanceView }) {
  const t = useInstanceWords();
  const { id, tone, message, reason, phase_label: label, actions } = instance;
  const isImage = reason === 'ImageNotFound';
  const edit = tone === 'bad' && actions.find(({ action }) => action === 'edit');
  if (message === null || tone === 'good' || tone === 'neutral') return null;
  return (
    <Alert severity={SEVERITIES[tone]} sx={{ mb: 3 }} aria-live="polite">
      <AlertTitle>{label}</AlertTitle>
      {message}
      {isImage && <p>{t('detail.triesAgain')}</p>}
      {edit && (
        <Box sx={{ mt: 1 }}>
          <Guarded node="gpuInstance.edit" isHidden>
            <Button
              component={Link}
              to={`/develop/instance/${id}/edit`}
              color="inherit"
              variant="outlined"
              size="small"
            >
              {isImage ? t('detail.editImage') : edit.label}
            </Button>
          </Guarded>
        </Box>
      )}
    </Alert>
  );
}

// Real-name verification: first the person, then optionally their enterprise, which cannot be undone.

import type { REAL_AUTH_ROUTES } from '@gantry/contract/areas/identity/real-auth.ts';
import type { PLATFORM_ROUTES } from '@gantry/contract/areas/settings/platform.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Section } from '../../../parts/section.tsx';
import { useAccountWords } from '../use-account-words.ts';
import { EnterpriseForm } from './enterprise-form.tsx';
import { PersonForm } from './person-form.tsx';
import { RealNameStatus, SubmissionChip } from './real-name-status.tsx';
import { SubmissionFacts } from './submission-facts.tsx';

export type OwnRealAuth = OutputOf<typeof REAL_AUTH_ROUTES.getOwnRealAuth>;
export type Settings = OutputOf<typeof PLATFORM_ROUTES.getSettings>;
export type Submission = NonNullable<OwnRealAuth['personal']>;

/** Nothing was submitted yet, or it was rejected. */
const mayWrite = (submission: Submission | null): boolean => submission === null || submission.state === 'rejected';

export function RealNameTab() {
  const t = useAccountWords();
  const own = useCall(CALLS.getOwnRealAuth, {}, { everyMs: 30_000 });
  const settings = useSettings();
  const [wantsEnterprise, setWantsEnterprise] = useState(false);
  if (own.error && !own.data) return <ErrorState error={own.error} onRetry={() => void own.refetch()} />;
  if (settings.error && !settings.data)
    return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />;
  if (!own.data || !settings.data) return <LoadingRows rows={6} height={64} />;
  const { personal, enterprise } = own.data;
  const { real_name_documents: accepted } = settings.data;
  const isCertified = personal?.state === 'approved';
  return (
    <>
      <RealNameStatus own={own.data} settings={settings.data} />
      <Section
        title={t('realName.person.title')}
        lead={mayWrite(personal) ? t('realName.person.lead') : undefined}
        beside={personal && <SubmissionChip submission={personal} />}
      >
        {mayWrite(personal) && enterprise === null ? (
          <PersonForm former={personal} accepted={accepted} />
        ) : (
          personal && <SubmissionFacts submission={personal} />
        )}
      </Section>
      <Section
        title={t('realName.enterprise.title')}
        lead={mayWrite(enterprise) ? t('realName.enterprise.lead') : undefined}
        beside={enterprise && <SubmissionChip submission={enterprise} />}
      >
        {!isCertified && (
          <Typography variant="body2" color="text.secondary">
            {t('realName.enterprise.personFirst')}
          </Typography>
        )}
        {isCertified && enterprise && !mayWrite(enterprise) && <SubmissionFacts submission={enterprise} />}
        {isCertified &&
          mayWrite(enterprise) &&
          (wantsEnterprise || enterprise ? (
            <EnterpriseForm former={enterprise} accepted={accepted} />
          ) : (
            <EnterpriseOffer onWanted={() => setWantsEnterprise(true)} />
          ))}
      </Section>
    </>
  );
}

/** The consequences of becoming an enterprise, before starting. */
function EnterpriseOffer({ onWanted }: { onWanted: () => void }) {
  const t = useAccountWords();
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      <Alert severity="warning">{t('realName.enterprise.forEver')}</Alert>
      <Button variant="outlined" onClick={onWanted}>
        {t('realName.enterprise.begin')}
      </Button>
    </Box>
  );
}

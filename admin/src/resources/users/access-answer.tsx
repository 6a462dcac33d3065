// Why somebody cannot sign in, as the gateway finds it, with what helps; and by what the account comes in.
import type { AccessView } from '@gantry/contract/areas/identity/admin-people.ts';
import { useAreaWords, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useState } from 'react';
import { useDataProvider, usePermissions } from 'react-admin';
import { Facts } from '../../parts/facts.tsx';
import { TimeText } from '../../parts/field-value.tsx';
import { PageLoading } from '../../parts/page-loading.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { TimedPhrase } from '../../parts/timed-phrase.tsx';
import { useAsk } from '../../parts/use-ask.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import type { words as english } from '../../words/en/people.ts';

/** Findings that let nobody in; the others are hints. */
const BARS = new Set(['disabled', 'noOrganization', 'lockedEverywhere', 'lockedHere', 'noPassword']);
const LOCKED = new Set(['lockedEverywhere', 'lockedHere']);

export function AccessAnswer({ id, name }: { id: string; name: string }) {
  const t = useAreaWords<typeof english>('people');
  const ui = useUiWords();
  const data = useDataProvider<AdminData>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isLifting, setLifting] = useState(false);
  const path = `users/${encodeURIComponent(id)}`;
  const { data: answer, error, refetch } = useAsk<AccessView>(`${path}/access`);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!answer) return <PageLoading />;
  const isLocked = answer.findings.some(({ finding }) => LOCKED.has(finding));
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
        {answer.findings.map(({ finding, until, since, address, times }) => (
          <Alert
            key={`${finding} ${address}`}
            component="li"
            severity={finding === 'nothing' ? 'success' : BARS.has(finding) ? 'error' : 'warning'}
          >
            <TimedPhrase
              times={{ until, since }}
              say={(moments) =>
                t(`access.finding.${finding}`, { ...moments, address: address ?? '', times: times ?? 0 })
              }
            />
          </Alert>
        ))}
      </Box>
      {isLocked && permissions?.has('adminLiftLockout') && (
        <Box>
          <Button variant="outlined" onClick={() => setLifting(true)}>
            {t('user.liftLockout')}
          </Button>
        </Box>
      )}
      <Card sx={{ p: 2 }}>
        <Facts
          rows={[
            [t('access.password'), ui(answer.has_password ? 'states.yes' : 'states.no')],
            [t('access.factor'), ui(answer.second_factor ? 'states.yes' : 'states.no')],
            ...(answer.second_factor ? [[t('access.codes'), answer.codes_left] as const] : []),
            [t('access.providers'), answer.providers.join(', ') || '–'],
            [t('access.sessions'), answer.sessions],
            [t('access.last'), <TimeText key="last" time={answer.last_signed_in} />],
          ]}
        />
      </Card>
      {isLifting && (
        <ReasonDialog
          title={t('user.liftLockoutTitle', { name })}
          confirmLabel={t('user.liftLockout')}
          onConfirm={async (reason) => {
            await data.ask(`${path}/lift-lockout`, { method: 'POST', body: { reason } });
            await refetch();
          }}
          onClose={() => setLifting(false)}
        >
          {t('user.liftLockoutText')}
        </ReasonDialog>
      )}
    </Box>
  );
}

// The savings of this month from stopping idle things, and each of them.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { moneyText } from '@gantry/ui/format/money.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { objectPath } from '../../../parts/object-path.ts';
import { PlainTable } from '../../../parts/plain-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { useOrganizationWords } from '../use-organization-words.ts';

export function IdleSavings({ organizationId: org_id }: { organizationId: string }) {
  const t = useOrganizationWords();
  const { data, error, refetch } = useCall(CALLS.getIdleSavings, { params: { org_id } });
  const amounts = data?.saved.map(({ amount, currency }) => moneyText(amount, currency)).join(' + ');
  return (
    <Section title={t('idle.savings')} lead={t('idle.savingsLead')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <LoadingRows />}
      {data && (
        <>
          <Typography sx={{ fontSize: '1.5rem', fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
            {amounts || t('idle.nothingSaved')}
          </Typography>
          {data.objects.length > 0 && (
            <PlainTable
              label={t('idle.objects')}
              rows={data.objects}
              keyOf={({ uid, idle_since }) => `${uid} ${idle_since}`}
              columns={[
                { label: t('idle.object'), cell: ({ kind, name }) => <Name kind={kind} name={name} /> },
                { label: t('idle.since'), cell: ({ idle_since }) => timeText(idle_since) },
                {
                  label: t('idle.stopped'),
                  cell: ({ stop_time }) => (stop_time === null ? t('idle.onlyWarned') : timeText(stop_time)),
                },
                { label: t('idle.used'), cell: ({ end_time }) => timeText(end_time) },
                {
                  label: t('idle.amount'),
                  cell: ({ saved, currency }) => moneyText(saved, currency),
                  isEnd: true,
                },
              ]}
            />
          )}
        </>
      )}
    </Section>
  );
}

function Name({ kind, name }: { kind: string; name: string }) {
  const path = objectPath(`${kind}/${name}`);
  if (path === undefined) return name;
  return (
    <Link component={RouterLink} to={path}>
      {name}
    </Link>
  );
}

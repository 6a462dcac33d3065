// Money, plan, quota and objects of an organisation.

import type { OrganizationSummaryView } from '@gantry/contract/areas/identity/admin-people.ts';
import { ADMIN_TABLES } from '@gantry/contract/http/admin-tables.ts';
import { useAllWords, useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { usePermissions } from 'react-admin';
import { Link } from 'react-router';
import { Facts } from '../../parts/facts.tsx';
import { MoneyText } from '../../parts/field-value.tsx';
import { PageLoading } from '../../parts/page-loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TimedPhrase } from '../../parts/timed-phrase.tsx';
import { useAsk } from '../../parts/use-ask.ts';
import { choiceLabel, resourceWords } from '../../table-words.ts';
import { resourceOf, TABLE_NAMES, tableOf } from '../../tables.ts';
import type { words as english } from '../../words/en/people.ts';

export function OrganizationSummary({ id }: { id: string }) {
  const { data, error, refetch } = useAsk<OrganizationSummaryView>(`organizations/${encodeURIComponent(id)}/standing`);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageLoading />;
  return (
    <Box
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
    >
      <Money summary={data} />
      <Quota summary={data} />
      <Objects summary={data} />
    </Box>
  );
}

function Money({ summary }: { summary: OrganizationSummaryView }) {
  const t = useAreaWords<typeof english>('people');
  const words = useAllWords();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const { currency, in_credit, out_of_credit_since: since } = summary;
  const money = (amount: string) => <MoneyText amount={amount} currency={currency} />;
  const label = in_credit ? (
    t('organization.inCredit')
  ) : since === null ? (
    t('organization.outOfCreditNow')
  ) : (
    <TimedPhrase times={{ since }} say={(times) => t('organization.outOfCredit', times)} />
  );
  return (
    <Panel title={t('organization.money')}>
      <Box sx={{ mb: 1.5 }}>
        <PhaseChip label={label} tone={in_credit ? 'good' : 'bad'} />
      </Box>
      <Facts
        rows={[
          [t('organization.plan'), choiceLabel(words, 'plans', 'plan', summary.plan)],
          [t('organization.balance'), money(summary.balance)],
          [t('organization.owed'), money(summary.debt)],
          [t('organization.held'), money(summary.held)],
          [t('organization.available'), money(summary.available)],
          [t('organization.accrued'), money(summary.accrued)],
          [t('organization.perHour'), money(summary.per_hour)],
          [
            t('organization.hoursLeft'),
            summary.hours_left === null ? '–' : t('organization.hours', { hours: summary.hours_left }),
          ],
        ]}
      />
      {permissions?.has('manage/billing') && (
        <Button
          component={Link}
          to={`/${resourceOf('wallets')}/${encodeURIComponent(summary.id)}/show`}
          sx={{ mt: 1 }}
          size="small"
        >
          {t('organization.wallet')}
        </Button>
      )}
    </Panel>
  );
}

function Quota({ summary }: { summary: OrganizationSummaryView }) {
  const t = useAreaWords<typeof english>('people');
  return (
    <Panel title={t('organization.quotaTitle', { name: summary.id })}>
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell component="td" />
            <TableCell align="right">{t('organization.used')}</TableCell>
            <TableCell align="right">{t('organization.allowed')}</TableCell>
            <TableCell component="td" sx={{ width: '35%' }} />
          </TableRow>
        </TableHead>
        <TableBody>
          {summary.quota.map(({ name, used, allowed }) => {
            const share = allowed ? Math.min(100, (used / allowed) * 100) : 0;
            return (
              <TableRow key={name}>
                <TableCell component="th" scope="row">
                  {t(`organization.name.${name}`)}
                </TableCell>
                <TableCell align="right">{used}</TableCell>
                <TableCell align="right">{allowed ?? '–'}</TableCell>
                <TableCell>
                  <LinearProgress
                    variant="determinate"
                    value={share}
                    color={share >= 90 ? 'error' : 'primary'}
                    aria-label={t(`organization.name.${name}`)}
                  />
                </TableCell>
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </Panel>
  );
}

function Objects({ summary }: { summary: OrganizationSummaryView }) {
  const t = useAreaWords<typeof english>('people');
  const words = useAllWords();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const tableNamed = (resource: string) => TABLE_NAMES.find((name) => name === resource);
  return (
    <Panel title={t('organization.objects')}>
      <Facts
        rows={summary.objects.map(({ resource, kind, total, phases }) => {
          const name = tableNamed(resource);
          const text = [`${total}`, ...Object.entries(phases).map(([phase, many]) => `${phase}: ${many}`)].join(' · ');
          const isOpen = name && permissions?.has(`manage/${tableOf(name).menu}`);
          const filter = encodeURIComponent(JSON.stringify({ organization_id: summary.id }));
          return [
            name && name in ADMIN_TABLES ? resourceWords(words, name).many : kind,
            total === 0 ? (
              t('organization.none')
            ) : isOpen ? (
              <Link key={resource} to={`/${resourceOf(name)}?filter=${filter}`}>
                {text}
              </Link>
            ) : (
              text
            ),
          ] as const;
        })}
      />
    </Panel>
  );
}

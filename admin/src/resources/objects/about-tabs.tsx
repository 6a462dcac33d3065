// The facts about an object besides its row, a tab each. All of them come with one read.
import type { KindAbout } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Facts } from '../../parts/facts.tsx';
import { MoneyText, TimeText } from '../../parts/field-value.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { resourceOf } from '../../tables.ts';
import { RowsTable } from './rows-table.tsx';
import { useComputingWords } from './use-computing-words.ts';

interface AboutProps {
  about: KindAbout;
}

/** To a row's page; `resource` is the server's. */
export function RowLink({ resource, id, children }: { resource: string; id: string; children: string }) {
  return (
    <MuiLink component={Link} to={`/${resourceOf(resource as AdminTableName)}/${encodeURIComponent(id)}/show`}>
      {children}
    </MuiLink>
  );
}

export const NodeLink = ({ node }: { node: string | null }) =>
  node === null ? (
    '–'
  ) : (
    <RowLink resource="nodes" id={node}>
      {node}
    </RowLink>
  );

export function History({ about: { history, conditions } }: AboutProps) {
  const t = useComputingWords();
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Card sx={{ p: 2 }}>
        <RowsTable
          label={t('tabs.history')}
          rows={history.map((state, at) => ({ ...state, at }))}
          keyOf={({ at }) => at}
          none={t('history.none')}
          columns={[
            [t('history.since'), ({ since }) => <TimeText time={since} />],
            [t('history.state'), ({ phase_label, tone }) => <PhaseChip label={phase_label} tone={tone} />],
            [t('history.why'), ({ message, reason }) => message ?? reason ?? '–'],
          ]}
        />
      </Card>
      {conditions.length > 0 && <Conditions conditions={conditions} />}
    </Box>
  );
}

export function Conditions({ conditions }: Pick<KindAbout, 'conditions'>) {
  const t = useComputingWords();
  return (
    <Card sx={{ p: 2 }}>
      <RowsTable
        label={t('history.conditions')}
        rows={conditions}
        keyOf={({ type }) => type}
        none=""
        columns={[
          [t('history.condition'), ({ type }) => type],
          [t('history.holds'), ({ status }) => status],
          [t('history.why'), ({ message }) => message],
          [t('history.since'), ({ since }) => <TimeText time={since} />],
        ]}
      />
    </Card>
  );
}

export function Events({ events, pods = [] }: Pick<KindAbout, 'events'> & Partial<Pick<KindAbout, 'pods'>>) {
  const t = useComputingWords();
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Card sx={{ p: 2 }}>
        <RowsTable
          label={t('tabs.events')}
          rows={(events ?? []).map((event, at) => ({ ...event, key: at }))}
          keyOf={({ key }) => key}
          none={t(events === null ? 'events.unknown' : 'events.none')}
          columns={[
            [t('events.time'), ({ at }) => <TimeText time={at} />],
            [t('events.reason'), ({ type, reason }) => `${reason} (${type})`],
            [t('events.message'), ({ message }) => message],
            [t('events.object'), ({ object }) => object],
            [t('events.times'), ({ count }) => count],
          ]}
        />
      </Card>
      {pods.length > 0 && (
        <Card sx={{ p: 2 }}>
          <RowsTable
            label={t('events.pods')}
            rows={pods}
            keyOf={({ name }) => name}
            none=""
            columns={[
              [t('events.pod'), ({ name }) => name],
              [t('events.node'), ({ node }) => <NodeLink node={node} />],
              [t('events.ip'), ({ ip }) => ip ?? '–'],
              [t('events.phase'), ({ phase }) => phase],
            ]}
          />
        </Card>
      )}
    </Box>
  );
}

type Interval = KindAbout['intervals'][number];

export function Cost({ about: { cost, intervals } }: AboutProps) {
  const t = useComputingWords();
  if (!cost && intervals.length === 0) return <Typography color="text.secondary">{t('cost.none')}</Typography>;
  const currency = cost?.currency ?? '';
  /** Columns of kinds that have several programs. */
  const ofPrograms: readonly [label: string, cell: (interval: Interval) => ReactNode][] = [
    [t('logs.run'), ({ run }) => run],
    [t('cost.parts'), ({ parts }) => parts],
  ];
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {cost && (
        <Card sx={{ p: 2 }}>
          <Facts
            rows={[
              [t('cost.sum'), <MoneyText key="net" amount={cost.net} currency={currency} />],
              [t('cost.list'), <MoneyText key="list" amount={cost.list} currency={currency} />],
            ]}
          />
        </Card>
      )}
      <Card sx={{ p: 2 }}>
        <RowsTable
          label={t('tabs.cost')}
          rows={intervals}
          keyOf={({ seq }) => seq}
          none={t('cost.none')}
          columns={[
            [t('cost.number'), ({ seq }) => seq],
            ...ofPrograms.filter(([, cell]) => intervals.some((one) => cell(one) !== null)),
            [t('cost.from'), ({ from }) => <TimeText time={from} />],
            [t('cost.to'), ({ to }) => (to === null ? t('cost.running') : <TimeText time={to} />)],
            [
              t('cost.uses'),
              ({ uses }) =>
                uses
                  .map(({ resource, model, quantity }) => [quantity, resource, model].filter(Boolean).join(' '))
                  .join(', '),
            ],
            [t('cost.billedTo'), ({ billed_to }) => <TimeText time={billed_to} />],
            [t('cost.amount'), ({ net }) => <MoneyText amount={net} currency={currency} />],
          ]}
        />
      </Card>
    </Box>
  );
}

export function Yaml({ about: { yaml }, name }: AboutProps & { name: string }) {
  const t = useComputingWords();
  return (
    <Card sx={{ p: 2, display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
        <Typography color="text.secondary" sx={{ flex: 1 }}>
          {t('yaml.note')}
        </Typography>
        <Button onClick={() => saveFile(`${name}.yaml`, [yaml], 'text/yaml')}>{t('yaml.download')}</Button>
      </Box>
      <TextBlock label={t('tabs.yaml')}>{yaml}</TextBlock>
    </Card>
  );
}

/** Text as it stands, however long. */
export function TextBlock({ label, children }: { label: string; children: string }) {
  return (
    <Box
      component="section"
      aria-label={label}
      tabIndex={0}
      sx={{ maxHeight: '70vh', overflow: 'auto', bgcolor: 'background.default', borderRadius: 1 }}
    >
      <Box component="pre" sx={{ m: 0, p: 1, fontSize: 13 }}>
        {children}
      </Box>
    </Box>
  );
}

export function Related({ about: { related } }: AboutProps) {
  const t = useComputingWords();
  return (
    <Card sx={{ p: 2 }}>
      <RowsTable
        label={t('tabs.related')}
        rows={related}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        none={t('related.none')}
        columns={[
          [t('related.kind'), ({ kind }) => kind],
          [
            t('related.name'),
            ({ resource, id, name }) =>
              resource === null ? (
                name
              ) : (
                <RowLink resource={resource} id={id}>
                  {name}
                </RowLink>
              ),
          ],
          [
            t('related.state'),
            ({ phase_label, tone }) =>
              phase_label === null || tone === null ? '–' : <PhaseChip label={phase_label} tone={tone} />,
          ],
        ]}
      />
    </Card>
  );
}

export function AuditEntries({ audit }: Pick<KindAbout, 'audit'>) {
  const t = useComputingWords();
  return (
    <Card sx={{ p: 2 }}>
      <RowsTable
        label={t('tabs.audit')}
        rows={audit}
        keyOf={({ id }) => id}
        none={t('audit.none')}
        columns={[
          [t('audit.time'), ({ at }) => <TimeText time={at} />],
          [t('audit.who'), ({ actor_name, actor_kind }) => actor_name ?? actor_kind],
          [t('audit.action'), ({ action, action_label }) => action_label ?? action],
          [t('audit.decision'), ({ decision }) => decision],
          [t('audit.reason'), ({ reason }) => reason ?? '–'],
        ]}
      />
    </Card>
  );
}

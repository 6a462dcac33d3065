// Dashboards: those that every organisation has, and those that this one has made.

import type { DashboardRowView } from '@gantry/contract/areas/monitoring/dashboards.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { MONITOR_TYPES } from '@gantry/contract/monitor/metrics.ts';
import { useApi, useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import { type ChangeEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { PlainTable } from '../../parts/plain-table.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { Section } from '../../parts/section.tsx';
import { DashboardNameDialog } from './dashboard-name-dialog.tsx';
import { useMonitorWords } from './use-monitor-words.ts';

const READS = [CALLS.listDashboards];

export function DashboardListPage() {
  const t = useMonitorWords();
  const go = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const found = useCall(CALLS.listDashboards, {});
  const rows = found.data?.dashboards;
  const create = useCommand(CALLS.createDashboard, { isQuiet: true, success: false, invalidates: READS });
  const buttons = (
    <>
      <ImportButton />
      <Guarded node="createDashboard">
        <Button variant="contained" onClick={() => setNaming(true)}>
          {t('dashboards.create')}
        </Button>
      </Guarded>
    </>
  );
  return (
    <>
      <PageHeader title={t('dashboards.title')} lead={t('dashboards.lead')}>
        {buttons}
      </PageHeader>
      <Section title={t('dashboards.own')} lead={t('dashboards.ownLead')}>
        {found.error && !rows && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.isPending && <LoadingRows />}
        {rows?.length === 0 && <EmptyState title={t('dashboards.none')} hint={t('dashboards.noneHint')} />}
        {rows && rows.length > 0 && <Own rows={rows} />}
      </Section>
      <Section title={t('dashboards.builtIn')} lead={t('dashboards.builtInLead')}>
        <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
          {MONITOR_TYPES.map((type) => (
            <li key={type}>
              <MuiLink component={Link} to={`/monitor/performance?type=${type}`}>
                {t(`types.${type}`)}
              </MuiLink>
            </li>
          ))}
        </Box>
      </Section>
      {isNaming && (
        <DashboardNameDialog
          heading={t('dashboards.create')}
          title=""
          onSave={async (title) => {
            const { id } = await create.mutateAsync({ body: { title, panels: [] } });
            await go(`/monitor/dashboard/${id}`);
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

function Own({ rows }: { rows: readonly DashboardRowView[] }) {
  const t = useMonitorWords();
  const ui = useUiWords();
  const save = useExport();
  const [removed, setRemoved] = useState<DashboardRowView>();
  const close = () => setRemoved(undefined);
  const remove = useCommand(CALLS.deleteDashboard, { isQuiet: true, invalidates: READS, onSuccess: close });
  return (
    <>
      <PlainTable
        label={t('dashboards.own')}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t('dashboards.name'),
            cell: ({ id, title }) => (
              <MuiLink component={Link} to={`/monitor/dashboard/${id}`}>
                {title}
              </MuiLink>
            ),
          },
          { label: t('dashboards.panels'), cell: ({ panel_count: count }) => count, isEnd: true },
          { label: t('dashboards.editor'), cell: ({ editor }) => editor },
          { label: t('dashboards.edited'), cell: ({ update_time: at }) => timeText(at) },
          {
            label: ui('fields.actions'),
            isEnd: true,
            cell: (row) => (
              <>
                <Button
                  size="small"
                  aria-label={`${t('dashboards.export')}: ${row.title}`}
                  onClick={() => void save(row)}
                >
                  {t('dashboards.export')}
                </Button>
                <Guarded node="deleteDashboard">
                  <Button
                    size="small"
                    color="error"
                    aria-label={`${ui('actions.delete')}: ${row.title}`}
                    onClick={() => setRemoved(row)}
                  >
                    {ui('actions.delete')}
                  </Button>
                </Guarded>
              </>
            ),
          },
        ]}
      />
      {removed && (
        <ConfirmDialog
          title={t('dashboards.deleteTitle', { title: removed.title })}
          lost={[t('dashboards.lost')]}
          confirmLabel={ui('actions.delete')}
          isDangerous
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ params: { id: removed.id } })}
          onClose={close}
        />
      )}
    </>
  );
}

/** Saves one as Grafana's JSON. */
function useExport(): (row: DashboardRowView) => Promise<void> {
  const api = useApi();
  const toast = useToast();
  return async ({ id, title }) => {
    try {
      const file = await api.call(CALLS.exportDashboard, { params: { id } });
      saveFile(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }), `${title}.json`);
    } catch (error) {
      toast.error((error as Error).message);
    }
  };
}

function ImportButton() {
  const t = useMonitorWords();
  const go = useNavigate();
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const take = useCommand(CALLS.importDashboard, { success: false, invalidates: READS });
  const picked = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const text = await target.files?.[0]?.text();
    // The same file may be chosen again.
    target.value = '';
    const file = text === undefined ? undefined : recordIn(text);
    if (!file) return text === undefined ? undefined : toast.error(t('dashboards.noJson'));
    take.mutate(
      { body: { file } },
      {
        onSuccess: ({ dashboard, left }) => {
          void go(`/monitor/dashboard/${dashboard.id}`);
          const named = left.map(({ title, why }) => `${title} (${t(`dashboards.why.${why}`)})`);
          if (named.length > 0) toast.warning(t('dashboards.left', { panels: named.join('; ') }));
        },
      },
    );
  };
  return (
    <>
      <Guarded node="importDashboard">
        <Button loading={take.isPending} onClick={() => input.current?.click()}>
          {t('dashboards.import')}
        </Button>
      </Guarded>
      <input
        ref={input}
        type="file"
        hidden
        accept="application/json,.json"
        aria-label={t('dashboards.import')}
        onChange={(event) => void picked(event)}
      />
    </>
  );
}

/** Undefined for what is no object in JSON. */
function recordIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

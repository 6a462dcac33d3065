// One dashboard of the organisation: its panels over one time, which whoever may can add to, change, move and remove. Each change is
// saved at once, unless somebody else was faster.

import type { DashboardView } from '@gantry/contract/areas/monitoring/dashboards.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { MOST_PANELS, type Panel } from '@gantry/contract/monitor/panels.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import MoreVert from '@mui/icons-material/MoreVertOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { isConflict } from '../../parts/load-again.tsx';
import { useWindow } from '../../parts/metrics/use-window.ts';
import { WindowBar } from '../../parts/metrics/window-bar.tsx';
import { DashboardNameDialog } from './dashboard-name-dialog.tsx';
import { moved } from './moved.ts';
import { NEW_PANEL, PanelDialog } from './panel-dialog.tsx';
import { QueryPanel } from './query-panel.tsx';
import { useMonitorWords } from './use-monitor-words.ts';

const NOT_FOUND = 404;
const READS = [CALLS.getDashboard, CALLS.listDashboards];

export function DashboardPage() {
  const t = useMonitorWords();
  const { id = '' } = useParams();
  const { data, error, refetch } = useCall(CALLS.getDashboard, { params: { id } });
  const isGone = error?.status === NOT_FOUND;
  if (data && !isGone)
    return <LoadedDashboard key={id} dashboard={data} onReload={async () => (await refetch()).data ?? data} />;
  return (
    <>
      <PageHeader title={t('dashboards.title')} />
      {isGone ? (
        <EmptyState title={t('dashboards.gone')}>
          <Button component={Link} to="/monitor/dashboard/all" variant="contained">
            {t('dashboards.title')}
          </Button>
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={2} height={260} />
      )}
    </>
  );
}

interface LoadedDashboardProps {
  dashboard: DashboardView;
  /** Resolves with the newest that is known. */
  onReload: () => Promise<DashboardView>;
}

/**
 * The part of the dashboard, as it was then, that a dialog changes: its title, or the panel at an index; an index past the last is a new
 * panel.
 */
interface Opened {
  readonly what: 'title' | number;
  readonly of: DashboardView;
}

type Wish = Partial<Pick<DashboardView, 'title' | 'panels'>>;

const changeOf = ({ id, title, panels, version }: DashboardView, wish: Wish) => ({
  params: { id },
  body: { title, panels, version, ...wish },
});

/** The same part in another's version of the dashboard; a panel that is no longer there becomes a new one. */
function movedTo({ what, of }: Opened, now: DashboardView): Opened {
  if (what === 'title') return { what, of: now };
  const wanted = JSON.stringify(of.panels[what]);
  const place = now.panels.findIndex((panel) => JSON.stringify(panel) === wanted);
  return { what: place < 0 ? now.panels.length : place, of: now };
}

function LoadedDashboard({ dashboard, onReload }: LoadedDashboardProps) {
  const { title, panels, editor, update_time: at } = dashboard;
  const t = useMonitorWords();
  const ui = useUiWords();
  const window = useWindow();
  const [opened, setOpened] = useState<Opened>();
  const open = (what: Opened['what']) => setOpened({ what, of: dashboard });
  const close = () => setOpened(undefined);
  const typed = useCommand(CALLS.editDashboard, { isQuiet: true, success: false, invalidates: READS });
  const pressed = useCommand(CALLS.editDashboard, { success: false, invalidates: READS });
  // Others' changes in the meantime are shown beside the refusal.
  const press = (changed: Panel[]) =>
    pressed.mutate(changeOf(dashboard, { panels: changed }), { onError: () => void onReload() });
  /** After a conflict the dialog keeps what was typed, and is about what the page then shows. */
  const save = async (dialog: Opened, wish: Wish) => {
    try {
      await typed.mutateAsync(changeOf(dialog.of, wish));
    } catch (error) {
      if (!isConflict(error)) throw error;
      const now = await onReload();
      setOpened((still) => still && movedTo(dialog, now));
      throw new Error(t('dashboards.conflict'));
    }
  };
  const dialogOf = ({ what, of }: Opened) =>
    what === 'title' ? (
      <DashboardNameDialog
        heading={ui('actions.rename')}
        title={of.title}
        onSave={(name) => save({ what, of }, { title: name })}
        onClose={close}
      />
    ) : (
      <PanelDialog
        heading={t(what < of.panels.length ? 'dashboards.editPanel' : 'dashboards.add')}
        panel={of.panels[what] ?? NEW_PANEL}
        onSave={(panel) => save({ what, of }, { panels: of.panels.toSpliced(what, 1, panel) })}
        onClose={close}
      />
    );
  const add = (
    <Guarded node="editDashboard">
      <Button variant="contained" disabled={panels.length >= MOST_PANELS} onClick={() => open(panels.length)}>
        {t('dashboards.add')}
      </Button>
    </Guarded>
  );
  return (
    <>
      <PageHeader title={title} lead={t('dashboards.editedBy', { editor, time: timeText(at) })}>
        <WindowBar window={window} canShift={false} />
        <Guarded node="editDashboard">
          <Button onClick={() => open('title')}>{ui('actions.rename')}</Button>
        </Guarded>
        {add}
      </PageHeader>
      {panels.length === 0 && (
        <EmptyState title={t('dashboards.noPanel')} hint={t('dashboards.noPanelHint')}>
          {add}
        </EmptyState>
      )}
      <Box
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
      >
        {panels.map(({ width, ...panel }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: panels have no identity but their place
          <Box key={place} sx={{ gridColumn: { lg: width === 'full' ? '1 / -1' : 'auto' }, minWidth: 0 }}>
            <QueryPanel
              {...panel}
              window={window}
              actions={
                <PanelMenu
                  title={panel.title}
                  isFirst={place === 0}
                  isLast={place === panels.length - 1}
                  isBusy={pressed.isPending}
                  onEdit={() => open(place)}
                  onMove={(by) => press(moved(panels, place, by))}
                  onRemove={() => press(panels.filter((_, other) => other !== place))}
                />
              }
            />
          </Box>
        ))}
      </Box>
      {opened && dialogOf(opened)}
    </>
  );
}

interface PanelMenuProps {
  title: string;
  isFirst: boolean;
  isLast: boolean;
  isBusy: boolean;
  onEdit: () => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function PanelMenu({ title, isFirst, isLast, isBusy, onEdit, onMove, onRemove }: PanelMenuProps) {
  const t = useMonitorWords();
  const ui = useUiWords();
  const [at, setAt] = useState<HTMLElement>();
  const items = [
    { label: ui('actions.edit'), press: onEdit, isOff: false },
    { label: t('dashboards.earlier'), press: () => onMove(-1), isOff: isFirst },
    { label: t('dashboards.later'), press: () => onMove(1), isOff: isLast },
    { label: ui('actions.remove'), press: onRemove, isOff: false },
  ];
  return (
    <>
      <Guarded node="editDashboard" isHidden>
        <IconButton
          size="small"
          aria-haspopup="menu"
          aria-label={t('dashboards.menu', { title })}
          disabled={isBusy}
          onClick={({ currentTarget }) => setAt(currentTarget)}
        >
          <MoreVert fontSize="small" />
        </IconButton>
      </Guarded>
      <Menu open={at !== undefined} anchorEl={at ?? null} onClose={() => setAt(undefined)}>
        {items.map(({ label, press, isOff }) => (
          <MenuItem
            key={label}
            disabled={isOff}
            onClick={() => {
              setAt(undefined);
              press();
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

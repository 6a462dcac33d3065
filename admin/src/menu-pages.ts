// Pages of a menu that list no resource: a tab of the menu at /manage/<menu>/<name>, one line each. `title` is a key of the words
// of `shell`.
import type { AdminMenu } from '@gantry/contract/roles.ts';
import type { KeyOf } from '@gantry/ui/i18n/words.ts';
import type { ComponentType } from 'react';
import type { words } from './words/en/shell.ts';

export interface MenuPageRow {
  readonly name: string;
  readonly title: KeyOf<typeof words>;
  load(): Promise<{ default: ComponentType }>;
}

const later = () => import('./shell/later-page.tsx').then(({ LaterPage }) => ({ default: LaterPage }));

export const MENU_PAGES: Partial<Record<AdminMenu, readonly MenuPageRow[]>> = {
  storage: [
    {
      name: 'snapshots',
      title: 'storage.snapshots',
      load: () =>
        import('./resources/objects/snapshots-tab.tsx').then(({ SnapshotsTab }) => ({ default: SnapshotsTab })),
    },
  ],
  operation: [
    {
      name: 'metrics',
      title: 'operation.metrics',
      load: () =>
        import('./resources/metrics/cluster-metrics.tsx').then(({ ClusterMetrics }) => ({ default: ClusterMetrics })),
    },
  ],
  portal: [{ name: 'shelf', title: 'later.shelf', load: later }],
};

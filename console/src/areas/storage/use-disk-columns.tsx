// The columns of the list of disks.
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { kindColumns } from '../../parts/kind-columns.tsx';
import { PriceText } from '../../parts/price-text.tsx';
import { DiskActions } from './disk-actions.tsx';
import { DiskChip } from './disk-chip.tsx';
import { diskPath } from './disk-path.ts';
import { MountedBy } from './mounted-by.tsx';
import { UsageBar } from './usage-bar.tsx';
import { useStorageWords } from './use-storage-words.ts';

export function useDiskColumns(): readonly Column<DiskView>[] {
  const t = useStorageWords();
  const ui = useUiWords();
  return useMemo(
    () =>
      kindColumns<DiskView>(ui, {
        to: diskPath,
        second: ({ data_center: center }) => center,
        chip: (disk) => <DiskChip disk={disk} />,
        own: [
          {
            id: 'size',
            label: t('list.size'),
            width: 'minmax(9.25rem, 1.2fr)',
            cell: (disk) => <UsageBar disk={disk} />,
          },
          {
            id: 'mounted',
            label: t('list.mounted'),
            width: 'minmax(8.5rem, 2fr)',
            cell: (disk) => <MountedBy disk={disk} />,
          },
          {
            id: 'price',
            label: ui('fields.price'),
            width: 'minmax(6.5rem, 1fr)',
            cell: ({ price }) => (
              <Box sx={{ whiteSpace: 'normal' }}>
                <PriceText price={price} />
              </Box>
            ),
          },
          {
            id: 'created',
            label: ui('fields.createTime'),
            sort: 'create_time',
            width: '11rem',
            isWideOnly: true,
            cell: ({ create_time }) => timeText(create_time),
          },
        ],
        actions: (disk) => <DiskActions disk={disk} />,
      }),
    [t, ui],
  );
}

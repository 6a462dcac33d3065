// One disk: its files, which is what one comes for, its facts, its mounts, its usage, and its state.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { bytesText, gibibytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useParams, useSearchParams } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { KindPage } from '../../parts/kind-page.tsx';
import { Section } from '../../parts/section.tsx';
import { DiskActions } from './disk-actions.tsx';
import { DiskChip } from './disk-chip.tsx';
import { DiskMounts } from './disk-mounts.tsx';
import { placeOf } from './disk-path.ts';
import { FileBrowser } from './files/file-browser.tsx';
import { tidyPath } from './files/file-path.ts';
import { UsageBar } from './usage-bar.tsx';
import { useStorageWords } from './use-storage-words.ts';

export function DiskPage() {
  const may = useMay();
  return (
    <KindPage
      kind="dataDisk"
      first={may('makeFolder') ? 'files' : 'overview'}
      read={CALLS.getDisk}
      list="/gpu/storage"
      pathOf={placeOf}
      price={({ price }) => price}
      chip={(disk) => <DiskChip disk={disk} />}
      actions={(disk, onDone) => <DiskActions disk={disk} size="medium" onDone={onDone} />}
      tabs={{
        overview: (disk) => <Overview disk={disk} />,
        files: (disk) => <Files disk={disk} />,
      }}
    />
  );
}

function Overview({ disk }: { disk: DiskView }) {
  const t = useStorageWords();
  const ui = useUiWords();
  const { region } = useParams();
  return (
    <>
      {region !== undefined && region !== disk.region && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('detail.otherRegion', { region: disk.data_center })}
        </Alert>
      )}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '1fr 1fr' }, mb: 3 }}>
        <Section inGrid title={t('detail.facts')}>
          <FactList
            isDense
            facts={[
              { label: ui('fields.size'), value: gibibytesText(disk.size_gi) },
              {
                label: t('detail.access'),
                value: t(disk.access === 'Single' ? 'create.single' : 'create.many'),
              },
              { label: t('list.center'), value: disk.data_center },
              { label: ui('fields.createTime'), value: timeText(disk.create_time) },
            ]}
          />
        </Section>
        <Section inGrid title={t('detail.usage')}>
          <UsageBar disk={disk} />
          <FactList
            facts={[
              { label: t('detail.used'), value: bytesText(disk.used_bytes) },
              { label: t('detail.available'), value: bytesText(disk.available_bytes) },
              { label: t('detail.total'), value: bytesText(disk.total_bytes) },
              { label: t('list.measuredAt'), value: timeText(disk.measured_time) },
            ]}
          />
        </Section>
        <Section inGrid title={t('detail.mounts')}>
          <DiskMounts disk={disk} />
        </Section>
      </Box>
    </>
  );
}

function Files({ disk }: { disk: DiskView }) {
  const [params, setParams] = useSearchParams();
  return (
    <FileBrowser
      disk={disk}
      path={tidyPath(params.get('path') ?? '/')}
      onOpen={(path) => setParams(path === '/' ? {} : { path })}
    />
  );
}

// One disk: what it is, who has it, how full it is, how it does, and its files.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { bytesText, gibibytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { Link as RouterLink, useNavigate, useParams, useSearchParams } from 'react-router';
import { ConditionList } from '../../parts/condition-list.tsx';
import { PriceText } from '../../parts/price-text.tsx';
import { DiskActions } from './disk-actions.tsx';
import { DiskChip } from './disk-chip.tsx';
import { DiskDialogs, type DiskQuestion } from './disk-dialogs.tsx';
import { DiskMounts } from './disk-mounts.tsx';
import { FileBrowser } from './files/file-browser.tsx';
import { tidyPath } from './files/file-path.ts';
import { UsageBar } from './usage-bar.tsx';
import { useStorageWords } from './use-storage-words.ts';

export function DiskPage() {
  const t = useStorageWords();
  const { id = '' } = useParams();
  const { data: disk, error, refetch } = useCall(CALLS.getDisk, { params: { id } });
  if (disk) return <Disk disk={disk} />;
  if (error?.status === 404)
    return (
      <EmptyState title={t('detail.gone')}>
        <Button component={RouterLink} to="/gpu/storage" variant="contained">
          {t('detail.back')}
        </Button>
      </EmptyState>
    );
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows />;
}

function Disk({ disk }: { disk: DiskView }) {
  const t = useStorageWords();
  const ui = useUiWords();
  const { region } = useParams();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const [question, ask] = useState<DiskQuestion>();
  const price = <PriceText key="price" price={disk.price} />;
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    [
      t('detail.id'),
      <>
        {disk.id} <CopyButton text={disk.id} label={t('detail.id')} />
      </>,
    ],
    [ui('fields.size'), gibibytesText(disk.size_gi)],
    [t('detail.access'), t(disk.access === 'Single' ? 'create.single' : 'create.many')],
    [t('list.center'), disk.data_center],
    [ui('fields.price'), price],
    [ui('fields.createTime'), timeText(disk.create_time)],
  ];
  return (
    <>
      <PageHeader title={disk.name} beside={<DiskChip disk={disk} />} lead={disk.message}>
        <DiskActions disk={disk} ask={ask} hasFiles size="medium" />
      </PageHeader>
      {region !== undefined && region !== disk.region && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('detail.otherRegion', { region: disk.data_center })}
        </Alert>
      )}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', lg: '1fr 1fr' }, mb: 3 }}>
        <Section title={t('detail.facts')}>
          <Facts rows={facts} />
        </Section>
        <Section title={t('detail.usage')}>
          <UsageBar disk={disk} />
          <Facts
            rows={[
              [t('detail.used'), bytesText(disk.used_bytes)],
              [t('detail.available'), bytesText(disk.available_bytes)],
              [t('detail.total'), bytesText(disk.total_bytes)],
              [t('list.measuredAt'), timeText(disk.measured_time)],
            ]}
          />
        </Section>
        <Section title={t('detail.mounts')}>
          <DiskMounts disk={disk} />
        </Section>
        <Section title={t('detail.conditions')}>
          <ConditionList conditions={disk.conditions} />
        </Section>
      </Box>
      <Typography variant="h2" sx={{ mb: 1 }}>
        {t('detail.files')}
      </Typography>
      <FileBrowser
        disk={disk}
        path={tidyPath(params.get('path') ?? '/')}
        onOpen={(path) => setParams(path === '/' ? {} : { path })}
      />
      {question && (
        <DiskDialogs
          question={question}
          onClose={() => ask(undefined)}
          onDeleted={() => void navigate('/gpu/storage')}
        />
      )}
    </>
  );
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper variant="outlined" component="section" aria-label={title} sx={{ p: 2, minWidth: 0 }}>
    <Typography variant="h2" sx={{ mb: 1 }}>
      {title}
    </Typography>
    {children}
  </Paper>
);

const Facts = ({ rows }: { rows: readonly (readonly [label: string, value: ReactNode])[] }) => (
  <Box
    component="dl"
    sx={{ display: 'grid', gridTemplateColumns: 'minmax(7rem, auto) 1fr', columnGap: 2, rowGap: 1, m: 0, mt: 1 }}
  >
    {rows.map(([label, value]) => (
      <Box key={label} sx={{ display: 'contents' }}>
        <Typography component="dt" variant="body2" color="text.secondary">
          {label}
        </Typography>
        <Typography component="dd" variant="body2" sx={{ m: 0, overflowWrap: 'anywhere' }}>
          {value}
        </Typography>
      </Box>
    ))}
  </Box>
);

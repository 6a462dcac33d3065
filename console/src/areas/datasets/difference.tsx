// How two versions differ: which files one has more, less and otherwise, and which rows. Which two is in the address.

import type {
  DatasetDetailView,
  DatasetDifferenceView,
  DatasetVersionView,
} from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useSearchParams } from 'react-router';
import { Section } from '../../parts/section.tsx';
import { useReadyVersions, useShownVersion, VersionChoice } from './shown-version.tsx';
import { RowDifference } from './table/row-difference.tsx';
import { useDatasetWords } from './use-dataset-words.ts';

export function Difference({ dataset }: { dataset: DatasetDetailView }) {
  const t = useDatasetWords();
  const [params, setParams] = useSearchParams();
  const version = useShownVersion(dataset);
  const ready = useReadyVersions(dataset.id);
  const others = ready.map((each) => each.version);
  if (version === undefined || others.length < 2) return null;
  const asked = Number(params.get('with'));
  // The one before it, where nothing else was asked for.
  const base = others.includes(asked) ? asked : others.find((each) => each < version);
  const set = (name: string) => (value: string) =>
    setParams((former) => {
      const next = new URLSearchParams(former);
      next.set(name, value);
      return next;
    });
  return (
    <Section title={t('difference.title')} lead={t('difference.lead')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mb: 2 }}>
        <VersionChoice id={dataset.id} label={t('fields.version')} value={version} onChange={set('version')} />
        <VersionChoice
          id={dataset.id}
          label={t('difference.with')}
          value={base}
          without={version}
          onChange={set('with')}
        />
      </Box>
      {base !== undefined && base !== version && (
        <>
          <Typography variant="h3">{t('difference.files')}</Typography>
          <Compared id={dataset.id} version={version} base={base} />
          <Typography variant="h3" sx={{ mt: 2 }}>
            {t('difference.ofRows')}
          </Typography>
          {[version, base].every((each) => ready.some((one) => one.version === each && hasTable(one))) ? (
            <RowDifference key={`${version} ${base}`} of={{ id: dataset.id, version }} base={base} />
          ) : (
            <Typography color="text.secondary">{t('difference.noTables')}</Typography>
          )}
        </>
      )}
    </Section>
  );
}

const hasTable = ({ profile }: DatasetVersionView): boolean => profile?.state === 'ready';

function Compared({ id, version, base }: { id: string; version: number; base: number }) {
  const { data, error, refetch } = useCall(CALLS.compareDatasetVersions, {
    params: { id, version: `${version}` },
    query: { with: `${base}` },
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={2} />;
  return <Found difference={data} />;
}

function Found({ difference }: { difference: DatasetDifferenceView }) {
  const t = useDatasetWords();
  const countText = numberText;
  const { equal, size_bytes: size, rows, unchanged } = difference;
  if (equal) return <Typography>{t('difference.equal')}</Typography>;
  const signed = (value: number, text: string) => (value > 0 ? `+${text}` : text);
  const facts = [
    ...(['added', 'removed', 'changed'] as const).map((name) =>
      t(`difference.${name}`, { smart_count: difference[name].count, count: countText(difference[name].count) }),
    ),
    t('difference.unchanged', { smart_count: unchanged, count: countText(unchanged) }),
    signed(size, bytesText(size)),
    ...(rows === null ? [] : [t('difference.rows', { rows: signed(rows, countText(rows)) })]),
  ];
  return (
    <>
      <Typography role="status">{facts.join(' · ')}</Typography>
      {(['added', 'removed', 'changed'] as const).map((name) => (
        <Paths key={name} title={t(`difference.${name}Files`)} {...difference[name]} />
      ))}
    </>
  );
}

function Paths({ title, count, paths }: { title: string; count: number; paths: readonly string[] }) {
  const t = useDatasetWords();
  const countText = numberText;
  if (count === 0) return null;
  return (
    <Box component="details" open={count <= 20} sx={{ mt: 1 }}>
      <Typography component="summary" sx={{ cursor: 'pointer' }}>
        {title} ({countText(count)})
      </Typography>
      <Box component="ul" sx={{ my: 0.5, pl: 3, maxHeight: '20rem', overflow: 'auto', overflowWrap: 'anywhere' }}>
        {paths.map((path) => (
          <li key={path}>{path}</li>
        ))}
      </Box>
      {count > paths.length && (
        <Typography variant="body2" color="text.secondary">
          {t('difference.first', { shown: countText(paths.length) })}
        </Typography>
      )}
    </Box>
  );
}

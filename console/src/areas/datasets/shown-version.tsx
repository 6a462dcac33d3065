// The version that a tab shows: the newest ready one, or the one in the address. One chooses another.
import type { DatasetDetailView, DatasetVersionView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { PlainField } from '@gantry/ui/form/plain-field.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import { type ReactNode, useId } from 'react';
import { useSearchParams } from 'react-router';
import { useDatasetWords } from './use-dataset-words.ts';

/** Undefined where none is ready. */
export function useShownVersion({ latest_version: latest }: DatasetDetailView): number | undefined {
  const [params] = useSearchParams();
  const asked = params.get('version') ?? '';
  return /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : (latest ?? undefined);
}

/** All that are ready; the newest first. */
export function useReadyVersions(id: string): readonly DatasetVersionView[] {
  const { items } = useList(CALLS.listDatasetVersions, { params: { id } }, { size: 1000 });
  return items.filter(({ state }) => state === 'ready');
}

/** The chosen version, with what its tab shows of it; says that there is none where none is ready. */
export function OfVersion({
  dataset,
  actions,
  children,
}: {
  dataset: DatasetDetailView;
  actions?: (version: number) => ReactNode;
  children(version: number): ReactNode;
}) {
  const t = useDatasetWords();
  const [, setParams] = useSearchParams();
  const version = useShownVersion(dataset);
  if (version === undefined) return <EmptyState title={t('noneReady')} hint={t('noneReadyHint')} />;
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', mb: 2 }}>
        <VersionChoice
          id={dataset.id}
          label={t('fields.version')}
          value={version}
          // What else the address says is about the former version.
          onChange={(chosen) => setParams(chosen === `${dataset.latest_version}` ? {} : { version: chosen })}
        />
        {actions?.(version)}
      </Box>
      {children(version)}
    </>
  );
}

interface VersionChoiceProps {
  /** The id of the dataset. */
  id: string;
  label: string;
  /** Nothing is chosen yet where it is absent. */
  value: number | undefined;
  without?: number;
  onChange(value: string): void;
}

export function VersionChoice({ id, label, value, without, onChange }: VersionChoiceProps) {
  const t = useDatasetWords();
  const field = useId();
  const numbers = useReadyVersions(id).map(({ version }) => version);
  const shown = value === undefined || numbers.includes(value) ? numbers : [value, ...numbers];
  return (
    <Box sx={{ width: '11rem' }}>
      <PlainField id={field} label={label}>
        <select id={field} value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
          {value === undefined && <option value="">{t('choose')}</option>}
          {shown
            .filter((each) => each !== without)
            .map((each) => (
              <option key={each} value={each}>
                {t('version', { version: each })}
              </option>
            ))}
        </select>
      </PlainField>
    </Box>
  );
}

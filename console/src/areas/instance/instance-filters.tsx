// What the list is narrowed to, kept in the address.
import { gpuInstancePhases } from '@gantry/contract/kinds/gpu-instance-phases.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import type { Filters } from '@gantry/ui/table/use-filters.ts';
import Box from '@mui/material/Box';
import { SearchField } from '../../parts/search-field.tsx';
import { useHosts } from './use-hosts.ts';
import { useInstanceWords } from './use-instance-words.ts';

export function InstanceFilters({ filters }: { filters: Filters<'search' | 'status' | 'host'> }) {
  const t = useInstanceWords();
  const language = useLanguage();
  const hosts = useHosts();
  const { values, set } = filters;
  return (
    <Box
      role="search"
      sx={{ display: 'grid', gap: 1.5, mb: 2, gridTemplateColumns: { xs: '1fr 1fr', md: '20rem 12rem 14rem' } }}
    >
      <Box sx={{ gridColumn: { xs: '1 / -1', md: 'auto' } }}>
        <SearchField label={t('list.search')} value={values.search} onSearch={(text) => set('search', text)} />
      </Box>
      <FilterChoice
        label={t('list.status')}
        any={t('list.anyStatus')}
        value={values.status}
        options={Object.entries(gpuInstancePhases).map(([phase, { [language]: label }]) => [phase, label])}
        onChange={(status) => set('status', status)}
      />
      <FilterChoice
        label={t('list.host')}
        any={t('list.anyHost')}
        value={values.host}
        options={hosts.map(({ id, name }) => [id, name])}
        onChange={(host) => set('host', host)}
      />
    </Box>
  );
}

// The uses of a model: the organisation's deployments of it, and how programs call one.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { CodeBlocks } from '../../parts/code-blocks.tsx';
import { codeSamples } from '../../parts/code-samples.ts';
import { PlainTable } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { useModelWords } from './use-model-words.ts';

const ALL = { size: 1000 } as const;

export function ModelUses({ id }: { id: string }) {
  const t = useModelWords();
  const ui = useUiWords();
  const { items, isLoading, error, again } = useList(CALLS.listDeployments, {}, ALL);
  const uses = items.flatMap((one) => {
    const { model, adapters } = one;
    const adapter = adapters.find((adapter) => adapter.model === id);
    if (model.id !== id && !adapter) return [];
    return [
      {
        ...one,
        call: model.id === id ? one.id : `${one.id}:${adapter?.name}`,
        version: model.id === id ? model.version : adapter?.version,
      },
    ];
  });
  // One that answers, where there is one.
  const called = uses.find(({ phase }) => phase === 'active') ?? uses[0];
  return (
    <>
      <Section title={t('uses.title')}>
        {error ? (
          <ErrorState error={error} onRetry={again} />
        ) : isLoading ? (
          <LoadingRows rows={2} />
        ) : uses.length === 0 ? (
          <Typography color="text.secondary">{t('uses.none')}</Typography>
        ) : (
          <PlainTable
            label={t('uses.title')}
            rows={uses}
            keyOf={(use) => use.id}
            columns={[
              {
                label: ui('fields.name'),
                cell: (use) => (
                  <Link component={RouterLink} to={`/model/deployment/${use.id}`}>
                    {use.name ?? use.id}
                  </Link>
                ),
              },
              { label: t('form.version'), cell: ({ version }) => version },
              { label: t('uses.call'), cell: ({ call }) => call },
              {
                label: ui('fields.status'),
                cell: ({ phase_label: label, tone, message }) => (
                  <PhaseChip label={label} tone={tone} message={message} />
                ),
              },
            ]}
          />
        )}
      </Section>
      {called && (
        <Section title={t('uses.how')}>
          <Box sx={{ display: 'grid', gap: 2 }}>
            <Typography color="text.secondary">{t('uses.howLead')}</Typography>
            <CodeBlocks samples={codeSamples({ model: called.call, messages: HELLO }, location.origin)} />
          </Box>
        </Section>
      )}
    </>
  );
}

const HELLO = [{ role: 'user', content: 'Hello' }];

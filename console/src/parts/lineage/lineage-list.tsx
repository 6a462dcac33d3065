// Things of a lineage in words: what each is, what it was made from and used for, and the way to more. Only the rows in sight are in the
// page.
import type { LineageNodeView } from '@gantry/contract/areas/lineage/lineage.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { Hint } from '@gantry/ui/widgets/hint.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { Link as RouterLink } from 'react-router';
import { Section } from '../section.tsx';
import { usePartsWords } from '../use-parts-words.ts';
import { hiddenOf, type Related, type Way } from './lineage-graph.ts';
import { countText, MORE, nameOf, pageOf } from './lineage-words.ts';
import type { OpenedLineage } from './use-lineage-graph.ts';

const WAYS: readonly Way[] = ['up', 'down'];
/** The most names in a cell; the others are in its hint. */
const MOST_NAMED = 2;
const MOST_HINTED = 50;
/** Enough of a digest to tell two apart. */
const SHORT = 12;

interface LineageListProps {
  title: string;
  /** Said where there are no rows. */
  none: string;
  rows: readonly Related[];
  opened: OpenedLineage;
}

export function LineageList({ title, none, rows, opened }: LineageListProps) {
  const t = usePartsWords();
  const ui = useUiWords();
  const { graph, busy, show } = opened;
  const columns = useMemo(
    (): readonly Column<Related>[] => [
      {
        id: 'name',
        label: ui('fields.name'),
        width: 'minmax(12rem, 2fr)',
        cell: ({ node }) => <ThingName node={node} />,
      },
      { id: 'kind', label: t('lineage.kind'), width: '8rem', cell: ({ node }) => t(`lineage.kinds.${node.kind}`) },
      {
        ...{ id: 'sources', label: t('lineage.from'), width: 'minmax(8rem, 1fr)' },
        cell: ({ node }) => <Names of={graph.sources.get(node.key)} />,
      },
      {
        ...{ id: 'uses', label: t('lineage.became'), width: 'minmax(8rem, 1fr)' },
        cell: ({ node }) => <Names of={graph.uses.get(node.key)} />,
      },
      {
        ...{ id: 'digest', label: t('lineage.digest'), width: '8rem', isWideOnly: true },
        cell: ({ node: { digest } }) =>
          digest === null ? (
            '–'
          ) : (
            <Box component="code" title={digest}>
              {digest.slice(0, SHORT)}
            </Box>
          ),
      },
      {
        ...{ id: 'since', label: t('lineage.since'), width: '11rem', isWideOnly: true },
        cell: ({ node }) => timeText(node.create_time),
      },
      {
        ...{ id: 'more', label: ui('fields.actions'), width: '16rem', align: 'end' },
        cell: ({ node }) =>
          WAYS.map((way) => {
            const hidden = hiddenOf(graph, node, way);
            if (hidden === 0) return null;
            const count = countText(hidden);
            return (
              <Button
                key={way}
                size="small"
                loading={busy === `${way} ${node.key}`}
                aria-label={t(`${MORE[way]}Of`, { count, name: nameOf(t, node) })}
                onClick={() => show(node, way)}
              >
                {t(MORE[way], { count })}
              </Button>
            );
          }),
      },
    ],
    [t, ui, graph, busy, show],
  );
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <Typography color="text.secondary">{none}</Typography>
      ) : (
        <DataTable
          label={title}
          columns={columns}
          list={{
            items: rows,
            ...{ total: rows.length, isLoading: false, isLoadingMore: false, hasMore: false, error: null },
            ...{ more: () => {}, again: () => {} },
          }}
          idOf={({ node }) => node.key}
          nameOf={({ node }) => node.name}
        />
      )}
    </Section>
  );
}

/** A link to what is there; of what is gone its name, said as such. */
export function ThingName({ node }: { node: LineageNodeView }) {
  const t = usePartsWords();
  const [name, page, gone] = [nameOf(t, node), pageOf(node), node.gone_time];
  if (gone !== null)
    return (
      <Box component="span" sx={{ display: 'flex', gap: 1, alignItems: 'center', minWidth: 0 }}>
        <Box component="s" title={name} sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {name}
        </Box>
        <Hint title={t('lineage.gone', { time: timeText(gone) })}>
          <Chip size="small" label={t('lineage.isGone')} sx={{ flexShrink: 0 }} />
        </Hint>
      </Box>
    );
  if (page === undefined) return name;
  return (
    <Link component={RouterLink} to={page}>
      {name}
    </Link>
  );
}

function Names({ of = [] }: { of?: readonly LineageNodeView[] | undefined }) {
  const t = usePartsWords();
  if (of.length === 0) return '–';
  const names = of.slice(0, MOST_HINTED).map((node) => nameOf(t, node));
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const more = of.length - MOST_NAMED;
  return (
    <Hint title={names.join(', ')}>
      <span>{more > 0 ? t('lineage.andMore', { names: shown, smart_count: more }) : shown}</span>
    </Hint>
  );
}

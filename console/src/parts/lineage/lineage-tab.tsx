// The lineage of a thing, one level each way. Deleted things stay, and are shown as such.
import type { LineageKind, LineageNodeView, LineageView } from '@gantry/contract/areas/lineage/lineage.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { PlainTable } from '../plain-table.tsx';
import { Section } from '../section.tsx';
import { usePartsWords } from '../use-parts-words.ts';
import { LINEAGE_PAGES } from './lineage-kinds.ts';

const NOT_FOUND = 404;

export function LineageTab({ kind, id }: { kind: LineageKind; id: string }) {
  const t = usePartsWords();
  const { data, error, refetch } = useCall(CALLS.getLineage, { query: { kind, id } });
  // The page is of something that is there: nothing of it is ready yet.
  if (error?.status === NOT_FOUND) return <EmptyState title={t('lineage.none')} hint={t('lineage.noneHint')} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;
  const { from, became } = neighboursIn(data);
  return (
    <>
      {data.more && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('lineage.more')}
        </Alert>
      )}
      <Neighbours title={t('lineage.from')} none={t('lineage.fromNothing')} rows={from} />
      <Neighbours title={t('lineage.became')} none={t('lineage.becameNothing')} rows={became} />
    </>
  );
}

interface Neighbour {
  key: string;
  node: LineageNodeView;
  /** Which of the page's own it belongs to. */
  of: LineageNodeView;
  time: string;
}

function neighboursIn({ nodes, edges }: LineageView): Record<'from' | 'became', Neighbour[]> {
  const rows = (own: 'from' | 'to', other: 'from' | 'to') =>
    edges
      .flatMap((edge) => {
        const [of, node] = [nodes[edge[own]], nodes[edge[other]]];
        return of?.level === 0 && node ? [{ key: `${edge.from} ${edge.to}`, node, of, time: edge.time }] : [];
      })
      .toSorted((a, b) => isGone(a) - isGone(b) || (a.time < b.time ? 1 : -1));
  return { from: rows('to', 'from'), became: rows('from', 'to') };
}

const isGone = ({ node }: Neighbour): number => (node.gone_time === null ? 0 : 1);

function Neighbours({ title, none, rows }: { title: string; none: string; rows: readonly Neighbour[] }) {
  const t = usePartsWords();
  const ui = useUiWords();
  const own = new Set(rows.map(({ of }) => of));
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <Typography color="text.secondary">{none}</Typography>
      ) : (
        <PlainTable
          label={title}
          rows={rows}
          keyOf={({ key }) => key}
          columns={[
            { label: ui('fields.name'), cell: ({ node }) => <Name node={node} /> },
            { label: t('lineage.kind'), cell: ({ node }) => t(`lineage.kinds.${node.kind}`) },
            { label: t('lineage.version'), cell: ({ node }) => node.version ?? '–' },
            ...(own.size > 1
              ? [{ label: t('lineage.of'), cell: ({ of }: Neighbour) => of.version ?? <Digest digest={of.digest} /> }]
              : []),
            { label: t('lineage.digest'), cell: ({ node }) => <Digest digest={node.digest} /> },
            { label: t('lineage.since'), cell: ({ time }) => timeText(time) },
          ]}
        />
      )}
    </Section>
  );
}

function Name({ node: { kind, id, name, is_own: isOwn, gone_time: gone } }: { node: LineageNodeView }) {
  const t = usePartsWords();
  if (gone !== null)
    return (
      <Box component="span" sx={{ display: 'inline-flex', gap: 1, alignItems: 'center' }}>
        {name}
        <Chip size="small" label={t('lineage.gone', { time: timeText(gone) })} />
      </Box>
    );
  if (id !== null)
    return (
      <Link component={RouterLink} to={`${LINEAGE_PAGES[kind]}/${encodeURIComponent(id)}`}>
        {name}
      </Link>
    );
  return isOwn ? name : t('lineage.ofLibrary', { name });
}

/** Enough of it to tell two apart. */
const SHORT = 12;
const Digest = ({ digest }: { digest: string | null }) =>
  digest === null ? (
    '–'
  ) : (
    <Box component="code" title={digest}>
      {digest.slice(0, SHORT)}
    </Box>
  );

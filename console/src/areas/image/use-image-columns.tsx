// The columns of the list of images.
import type { ImageView } from '@gantry/contract/kinds/image.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useMemo } from 'react';
import { Link as RouterLink } from 'react-router';
import { kindColumns } from '../../parts/kind-columns.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { ImageActions } from './image-actions.tsx';
import { useImageWords } from './use-image-words.ts';
import { useInstances } from './use-instances.ts';

/** `sha256:0123456789ab…` */
const DIGEST_SHOWN = 19;

const code = (text: string, shown = text) => (
  <Box component="code" title={text} sx={{ fontFamily: MONO, fontSize: '0.8125rem' }}>
    {shown}
  </Box>
);

/** Without the registry, which most have in common. */
const shortOf = (source: string): string => source.replace(/^.*\/(?=[^/]+\/)/, '');

export function useImageColumns(): readonly Column<ImageView>[] {
  const t = useImageWords();
  const ui = useUiWords();
  const instances = useInstances();
  return useMemo(
    () =>
      kindColumns(ui, {
        to: ({ id }) => `/develop/template/${id}`,
        second: ({ official, llm }) => [t(official ? 'official' : 'own'), ...(llm ? [t('llm')] : [])].join(', '),
        own: [
          {
            id: 'source',
            label: t('source'),
            width: 'minmax(12rem, 2fr)',
            cell: ({ source, digest }) => (
              <TwoLines
                first={code(source, shortOf(source))}
                second={digest === null ? '' : code(digest, `${digest.slice(0, DIGEST_SHOWN)}…`)}
                title={digest === null ? source : `${source} ${digest}`}
              />
            ),
          },
          {
            id: 'size',
            label: ui('fields.size'),
            width: '6.5rem',
            align: 'end',
            cell: ({ size_bytes: size }) => bytesText(size),
          },
          {
            id: 'from',
            label: t('from'),
            width: 'minmax(7rem, 0.8fr)',
            cell: ({ from_instance: from }) =>
              from === null ? (
                ui('states.unknown')
              ) : (
                <Link component={RouterLink} to={`/develop/instance/${from}`}>
                  {instances.nameOf(from)}
                </Link>
              ),
            isWideOnly: true,
          },
          {
            id: 'created',
            label: ui('fields.createTime'),
            width: '11rem',
            sort: 'create_time',
            cell: ({ create_time: time }) => timeText(time),
            isWideOnly: true,
          },
        ],
        actions: (row) => <ImageActions image={row} instances={instances} />,
      }),
    [t, ui, instances],
  );
}

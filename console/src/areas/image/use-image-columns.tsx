// What the list shows of each image.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ImageView } from '@gantry/contract/kinds/image.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useMemo } from 'react';
import { Link as RouterLink } from 'react-router';
import { ActionButtons } from '../../parts/action-buttons.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useImageWords } from './use-image-words.ts';

/** `sha256:0123456789ab…` */
const DIGEST_SHOWN = 19;

const code = (text: string, shown = text) => (
  <Box component="code" title={text} sx={{ fontFamily: MONO, fontSize: '0.8125rem' }}>
    {shown}
  </Box>
);

/** Without the registry, which most have in common. */
const shortOf = (source: string): string => source.replace(/^.*\/(?=[^/]+\/)/, '');

export function useImageColumns(onEdit: (image: ImageView) => void): readonly Column<ImageView>[] {
  const t = useImageWords();
  const ui = useUiWords();
  const { data: instances } = useCall(CALLS.listInstances, { query: { page: 1, size: 1000 } });
  return useMemo(() => {
    const usersOf = (source: string) => (instances?.items ?? []).filter(({ image }) => image === source);
    const nameOf = (instance: string) => instances?.items.find(({ id }) => id === instance)?.name ?? instance;
    return [
      {
        id: 'name',
        label: ui('fields.name'),
        width: 'minmax(9rem, 1.2fr)',
        sort: 'name',
        cell: ({ name, official, llm }) => (
          <TwoLines
            first={<strong>{name}</strong>}
            second={[t(official ? 'official' : 'own'), ...(llm ? [t('llm')] : [])].join(', ')}
            title={name}
          />
        ),
      },
      {
        id: 'status',
        label: ui('fields.status'),
        width: '8.5rem',
        sort: 'status',
        cell: ({ phase_label: label, tone, message }) => <PhaseChip label={label} tone={tone} message={message} />,
      },
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
              {nameOf(from)}
            </Link>
          ),
        isWideOnly: true,
      },
      {
        id: 'created',
        label: ui('fields.createTime'),
        width: '12.25rem',
        sort: 'create_time',
        cell: ({ create_time: time }) => timeText(time),
        isWideOnly: true,
      },
      {
        id: 'actions',
        label: ui('fields.actions'),
        width: '9.5rem',
        align: 'end',
        cell: (row) => (
          <Box sx={{ display: 'flex', gap: 0.5, justifyContent: 'flex-end', alignItems: 'center' }}>
            <Guarded node="createInstance">
              <Button
                size="small"
                variant="outlined"
                component={RouterLink}
                to={`/develop/instance/create?image=${encodeURIComponent(row.source)}`}
              >
                {t('use')}
              </Button>
            </Guarded>
            <ActionButtons
              kind="image"
              target={row}
              shown={0}
              more={row.official ? [] : [{ label: ui('actions.edit'), node: 'updateImage', onPick: () => onEdit(row) }]}
              questions={() => ({
                release: {
                  lost: [
                    t('release.lost', { name: row.name }),
                    ...[usersOf(row.source)]
                      .filter((users) => users.length > 0)
                      .map((users) => t('release.users', { names: users.map(({ name }) => name).join(', ') })),
                  ],
                  kept: [t('release.kept')],
                  typed: row.name,
                },
              })}
            />
          </Box>
        ),
      },
    ];
  }, [t, ui, instances, onEdit]);
}

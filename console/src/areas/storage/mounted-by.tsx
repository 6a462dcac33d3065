// A disk's mounts.
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { resourcePath } from './disk-path.ts';
import { useStorageWords } from './use-storage-words.ts';

/** That a row of the list has room for. */
const MOST_LINES = 2;

export function MountedBy({ disk: { mounted_by: all } }: { disk: Pick<DiskView, 'mounted_by'> }) {
  const t = useStorageWords();
  if (all.length === 0)
    return (
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {t('list.notMounted')}
      </Box>
    );
  const shown = all.length > MOST_LINES ? all.slice(0, MOST_LINES - 1) : all;
  return (
    <>
      {shown.map((one) => (
        <Box key={`${one.kind} ${one.id}`} sx={{ overflow: 'clip', overflowClipMargin: 6, textOverflow: 'ellipsis' }}>
          <Link
            component={RouterLink}
            to={resourcePath(one)}
            title={one.name === one.id ? one.id : `${one.name} (${one.id})`}
          >
            {one.name}
          </Link>
        </Box>
      ))}
      {all.length > shown.length && <span>{`+${all.length - shown.length}`}</span>}
    </>
  );
}

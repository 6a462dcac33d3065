// The current folder in a disk, and the way back up.
import Breadcrumbs from '@mui/material/Breadcrumbs';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { useStorageWords } from '../use-storage-words.ts';
import { crumbsOf } from './file-path.ts';

interface FolderCrumbsProps {
  name: string;
  path: string;
  /** Somebody entered this folder just now: the pressed element is gone, and the focus moves here. */
  isEntered: boolean;
  onOpen: (path: string) => void;
}

export function FolderCrumbs({ name, path, isEntered, onOpen }: FolderCrumbsProps) {
  const t = useStorageWords();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isEntered) place.current?.focus();
  }, [isEntered]);
  const crumbs = [{ name, path: '/' }, ...crumbsOf(path)];
  const here = crumbs.pop();
  return (
    <Breadcrumbs aria-label={t('files.path')} maxItems={6} itemsAfterCollapse={3}>
      {crumbs.map((crumb) => (
        <Link key={crumb.path} component="button" type="button" variant="body2" onClick={() => onOpen(crumb.path)}>
          {crumb.name}
        </Link>
      ))}
      <Typography
        ref={place}
        tabIndex={-1}
        variant="body2"
        color="text.primary"
        aria-current="page"
        sx={{ overflowWrap: 'anywhere' }}
      >
        {here?.name}
      </Typography>
    </Breadcrumbs>
  );
}

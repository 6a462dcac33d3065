// The search over everything: a button in the head, `/` where nobody types, Ctrl+K everywhere.
import SearchIcon from '@mui/icons-material/Search';
import Button from '@mui/material/Button';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useHomeWords } from '../parts/use-home-words.ts';

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }));

export function SearchTool() {
  const t = useHomeWords();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
      if (!isKey && !isSlash) return;
      event.preventDefault();
      // The dialog that is open has something to finish.
      if (document.querySelector('[role="dialog"]') === null) setOpen(true);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <Button
        color="inherit"
        size="small"
        startIcon={<SearchIcon />}
        title={t('search.keys')}
        aria-keyshortcuts="/ Control+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('search.open')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** A slash is a letter there. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

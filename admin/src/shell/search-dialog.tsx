// Finds by what somebody has at hand: an id, a name, a mail, an address in a log line. Arrows move over the results of all groups,
// Enter opens one.
import type { SearchResult } from '@gantry/contract/areas/admin/admin-home.ts';
import { useAllWords } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import { UNSEEN } from '@gantry/ui/widgets/unseen.ts';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import InputBase from '@mui/material/InputBase';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo, useState } from 'react';
import { useDataProvider } from 'react-admin';
import { useNavigate } from 'react-router';
import { useHomeWords } from '../parts/use-home-words.ts';
import type { AdminData } from '../providers/data-provider.ts';
import { problemIn } from '../providers/problem-in.ts';
import { resourceWords } from '../table-words.ts';
import { resourceOf } from '../tables.ts';
import { type Find, keepFind, readFinds } from './recent-finds.ts';

const LEAST_LETTERS = 2;
const AFTER_MS = 150;

interface Group {
  key: string;
  title: string;
  finds: readonly Find[];
  hasMore: boolean;
}

export function SearchDialog({ onClose }: { onClose: () => void }) {
  const t = useHomeWords();
  const words = useAllWords();
  const navigate = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const asked = useSettled(typed.trim());
  const { data, error, isFetching, isPlaceholderData } = useFound(asked);
  const [isWanted, setWanted] = useState(false);
  const isSearch = asked.length >= LEAST_LETTERS;

  const groups = useMemo((): Group[] => {
    if (isSearch)
      return (data?.groups ?? []).map(({ resource, items, has_more: hasMore }) => ({
        key: resource,
        title: resourceWords(words, resource).many,
        finds: items.map((item) => ({ ...item, resource })),
        hasMore,
      }));
    const finds = readFinds();
    return finds.length > 0 ? [{ key: 'recent', title: t('search.recent'), finds, hasMore: false }] : [];
  }, [data, isSearch, words, t]);
  const finds = groups.flatMap((group) => group.finds);
  const here = Math.min(at, finds.length - 1);
  /** The list answers the text that is typed now. */
  const isCurrent = asked === typed.trim() && (!isSearch || (data !== undefined && !isPlaceholderData));

  const open = (find: Find | undefined) => {
    if (!find) return;
    keepFind(find);
    onClose();
    void navigate(`/${resourceOf(find.resource)}/${encodeURIComponent(find.id)}/show`);
  };
  const openWanted = useEffectEvent(() => {
    if (!isWanted || !(isCurrent || error)) return;
    setWanted(false);
    if (isCurrent) open(finds[here]);
  });
  useEffect(() => {
    if (isCurrent || error) openWanted();
  }, [isCurrent, error]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && finds.length > 0) setAt((here + step + finds.length) % finds.length);
    else if (event.key === 'Home' && event.ctrlKey) setAt(0);
    else if (event.key === 'End' && event.ctrlKey) setAt(finds.length - 1);
    // In a word that is being composed, Enter belongs to the composition.
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      // Otherwise it opens when the answer comes.
      if (isCurrent) open(finds[here]);
      else setWanted(true);
    } else return;
    event.preventDefault();
  };
  let place = -1;
  return (
    <Dialog
      open
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      aria-labelledby={`${id}-title`}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
    >
      <h2 id={`${id}-title`} style={UNSEEN}>
        {t('search.title')}
      </h2>
      <InputBase
        autoFocus
        value={typed}
        placeholder={t('search.placeholder')}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
          setWanted(false);
        }}
        onKeyDown={press}
        sx={{ px: 2, py: 1.5, borderBottom: 1, borderColor: 'divider', fontSize: 18 }}
        slotProps={{
          input: {
            role: 'combobox',
            'aria-label': t('search.title'),
            'aria-expanded': finds.length > 0,
            'aria-controls': `${id}-list`,
            'aria-autocomplete': 'list',
            'aria-activedescendant': finds.length > 0 ? `${id}-${here}` : undefined,
            maxLength: 100,
            spellCheck: false,
            autoComplete: 'off',
          },
        }}
      />
      <Box role="status" sx={{ px: 2, py: 1, color: 'text.secondary' }}>
        {statusOf()}
      </Box>
      {error && isSearch && <ErrorState error={problemIn(error)} />}
      <Box
        role="listbox"
        id={`${id}-list`}
        aria-label={t('search.title')}
        sx={{ overflowY: 'auto', maxHeight: '60dvh', pb: 1, opacity: isFetching ? 0.7 : 1 }}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of options
          <div key={group.key} role="group" aria-labelledby={`${id}-${group.key}`}>
            <Typography id={`${id}-${group.key}`} variant="body2" color="text.secondary" sx={{ px: 2, pt: 1 }}>
              {group.title}
            </Typography>
            {group.finds.map((find) => {
              place++;
              const own = place;
              return (
                <Option
                  key={`${find.resource}/${find.id}`}
                  id={`${id}-${own}`}
                  find={find}
                  isHere={own === here}
                  onPick={() => open(find)}
                  onPoint={() => setAt(own)}
                />
              );
            })}
            {group.hasMore && (
              <Typography variant="body2" color="text.secondary" sx={{ px: 2 }}>
                {t('search.more')}
              </Typography>
            )}
          </div>
        ))}
      </Box>
    </Dialog>
  );

  function statusOf(): string {
    if (!isSearch) return t('search.hint');
    if (isFetching && !data) return '…';
    return finds.length === 0 ? t('search.none') : t('search.found', { smart_count: finds.length });
  }
}

interface OptionProps {
  id: string;
  find: Find;
  isHere: boolean;
  onPick: () => void;
  onPoint: () => void;
}

function Option({ id, find: { title, text }, isHere, onPick, onPoint }: OptionProps) {
  // The list may be longer than what is seen of it.
  useEffect(() => {
    if (isHere) document.getElementById(id)?.scrollIntoView?.({ block: 'nearest' });
  }, [isHere, id]);
  return (
    <Box
      id={id}
      role="option"
      aria-selected={isHere}
      onClick={onPick}
      onMouseMove={onPoint}
      sx={{
        px: 2,
        py: 0.75,
        cursor: 'pointer',
        borderInlineStart: 3,
        borderColor: isHere ? 'primary.main' : 'transparent',
        bgcolor: isHere ? 'action.selected' : undefined,
      }}
    >
      <Box sx={{ overflowWrap: 'anywhere' }}>{title}</Box>
      <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: 'anywhere' }}>
        {text}
      </Typography>
    </Box>
  );
}

function useFound(q: string) {
  const data = useDataProvider<AdminData>();
  return useQuery({
    queryKey: ['adminSearch', q],
    queryFn: ({ signal }) => data.ask<SearchResult>(`search?${new URLSearchParams({ q })}`, { signal }),
    enabled: q.length >= LEAST_LETTERS,
    placeholderData: keepPreviousData,
    retry: false,
    // Names and mails of others do not stay in memory longer than they are looked at.
    gcTime: 30_000,
  });
}

/** The typed text, once typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

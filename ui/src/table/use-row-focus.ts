// The keyboard in a virtual table: arrows, Home, End and the page keys go from row to row and stay at the same place in it. The
// row that has the focus stays in the page when it is scrolled away; the one after it gets the focus when it is gone.
import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"]';

interface RowFocusParts {
  scroller: RefObject<HTMLElement | null>;
  /** A row's current index; -1 if it is gone. */
  indexOf: (id: string) => number;
  count: number;
  rowsPerPage: number;
  /** Brings a row into sight, which draws it. */
  reveal: (index: number) => void;
}

export interface RowFocus {
  readonly index: number | undefined;
  onFocus(event: FocusEvent<HTMLElement>): void;
  onBlur(event: FocusEvent<HTMLElement>): void;
  /** Gives whether the key was one of its. */
  onKeyDown(event: KeyboardEvent<HTMLElement>): boolean;
}

export function useRowFocus({ scroller, indexOf, count, rowsPerPage, reveal }: RowFocusParts): RowFocus {
  const [held, setHeld] = useState<{ id: string; place: number }>();
  const last = useRef(0);
  const wanted = useRef<{ index: number; place: number }>(undefined);
  const index = held === undefined ? -1 : indexOf(held.id);

  const settle = () => {
    if (!wanted.current) return;
    const { index: at, place } = wanted.current;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${at}"]`);
    if (!row) return;
    wanted.current = undefined;
    const places = row.querySelectorAll<HTMLElement>(FOCUSABLE);
    (places[place] ?? places[places.length - 1])?.focus({ preventScroll: true });
  };
  const go = (to: number, place: number) => {
    wanted.current = { index: Math.max(0, Math.min(to, count - 1)), place };
    reveal(wanted.current.index);
    settle();
  };

  useLayoutEffect(() => {
    if (index !== -1) last.current = index;
    // The focused element was removed together with its row.
    else if (held !== undefined && count > 0 && document.activeElement === document.body) go(last.current, held.place);
    settle();
  });

  return {
    index: index === -1 ? undefined : index,
    // Events of menus and dialogs that a row has opened come by here, too, though they are elsewhere in the page.
    onFocus: ({ currentTarget, target }) => {
      if (!currentTarget.contains(target)) return;
      const row = target.closest<HTMLElement>('[data-index]');
      const id = row?.dataset.id;
      if (!row || id === undefined) return;
      last.current = Number(row.dataset.index);
      setHeld({ id, place: placeIn(row, target) });
    },
    onBlur: ({ currentTarget, target, relatedTarget }) => {
      if (currentTarget.contains(target) && !currentTarget.contains(relatedTarget)) setHeld(undefined);
    },
    onKeyDown: (event) => {
      const target = event.target as HTMLElement;
      if (!event.currentTarget.contains(target) || isEdited(target)) return false;
      const row = target.closest<HTMLElement>('[data-index]');
      const to = nextIndex(event.key, row ? Number(row.dataset.index) : undefined, count, rowsPerPage);
      // If a row has nothing to go to, the keys scroll, as everywhere.
      if (to === undefined || !scroller.current?.querySelector(`[data-index] :is(${FOCUSABLE})`)) return false;
      event.preventDefault();
      go(to, row ? placeIn(row, target) : 0);
      return true;
    },
  };
}

const placeIn = (row: HTMLElement, target: HTMLElement): number =>
  Math.max(0, [...row.querySelectorAll<HTMLElement>(FOCUSABLE)].indexOf(target));

const isEdited = (target: HTMLElement): boolean =>
  target.matches('input:not([type=checkbox]), textarea, select, [role=combobox], [role=slider]');

function nextIndex(key: string, from: number | undefined, count: number, page: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return from === undefined ? 0 : from + 1;
    case 'ArrowUp':
      return from === undefined ? 0 : from - 1;
    case 'PageDown':
      return (from ?? 0) + page;
    case 'PageUp':
      return (from ?? 0) - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

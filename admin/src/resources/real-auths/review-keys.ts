// Keys of the review: pure, so that a table says them. A key that is typed into a field is a letter; Enter and Escape are not.
export type ReviewCommand =
  | {
      readonly do:
        | 'approve'
        | 'reject'
        | 'take'
        | 'send'
        | 'back'
        | 'next'
        | 'zoomIn'
        | 'zoomOut'
        | 'whole'
        | 'left'
        | 'right';
    }
  | { readonly do: 'reason'; readonly number: number };

const LETTERS: Readonly<Record<string, Exclude<ReviewCommand['do'], 'reason'>>> = {
  a: 'approve',
  r: 'reject',
  m: 'take',
  n: 'next',
  l: 'left',
  t: 'right',
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  '0': 'whole',
};

export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** Part of a word that an input method composes. */
  readonly isComposing: boolean;
}

/** `isAnswering`: a decision is being made; `isTyping`: in a text field. */
export function reviewCommandOf(
  { key, ctrlKey, metaKey, altKey, shiftKey, isComposing }: PressedKey,
  { isAnswering, isTyping }: { isAnswering: boolean; isTyping: boolean },
): ReviewCommand | undefined {
  if (isComposing || ctrlKey || metaKey || altKey) return undefined;
  if (key === 'Escape') return isAnswering ? { do: 'back' } : undefined;
  // A line break is Shift and Enter.
  if (key === 'Enter') return isAnswering && !shiftKey ? { do: 'send' } : undefined;
  if (isTyping) return undefined;
  if (isAnswering && /^[1-9]$/.test(key)) return { do: 'reason', number: Number(key) };
  const command = LETTERS[key.toLowerCase()];
  return command ? { do: command } : undefined;
}

// The keys of the frame, and whether a key pressed is meant for it.
const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

export const PALETTE_KEY = isApple ? '⌘ K' : 'Ctrl K';

export type FrameCommand = 'palette' | 'sidebar' | 'shortcuts';

const TYPED_INTO = 'input, textarea, select, [contenteditable=true], [role=dialog], [role=menu]';

/** Keys in input fields belong to the field; a terminal even uses Ctrl-K. */
export function commandOf({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): FrameCommand | undefined {
  const element = target instanceof Element ? target : undefined;
  if (element?.closest('.xterm') || altKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' ? 'palette' : undefined;
  if (element?.closest(TYPED_INTO)) return undefined;
  if (key === '?') return 'shortcuts';
  return key === '[' ? 'sidebar' : undefined;
}

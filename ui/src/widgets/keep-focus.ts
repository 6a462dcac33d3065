// Keeps the place of people who work by keyboard or screen reader when the focused element goes away: a button whose command was
// sent, a row that is deleted, a dialog whose opener is gone. Browsers then move the focus to the body. While the focus is
// anywhere else, it is left alone.

interface Place {
  readonly layer: Element;
  readonly path: string;
  /** The focused element and its ancestors, up to its layer; each with its index among its siblings then. */
  readonly chain: readonly { readonly element: HTMLElement; readonly at: number }[];
}

/** Without fields to type in: to land in one opens a keyboard on a screen that is touched. */
const PRESSED =
  'a[href], button:not(:disabled), input:is([type=checkbox], [type=radio]):not(:disabled), [tabindex="0"]:not(input, textarea)';
const HEADING = 'h1, h2, h3, h4, h5, h6';
const HIDDEN = '[aria-hidden=true], [inert]';
const GROUP = 'tr, li, fieldset, [role=row], [role=group]';

/** Gives what ends it. */
export function keepFocus(): () => void {
  // The last is where the focus is or was; those before are what lies below it: the button that opened a menu, the menu, its dialog.
  let places: readonly Place[] = [];
  let isAsked = false;
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  const without = (layer: Element) => places.filter((place) => place.layer !== layer && place.layer.isConnected);

  const enter = ({ target }: FocusEvent) => {
    const place = target instanceof HTMLElement ? placeOf(target) : undefined;
    if (place) places = [...without(place.layer), place];
  };
  const forget = () => {
    const last = places.at(-1);
    const element = last?.chain[0]?.element;
    if (last && isLost() && element?.isConnected && !element.matches(':disabled')) places = without(last.layer);
  };
  // Some browsers tell that it left before they take the element away, and none says why.
  const leave = ({ relatedTarget }: FocusEvent) => relatedTarget === null && queueMicrotask(forget);
  // A button that waits for an answer is disabled and has lost the focus already: only this event says that the person turned
  // elsewhere.
  const turn = () => {
    if (isLost()) places = [];
  };
  const look = () => {
    isAsked = false;
    while (isLost()) {
      const last = places.at(-1);
      // A new page decides itself where the focus begins.
      if (!last || last.path !== location.pathname) return;
      const element = last.chain[0]?.element;
      // It may come back; otherwise it will be removed, which triggers this again.
      if (element?.isConnected && element.matches(':disabled')) return;
      // A dialog that has just closed still hides it; another event follows when it no longer does.
      if (last.layer.isConnected && last.layer.matches(HIDDEN)) return;
      const next = element?.isConnected ? element : nearest(last);
      next?.focus({ preventScroll: true });
      if (isLost()) places = places.slice(0, -1);
    }
  };
  const seen = new MutationObserver(() => {
    if (isAsked || places.length === 0 || !isLost()) return;
    isAsked = true;
    // After the code that removed it, which may move the focus itself.
    setTimeout(look);
  });

  document.addEventListener('focusin', enter);
  document.addEventListener('focusout', leave);
  document.addEventListener('pointerdown', turn, true);
  seen.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'aria-hidden', 'inert'],
  });
  return () => {
    document.removeEventListener('focusin', enter);
    document.removeEventListener('focusout', leave);
    document.removeEventListener('pointerdown', turn, true);
    seen.disconnect();
    places = [];
  };
}

function placeOf(target: HTMLElement): Place | undefined {
  const chain: Place['chain'][number][] = [];
  for (let element = target; element !== document.body; ) {
    const parent = element.parentElement;
    if (!parent) return undefined;
    chain.push({ element, at: [...parent.children].indexOf(element) });
    element = parent;
  }
  const layer = chain.at(-1)?.element;
  return layer && { layer, path: location.pathname, chain };
}

/** The element now in its place, or next to it; otherwise the heading or the region it was in. */
function nearest({ chain, layer }: Place): HTMLElement | undefined {
  if (!layer.isConnected) return undefined;
  const from = chain.findIndex(({ element }) => element.isConnected);
  const [gone, left] = [chain[from - 1], chain[from]];
  if (!gone || !left) return undefined;
  const inGone = pressedIn(gone.element).indexOf(chain[0]?.element as HTMLElement);
  const siblings = [...left.element.children];
  const beside = [...siblings.slice(gone.at), ...siblings.slice(0, gone.at).reverse()];
  for (const sibling of beside) {
    const isAlike = sibling.tagName === gone.element.tagName;
    const found = (isAlike ? pressedIn(sibling)[inGone] : undefined) ?? shownIn(sibling, `${HEADING}, ${PRESSED}`)[0];
    if (found) return asGoal(found);
  }
  for (const { element } of chain.slice(from)) {
    const [found] = element.matches(GROUP) ? pressedIn(element) : shownIn(element, HEADING);
    if (element.hasAttribute('tabindex') || found) return asGoal(found ?? element);
  }
  return undefined;
}

const pressedIn = (element: Element) => shownIn(element, PRESSED);

const shownIn = (element: Element, wanted: string): HTMLElement[] =>
  [...(element.matches(wanted) ? [element] : []), ...element.querySelectorAll(wanted)].filter(
    (each): each is HTMLElement =>
      // Without a layout, visibility is unknown.
      each instanceof HTMLElement && !each.closest(HIDDEN) && each.checkVisibility?.() !== false,
  );

function asGoal(element: HTMLElement): HTMLElement {
  if (!element.matches(PRESSED) && !element.hasAttribute('tabindex')) element.tabIndex = -1;
  return element;
}

// What a rendered page does in a browser, without React: who is signed in, the language that is kept, copying, and votes. Elements say by
// their attributes what they are for.
import { readToken } from '@gantry/ui/session/session.ts';

const YEAR_SECONDS = 31_536_000;
const COPIED_MS = 2_000;

export function enliven(root: ParentNode): void {
  const isSignedIn = readToken() !== undefined;
  for (const element of all(root, 'visitor')) element.hidden = (element.dataset.visitor === 'known') !== isSignedIn;
  for (const link of all(root, 'language')) {
    // The gateway reads it where an address has no language.
    link.addEventListener('click', () => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and the page is about to leave
      document.cookie = `gantry_language=${link.dataset.language}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}`;
    });
  }
  for (const button of all(root, 'copied')) button.addEventListener('click', () => void copy(button));
  for (const section of all(root, 'votes')) takeVotes(section);
}

const all = (root: ParentNode, name: string) => [...root.querySelectorAll<HTMLElement>(`[data-${name}]`)];

/** The text of the block before the button. */
async function copy(button: HTMLElement): Promise<void> {
  const said = button.firstElementChild;
  if (!said || said.textContent === button.dataset.copied) return;
  await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? '');
  const before = said.textContent;
  said.textContent = button.dataset.copied ?? '';
  setTimeout(() => {
    said.textContent = before;
  }, COPIED_MS);
}

/** Buttons that ask, and what is said afterwards. One that failed can be pressed again. */
function takeVotes(section: HTMLElement): void {
  const [asking] = all(section, 'asking');
  const [status] = all(section, 'thanks');
  if (!asking || !status) return;
  asking.hidden = false;
  for (const button of all(asking, 'helpful')) {
    button.addEventListener('click', async () => {
      const answer = await fetch(section.dataset.votes ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ helpful: button.dataset.helpful === 'yes' }),
      }).catch(() => undefined);
      const isSent = answer?.ok === true;
      asking.hidden = isSent;
      status.textContent = (isSent ? status.dataset.thanks : status.dataset.failed) ?? '';
    });
  }
}

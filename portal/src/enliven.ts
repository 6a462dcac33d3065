// What a rendered page does in a browser, without React: who is signed in, the language that is kept, copying, and votes. Elements say by
// their attributes what they are for.
import { forgetSession, readAccountId, readToken } from '@gantry/ui/session/session.ts';

const YEAR_SECONDS = 31_536_000;
const COPIED_MS = 2_000;

export function enliven(root: ParentNode): void {
  const token = readToken();
  showVisitor(root, token !== undefined);
  if (token !== undefined) void nameAccount(root, token);
  for (const button of all(root, 'logout')) button.addEventListener('click', () => void logOut(root, button));
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

function showVisitor(root: ParentNode, isSignedIn: boolean): void {
  for (const element of all(root, 'visitor')) element.hidden = (element.dataset.visitor === 'known') !== isSignedIn;
}

/** A session that is over is nobody's. While the gateway is away the menu stays, without the name. */
async function nameAccount(root: ParentNode, token: string): Promise<void> {
  const answer = await fetch('/api/auth/v1/account/me', { headers: { 'x-token': token } }).catch(() => undefined);
  if (answer?.status === 401) return showVisitor(root, false);
  if (!answer?.ok) return;
  const { result } = (await answer.json()) as { result: { username: string } };
  for (const element of all(root, 'account')) element.textContent = result.username;
}

/** The server hears of it first: a session that cannot be ended would go on without anybody knowing. */
async function logOut(root: ParentNode, button: HTMLElement): Promise<void> {
  const [token, accountId] = [readToken(), readAccountId()];
  const answer = await fetch('/api/auth/v1/logout', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-token': token ?? '' },
    body: JSON.stringify(accountId === undefined ? {} : { account_id: accountId }),
  }).catch(() => undefined);
  if (!answer || (!answer.ok && answer.status !== 401)) {
    button.textContent = button.dataset.logout ?? '';
    return;
  }
  forgetSession();
  showVisitor(root, false);
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

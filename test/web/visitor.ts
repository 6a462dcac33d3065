// A person with their own browser: a page, and everything that goes wrong on it. An error that nobody announced is a fault.
import { mkdir, writeFile } from 'node:fs/promises';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import type { Browser, BrowserContext, Page, Response } from 'playwright';
import { eventually } from '../support/eventually.ts';
import type { Person } from '../support/sign-up.ts';

export interface VisitorOptions {
  readonly language?: 'en' | 'zh' | 'ja';
  readonly scheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
  /** A finger instead of a mouse. */
  readonly hasTouch?: boolean;
}

const LOCALES = { en: 'en-US', zh: 'zh-CN', ja: 'ja-JP' } as const;
export const DESK = { width: 1440, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;
export const SMALL_PHONE = { width: 360, height: 740 } as const;
export const CHROMIUM = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] };
const PATIENCE_MS = 60_000;
const PLACEHOLDERS = '.MuiSkeleton-root, .RaPlaceholder-root, [aria-busy=true]';
/** The pages at which people end up who may not see another. */
const ELSEWHERE = ['/login', '/404'];
const PICTURES = '.run/results/web';

export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The faults, a sentence each. */
  readonly #faults: string[] = [];
  readonly #expected: RegExp[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    page.on('pageerror', (error) => this.#faults.push(`exception: ${error.message}`));
    page.on('console', (message) => {
      // For an error answer we know more ourselves.
      if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
      this.#faults.push(`console: ${message.text()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.#faults.push(answered(response));
    });
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // A page that is left takes its calls along.
      if (why !== 'net::ERR_ABORTED') this.#faults.push(`failed: ${request.method()} ${request.url()} ${why}`);
    });
  }

  static async come(browser: Browser, baseURL: string, options: VisitorOptions = {}): Promise<Visitor> {
    const { language = 'en', scheme = 'light', viewport = DESK, hasTouch = false } = options;
    const context = await browser.newContext({
      baseURL,
      locale: LOCALES[language],
      colorScheme: scheme,
      viewport,
      hasTouch,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await context.addInitScript(COUNTS_EFFORT);
    return new Visitor(context, await context.newPage());
  }

  /** Like the console itself, without its login page: a separate session for this browser, because the console replaces it. */
  async isSignedInAs({ client, name, password, accountId }: Person, organizationId: string): Promise<void> {
    const { token = '' } = await client.must(ACCOUNT_ROUTES.login, { body: { account: name, password } });
    const url = await this.#origin();
    await this.context.addCookies([{ name: 'gantry_token', value: token, url }]);
    await this.page.evaluate(
      `localStorage.setItem('gantry_account_id', '${accountId}'); localStorage.setItem('gantry_org_id', '${organizationId}')`,
    );
  }

  /** At the operators' console, whose session is its own. */
  async isStaff({ client, name, password }: Person): Promise<void> {
    const { token = '' } = await client.must(ACCOUNT_ROUTES.login, { body: { account: name, password } });
    await this.context.addCookies([{ name: 'gantry_admin_token', value: token, url: await this.#origin() }]);
  }

  /** Any page of the origin can write to its storage. */
  async #origin(): Promise<string> {
    await this.page.goto('/favicon.svg');
    return new URL(this.page.url()).origin;
  }

  /** To an address whose page is theirs to see. */
  async goes(path: string): Promise<void> {
    const pathname = await this.tries(path);
    if (ELSEWHERE.includes(pathname) && !path.startsWith(pathname)) throw new Error(`${path} led to ${pathname}`);
  }

  /** Navigates until the page has settled: nothing is loading, and nothing is a placeholder. Returns the final address. */
  async tries(path: string): Promise<string> {
    await this.page.goto(path);
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
    await this.stands();
    return new URL(this.page.url()).pathname;
  }

  /** Until nothing on the page is a placeholder. */
  async stands(): Promise<void> {
    await eventually(
      `${this.page.url()} has no placeholder left`,
      async () => (await this.page.locator(PLACEHOLDERS).count()) === 0,
    );
  }

  effort(): Promise<Effort> {
    return this.page.evaluate<Effort>(
      "({ clicks: Number(sessionStorage.getItem('test_clicks')), fields: Number(sessionStorage.getItem('test_fields')) })",
    );
  }

  /** From here on this is no fault: a refusal that the story is about, a network that is gone. */
  expects(...patterns: readonly RegExp[]): void {
    this.#expected.push(...patterns);
  }

  faults(): readonly string[] {
    return this.#faults.filter((fault) => !this.#expected.some((pattern) => pattern.test(fault)));
  }

  /** The last picture, for people who examine a failure. */
  async picture(name: string): Promise<void> {
    await mkdir(PICTURES, { recursive: true });
    await this.page.screenshot({ path: `${PICTURES}/${name}.png` });
    await writeFile(`${PICTURES}/${name}.html`, `<!-- ${this.page.url()} -->\n${await this.page.content()}`);
  }

  leave(): Promise<void> {
    return this.context.close();
  }
}

/** The effort of somebody so far, in this tab. */
interface Effort {
  readonly clicks: number;
  /** Fields that were typed into. */
  readonly fields: number;
}

/**
 * Runs in the page. A label and its box are one press. Playwright cancels a press under which the page has moved, and repeats it;
 * it listens later than this.
 */
const COUNTS_EFFORT = `
  const bump = (name) => sessionStorage.setItem(name, String(Number(sessionStorage.getItem(name) ?? 0) + 1));
  addEventListener('pointerdown', (press) => setTimeout(() => press.defaultPrevented || bump('test_clicks')), true);
  addEventListener('input', ({ target }) => {
    if (!['text', 'email', 'password', 'tel', 'number'].includes(target.type)) return;
    const field = 'test_field ' + location.pathname + ' ' + (target.name || target.id);
    if (sessionStorage.getItem(field) === null) bump('test_fields');
    sessionStorage.setItem(field, '');
  }, true);
`;

const answered = (response: Response) => {
  const { pathname } = new URL(response.url());
  return `answer: ${response.status()} ${response.request().method()} ${pathname}`;
};

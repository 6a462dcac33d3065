// Row G2: what Lighthouse says of a page on a slow phone, as it plays one: its own throttling, a browser that has nothing yet.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lighthouse from 'lighthouse';
import { chromium } from 'playwright';
import { builtAdmin } from '../../hack/web-apps.ts';
import { freePorts } from '../support/free-ports.ts';
import { openPortalScene } from '../web/portal-scene.ts';
import { CHROMIUM } from '../web/visitor.ts';
import { openAdminScene } from './admin-scene.ts';
import { sized } from './stage.ts';
import { openWebScene, TOKEN } from './web-scene.ts';

const ROUNDS = sized(3);
const INSTANCES = 100;

/** Scores of a hundred, times in milliseconds. */
export interface Report {
  readonly performance: number;
  readonly accessibility: number;
  readonly seo: number;
  readonly bestPractices: number;
  readonly largestPaintMs: number;
  readonly shift: number;
  readonly blockedMs: number;
}

interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** One report for each round; a page that needs it is signed in to. */
export const lighthouseRuns = async (path: string, isSignedIn: boolean): Promise<readonly Report[]> =>
  runs(await openWebScene(INSTANCES), path, isSignedIn ? 'gantry_token' : undefined);

/** The same of a page of the operators' console. */
export const adminLighthouseRuns = async (path: string): Promise<readonly Report[]> =>
  runs(await openAdminScene(await builtAdmin()), path, 'gantry_admin_token');

/** The same of a page of the portal, for a visitor. */
export async function portalLighthouseRuns(path: string): Promise<readonly Report[]> {
  const { url, gateway } = await openPortalScene();
  return runs({ url, close: () => gateway.stop() }, path, undefined);
}

async function runs(scene: Served, path: string, cookie: string | undefined): Promise<readonly Report[]> {
  const reports: Report[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) reports.push(await report(scene.url, path, cookie));
  } finally {
    await scene.close();
  }
  return reports;
}

async function report(origin: string, path: string, cookie: string | undefined): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-lighthouse-'));
  const [port = 0] = await freePorts(1);
  const args = [...CHROMIUM.args, `--remote-debugging-port=${port}`];
  const context = await chromium.launchPersistentContext(folder, { ...CHROMIUM, args });
  try {
    if (cookie !== undefined) await context.addCookies([{ name: cookie, value: TOKEN, url: origin }]);
    const found = await lighthouse(`${origin}${path}`, {
      port,
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility', 'seo', 'best-practices'],
      // Keeps the login.
      disableStorageReset: cookie !== undefined,
    });
    if (!found) throw new Error(`Lighthouse says nothing of ${path}`);
    const { categories, audits, runtimeError, finalDisplayedUrl } = found.lhr;
    if (runtimeError) throw new Error(`Lighthouse at ${path}: ${runtimeError.message}`);
    if (new URL(finalDisplayedUrl).pathname !== path) throw new Error(`${path} led to ${finalDisplayedUrl}`);
    const score = (name: string) => 100 * (categories[name]?.score ?? Number.NaN);
    const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      seo: score('seo'),
      bestPractices: score('best-practices'),
      largestPaintMs: value('largest-contentful-paint'),
      shift: value('cumulative-layout-shift'),
      blockedMs: value('total-blocking-time'),
    };
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  }
}

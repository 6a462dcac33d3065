// Row G1: what the first page loads of scripts, counted in a browser from the network.
import { chromium } from 'playwright';
import { openPortalScene } from '../web/portal-scene.ts';
import { CHROMIUM } from '../web/visitor.ts';
import { scriptBytes } from '../web/weight.ts';
import { openWebScene } from './web-scene.ts';

/** The same of pages of the portal: one that React does not take over, and one that it does. */
export async function portalRoutes(...paths: readonly string[]): Promise<readonly number[]> {
  const scene = await openPortalScene();
  const browser = await chromium.launch(CHROMIUM);
  const bytes: number[] = [];
  try {
    for (const path of paths) bytes.push(await scriptBytes(await browser.newPage({ baseURL: scene.url }), path));
    return bytes;
  } finally {
    await browser.close();
    await scene.gateway.stop();
  }
}

export async function firstRoute(): Promise<number> {
  const scene = await openWebScene(0);
  const browser = await chromium.launch(CHROMIUM);
  try {
    return await scriptBytes(await browser.newPage({ baseURL: scene.url }), '/login');
  } finally {
    await browser.close();
    await scene.close();
  }
}

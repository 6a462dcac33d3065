// Row G1: what the first page loads of scripts, counted in a browser from the network.
import { chromium } from 'playwright';
import { CHROMIUM } from '../web/visitor.ts';
import { scriptBytes } from '../web/weight.ts';
import { openWebScene } from './web-scene.ts';

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

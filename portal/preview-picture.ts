// Draws the picture that a link to the portal is shown with elsewhere, out of the icon: `node portal/preview-picture.ts`, after a change of
// it. The picture is in `public/`, because what builds the portal has no browser.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';

const pathOf = (file: string): string => fileURLToPath(new URL(`public/${file}`, import.meta.url));
const icon = readFileSync(pathOf('favicon.svg'), 'utf8');

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(`<!doctype html>
<style>
  body { margin: 0; height: 630px; display: flex; align-items: center; justify-content: center; gap: 56px; background: #f6f7f9 }
  svg { width: 220px; height: 220px }
  p { margin: 0; font: 700 132px/1 "DejaVu Sans", sans-serif; letter-spacing: -0.02em; color: #1a2027 }
</style>
${icon}<p>Gantry</p>`);
await page.screenshot({ path: pathOf('preview.png') });
await browser.close();

// Row G3: the list of instances with ten thousand rows and a hundred changes a second from its stream, while somebody clicks,
// presses keys and scrolls. The browser itself reports how long each took until it was visible.
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import { CHROMIUM, DESK } from '../web/visitor.ts';
import { sized } from './stage.ts';
import { percentile } from './statistics.ts';
import { openWebScene, TOKEN, type WebScene } from './web-scene.ts';

const ROWS = sized(10_000);
const EVERY_MS = 10;
const PLAY_MS = sized(15) * 1000;
const PACE_MS = 60;
const SHOWN = 10;

export interface LiveTable {
  /** Interaction to next paint, 98th of a hundred. */
  readonly inpMs: number;
  readonly interactions: number;
  readonly changesPerSecond: number;
  /** The most that were in the page at once. */
  readonly rowsInPage: number;
}

/** Durations below the browser's minimum count as zero. */
const OBSERVE = `
  window.taken = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) taken.set(interactionId, Math.max(taken.get(interactionId) ?? 0, duration));
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });`;
const COUNT = `document.querySelectorAll('[role=table] [data-index]').length`;

export async function liveTable(): Promise<LiveTable> {
  const scene = await openWebScene(ROWS);
  const browser = await chromium.launch(CHROMIUM);
  try {
    const context = await browser.newContext({ baseURL: scene.url, viewport: DESK });
    await context.addCookies([{ name: 'gantry_token', value: TOKEN, url: scene.url }]);
    const page = await context.newPage();
    await page.goto('/develop/instance');
    await page.getByText('training_run_0', { exact: true }).waitFor();
    await page.evaluate(OBSERVE);
    const changes = new Changes(scene);
    const started = performance.now();
    const { interactions, rowsInPage } = await play(page, started + PLAY_MS);
    const changesPerSecond = changes.stop() / ((performance.now() - started) / 1000);
    await changes.areSeen(page);
    const taken: number[] = await page.evaluate('[...taken.values()]');
    const quick = Array.from({ length: Math.max(0, interactions - taken.length) }, () => 0);
    return { inpMs: percentile([...taken, ...quick], 0.98), interactions, changesPerSecond, rowsInPage };
  } finally {
    await browser.close();
    await scene.close();
  }
}

/** Half of them in sight at the top, half anywhere. */
class Changes {
  readonly #scene: WebScene;
  readonly #timer: NodeJS.Timeout;
  readonly #started = performance.now();
  #sent = 0;

  constructor(scene: WebScene) {
    this.#scene = scene;
    // As many as are due: a timer that comes late leaves none out.
    this.#timer = setInterval(() => {
      while (this.#sent * EVERY_MS < performance.now() - this.#started) this.#tell(this.#sent++);
    }, EVERY_MS);
  }

  #tell(number: number): void {
    const { instances } = this.#scene;
    const view = instances[number % 2 === 0 ? (number / 2) % SHOWN : (number * 7919) % instances.length];
    if (view) this.#scene.tell({ ...view, specification: `change ${number}` });
  }

  /** How many there were. */
  stop(): number {
    clearInterval(this.#timer);
    return this.#sent;
  }

  /** Throws if the page does not show the changes: then nothing was measured. */
  async areSeen(page: Page): Promise<void> {
    const [first] = this.#scene.instances;
    if (first) this.#scene.tell({ ...first, specification: 'the last change' });
    await page.evaluate(`document.querySelector('[role=table]').scrollTo(0, 0)`);
    await page.getByText('the last change').waitFor();
  }
}

async function play(page: Page, endsAt: number): Promise<{ interactions: number; rowsInPage: number }> {
  const box = await page.getByRole('table').boundingBox();
  if (!box) throw new Error('there is no table');
  // Clicks the box that ticks a row.
  const tick = (row: number) => page.mouse.click(box.x + 24, box.y + 70 + row * 52);
  let interactions = 0;
  let rowsInPage = 0;
  for (let step = 0; performance.now() < endsAt; step++) {
    switch (step % 6) {
      case 0:
        await tick(step % 4);
        interactions++;
        break;
      case 1:
      case 2:
        await page.keyboard.press('ArrowDown');
        interactions++;
        break;
      case 3:
        await page.keyboard.press(step % 4 === 0 ? 'PageUp' : 'PageDown');
        interactions++;
        break;
      case 4:
        await page.mouse.wheel(0, step % 5 === 0 ? -40_000 : 2_000);
        break;
      default:
        await page.keyboard.press(step % 12 === 5 ? 'End' : 'Home');
        interactions++;
    }
    rowsInPage = Math.max(rowsInPage, await page.evaluate<number>(COUNT));
    await pause(PACE_MS);
  }
  return { interactions, rowsInPage };
}

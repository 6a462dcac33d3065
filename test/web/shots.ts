// `make shots`: a picture of every page of the console, and of what opens on some, in three languages, on a desk and on a phone,
// from the running stack of `make up`, with an organisation that has something to show. For people to look at; what a program can
// see is tested.
import { mkdir, rm } from 'node:fs/promises';
import { chromium } from 'playwright';
import { installTestPackages } from '../../hack/debian-packages.ts';
import { readDoubleKeys } from '../../hack/payments/double-keys.ts';
import { HttpClient } from '../support/http-client.ts';
import { newestMail } from '../support/mail-sink.ts';
import { type Language, opened, type PageToSee, pagesToSee } from './pages.ts';
import { seeded } from './seed.ts';
import { CHROMIUM, DESK, PHONE, Visitor } from './visitor.ts';

const FOLDER = '.run/shots';
const LANGUAGES = ['en', 'zh', 'ja'] as const satisfies readonly Language[];
const SIZES = [
  { name: '1440', viewport: DESK, scheme: 'light' },
  { name: '390', viewport: PHONE, scheme: 'dark' },
] as const;

const { GANTRY_API, GANTRY_CONSOLE, GANTRY_MAIL, GANTRY_PAYMENTS, GANTRY_PAYMENTS_KEYS } = process.env;
if (!GANTRY_API || !GANTRY_CONSOLE || !GANTRY_MAIL || !GANTRY_PAYMENTS || !GANTRY_PAYMENTS_KEYS)
  throw new Error('`make up` comes first, then `eval "$(make -s env)"`');

await installTestPackages();
const seed = await seeded(
  {
    client: new HttpClient(() => new URL(GANTRY_API).origin),
    mailbox: { newest: (to, matching) => newestMail(GANTRY_MAIL, to, matching) },
    paymentsUrl: GANTRY_PAYMENTS,
    paymentsKey: (await readDoubleKeys(GANTRY_PAYMENTS_KEYS)).secretKey,
  },
  `shots_${Date.now().toString(36).slice(-6)}`,
);
// `make shots PAGES="login manage"`: those whose address holds a word.
const words = process.argv.slice(2);
const pages = [...(await pagesToSee(seed)), ...opened()].filter(
  ({ path }) => words.length === 0 || words.some((w) => path.includes(w)),
);

await rm(FOLDER, { recursive: true, force: true });
let missing = 0;
for (const language of LANGUAGES)
  for (const { name, viewport, scheme } of SIZES) {
    const started = performance.now();
    // Each its own browser: what one did to it the next does not see.
    const browser = await chromium.launch(CHROMIUM);
    try {
      const visitor = await Visitor.come(browser, GANTRY_CONSOLE, { language, viewport, scheme });
      missing += await shoot(visitor, language, `${FOLDER}/${language}-${name}`);
      for (const fault of visitor.faults()) console.log(`  ${fault}`);
    } finally {
      await browser.close();
    }
    console.log(`${FOLDER}/${language}-${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
process.exitCode = missing > 0 ? 1 : 0;

/** Resolves with how many pages could not be seen. */
async function shoot(visitor: Visitor, language: Language, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  let failed = 0;
  for (const isOpen of [true, false]) {
    if (!isOpen) await visitor.isSignedInAs(seed.person, seed.organizationId);
    for (const page of pages.filter((one) => one.isOpen === isOpen)) {
      try {
        await visitor.goes(page.path);
        await open(page, visitor, language);
      } catch (error) {
        failed++;
        console.log(`  ${page.path}: ${(error as Error).message.split('\n')[0]}`);
      }
      // If a page never settles, the picture shows it as it is.
      await visitor.page.screenshot({ path: `${folder}/${page.name}.png`, fullPage: true }).catch(() => {});
    }
  }
  console.log(`${folder}: ${pages.length - failed} of ${pages.length} pictures`);
  return failed;
}

/** A dialog settles before its picture is taken. */
async function open({ opens }: PageToSee, visitor: Visitor, language: Language): Promise<void> {
  if (!opens) return;
  await visitor.page.getByRole('button', { name: await opens.button(language) }).click();
  await visitor.page.getByRole(opens.shows).waitFor();
  await visitor.stands();
}

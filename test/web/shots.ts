// `make shots`: a picture of every page of the console, and of what opens on some, in three languages, on a desk and on a phone,
// from the running stack of `make up`, with an organisation that has something to show; and with ADMIN_PASSWORD, of every page of the
// operators' console. For people to look at; what a program can see is tested.
import { mkdir, rm } from 'node:fs/promises';
import { chromium } from 'playwright';
import { installTestPackages } from '../../hack/debian-packages.ts';
import { readDoubleKeys } from '../../hack/payments/double-keys.ts';
import { HttpClient } from '../support/http-client.ts';
import { newestMail } from '../support/mail-sink.ts';
import { Person } from '../support/sign-up.ts';
import { adminPages } from './admin-pages.ts';
import { type Language, opened, type PageToSee, pagesToSee } from './pages.ts';
import { seeded } from './seed.ts';
import { CHROMIUM, DESK, PHONE, Visitor, type VisitorOptions } from './visitor.ts';

const FOLDER = '.run/shots';
const LANGUAGES = ['en', 'zh', 'ja'] as const satisfies readonly Language[];
const SIZES = [
  { name: '1440', viewport: DESK, scheme: 'light' },
  { name: '390', viewport: PHONE, scheme: 'dark' },
] as const;

/** The name of the account with all rights. */
const ADMINISTRATOR = 'admin';

const { GANTRY_ADMIN, ADMIN_PASSWORD } = process.env;
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
const isWanted = (path: string) => words.length === 0 || words.some((word) => path.includes(word));
const pages = [...(await pagesToSee(seed)), ...opened()].filter(({ path }) => isWanted(path));
const staff = await administrator();
const staffPages = staff ? (await adminPages(staff.client)).filter(isWanted) : [];

await rm(FOLDER, { recursive: true, force: true });
let missing = 0;
for (const language of LANGUAGES)
  for (const { name, ...size } of SIZES) {
    const folder = `${FOLDER}/${language}-${name}`;
    missing += await visited(GANTRY_CONSOLE, { language, ...size }, folder, (visitor) =>
      shoot(visitor, language, folder),
    );
    if (!staff || !GANTRY_ADMIN) continue;
    const ofStaff = `${FOLDER}/admin-${language}-${name}`;
    missing += await visited(GANTRY_ADMIN, { language, ...size }, ofStaff, (visitor) =>
      shootStaff(visitor, staff, ofStaff),
    );
  }
process.exitCode = missing > 0 ? 1 : 0;

/** Undefined, said in a line, where the operators' console cannot be visited. Rejects where the password is not the administrator's. */
async function administrator(): Promise<Person | undefined> {
  if (!GANTRY_ADMIN || !ADMIN_PASSWORD) {
    const missed = GANTRY_ADMIN ? `ADMIN_PASSWORD, of ${ADMINISTRATOR} after the first sign-in` : 'GANTRY_ADMIN';
    console.log(`no pictures of the operators' console: the environment lacks ${missed}`);
    return undefined;
  }
  const client = new HttpClient(() => new URL(GANTRY_API as string).origin);
  const person = new Person({ name: ADMINISTRATOR, email: '', password: ADMIN_PASSWORD, accountId: '' }, client);
  await person.login();
  return person;
}

/** Each folder has its own browser: what one did to it the next does not see. */
async function visited(
  address: string,
  options: VisitorOptions,
  folder: string,
  shoots: (visitor: Visitor) => Promise<number>,
): Promise<number> {
  const started = performance.now();
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch(CHROMIUM);
  try {
    const visitor = await Visitor.come(browser, address, options);
    const failed = await shoots(visitor);
    for (const fault of visitor.faults()) console.log(`  ${fault}`);
    return failed;
  } finally {
    await browser.close();
    console.log(`${folder}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
}

/** Resolves with how many pages could not be seen. */
async function shootStaff(visitor: Visitor, person: Person, folder: string): Promise<number> {
  await visitor.isStaff(person);
  let failed = 0;
  for (const path of staffPages) {
    // Without the row's id: a picture keeps its name from run to run.
    const name = path
      .replace(/[^/]+\/show$/, 'show')
      .slice(1)
      .replaceAll('/', '-');
    failed += await shot(visitor, path, `${folder}/${name}.png`);
  }
  console.log(`${folder}: ${staffPages.length - failed} of ${staffPages.length} pictures`);
  return failed;
}

/** Resolves with how many pages could not be seen. */
async function shoot(visitor: Visitor, language: Language, folder: string): Promise<number> {
  let failed = 0;
  for (const isOpen of [true, false]) {
    if (!isOpen) await visitor.isSignedInAs(seed.person, seed.organizationId);
    for (const page of pages.filter((one) => one.isOpen === isOpen)) {
      failed += await shot(visitor, page.path, `${folder}/${page.name}.png`, () => open(page, visitor, language));
    }
  }
  console.log(`${folder}: ${pages.length - failed} of ${pages.length} pictures`);
  return failed;
}

/** Resolves with 1 where the page could not be seen as it should. */
async function shot(visitor: Visitor, path: string, file: string, opens = async () => {}): Promise<0 | 1> {
  let failed: 0 | 1 = 0;
  try {
    await visitor.goes(path);
    await opens();
  } catch (error) {
    failed = 1;
    console.log(`  ${path}: ${(error as Error).message.split('\n')[0]}`);
  }
  // If a page never settles, the picture shows it as it is.
  await visitor.page.screenshot({ path: file, fullPage: true }).catch(() => {});
  return failed;
}

/** A dialog settles before its picture is taken. */
async function open({ opens }: PageToSee, visitor: Visitor, language: Language): Promise<void> {
  if (!opens) return;
  await visitor.page.getByRole('button', { name: await opens.button(language) }).click();
  await visitor.page.getByRole(opens.shows).waitFor();
  await visitor.stands();
}

// A program that reads every page of a portal's sitemap, in rounds, so many a second until it is ended, while fewer than 64 wait for their
// answers.
// Arguments: the portal's address, requests a second. Its last line is how many it was answered.
const [url = '', rate = '200'] = process.argv.slice(2);
const SECOND_MS = 1_000;
const MOST_WAITING = 64;

const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
const pages = [...sitemap.matchAll(/<loc>([^<]+)</g)].map(([, page = '']) => page);
let asked = 0;
let answered = 0;
let waiting = 0;
const started = performance.now();
setInterval(() => {
  // Timers come late on a busy machine: what is due is asked for at once.
  const due = ((performance.now() - started) / SECOND_MS) * Number(rate);
  for (; asked < due && waiting < MOST_WAITING; asked++) {
    waiting += 1;
    void fetch(pages[asked % pages.length] ?? url)
      .then(async (answer) => {
        await answer.arrayBuffer();
        if (answer.ok) answered += 1;
      })
      .catch(() => {})
      .finally(() => {
        waiting -= 1;
      });
  }
}, 5);
process.once('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify({ asked, answered })}\n`, () => process.exit(0));
});
process.stdout.write('crawling\n');

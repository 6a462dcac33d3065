// `make gpu`: which cards the cluster pretends to have and who holds them, and what a person makes of one: hot, idle, an XID error,
// memory errors, or sound again.
import { layout } from '../layout.ts';
import type { Fault } from './gpu-cards.ts';
import { setFault } from './gpu-faults.ts';
import { gpuExporterUrl } from './start-prometheus.ts';

const DOES: Readonly<Record<string, (value: string) => Fault>> = {
  hot: () => ({ hot: true }),
  idle: () => ({ idle: true }),
  xid: (value) => ({ xid: numberIn(value, 'xid') }),
  ecc: (value) => ({ ecc: numberIn(value, 'ecc') }),
  sound: () => ({}),
};
const USAGE = `DO=${Object.keys(DOES).join('|')}, with xid=79 and ecc=2 as numbers; CARD=<part of a line below>`;

function numberIn(value: string, what: string): number {
  if (!/^[1-9]\d{0,4}$/.test(value)) throw new Error(`DO=${what}=${value}: want a number such as DO=${what}=79`);
  return Number(value);
}

const cluster = layout(process.env.NAME || 'gantry');
const { DO: wish = '', CARD: wanted = '' } = process.env;
try {
  const cards = await readCards();
  if (wish === '') {
    for (const { line } of cards) console.log(line);
    console.log(USAGE);
  } else {
    const [what = '', value = ''] = wish.split('=');
    const fault = DOES[what]?.(value);
    if (!fault) throw new Error(`DO=${wish}: want ${USAGE}`);
    const chosen = cards.filter(({ line }) => wanted !== '' && line.includes(wanted));
    if (chosen.length === 0) throw new Error(`CARD=${wanted}: no card's line has that; \`make gpu\` lists them`);
    for (const { uuid, line } of chosen) {
      await setFault(cluster, uuid, fault);
      console.log(`${what}: ${line}`);
    }
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}

/** As the exporter says. */
async function readCards(): Promise<{ uuid: string; line: string }[]> {
  const answer = await fetch(gpuExporterUrl(cluster)).catch(() => undefined);
  if (!answer?.ok) throw new Error(`the exporter of ${cluster.name} does not answer; \`make up\` starts it`);
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('DCGM_FI_DEV_GPU_TEMP{'));
  return lines.map((line) => {
    const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(line)?.[1] ?? '';
    const holder = label('pod') === '' ? 'free' : `${label('namespace')}/${label('pod')}`;
    return {
      uuid: label('UUID'),
      line: `${label('Hostname')}/${label('gpu')} ${label('UUID')} ${label('modelName')} ${holder}`,
    };
  });
}

// The gateway as a process: configuration in, signals handled, exit codes out. 2: bad configuration; 1: a start, or a command,
// that cannot succeed. Commands have more of their own.
import { endInOrder } from '@gantry/kube/end-in-order.ts';
import { openLog } from '@gantry/kube/log.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { registryImages } from './areas/instances/logs/registry-images.ts';
import { runCommand } from './commands.ts';
import { storedBlobs } from './core/files/open.ts';
import { runDoctor } from './doctor-command.ts';
import { clusterOf, startGateway } from './gateway.ts';
import { type Config, doctorHelpText, helpText, readConfig, readDoctorConfig } from './platform/config.ts';

async function run(config: Config): Promise<void> {
  const log = openLog(config.logLevel);
  const ending = endInOrder(log);
  const gateway = await startGateway(config, log);
  ending.stopWith(() => gateway.stop());
}

/** Words before the first flag are a command: it does one thing, beside a gateway or without one, and ends. */
async function carryOut(words: readonly string[], config: Config): Promise<never> {
  const cluster = () => clusterOf(config, openLog(config.logLevel)).client;
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const hasImage = registryImages(config.registryUrl, cluster);
  return process.exit(await runCommand(words, { config, cluster, say, hasImage, hasBlob: storedBlobs(config) }));
}

/** Its options are its own. Signals call it off, and what it made is still taken away. */
async function doctor(args: readonly string[]): Promise<void> {
  const config = readDoctorConfig(args, process.env);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  if (config === 'help') return say(doctorHelpText());
  const calledOff = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => calledOff.abort());
  process.exit(await runDoctor(config, { say, signal: calledOff.signal }));
}

async function serve(words: readonly string[], flags: readonly string[]): Promise<void> {
  // A restore may bring the platform's key along.
  const config = readConfig(flags, process.env, { needsKey: words[0] !== 'restore' });
  if (config === 'help') process.stdout.write(helpText());
  else if (words.length > 0) await carryOut(words, config);
  else await run(config);
}

try {
  const args = process.argv.slice(2);
  const firstFlag = args.findIndex((arg) => arg.startsWith('-'));
  const words = args.slice(0, firstFlag === -1 ? args.length : firstFlag);
  const rest = args.slice(words.length);
  if (words.join(' ') === 'doctor') await doctor(rest);
  else await serve(words, rest);
} catch (error) {
  process.stderr.write(`gantry-gateway: ${(error as Error).message}\n`);
  process.exit(error instanceof BadConfig ? 2 : 1);
}

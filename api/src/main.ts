// The gateway as a process: configuration in, signals handled, exit codes out. 2: bad configuration; 1: a start, or a command,
// that cannot succeed.
import { endInOrder } from '@gantry/kube/end-in-order.ts';
import { openLog } from '@gantry/kube/log.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { runCommand } from './compose/commands.ts';
import { clusterOf, startGateway } from './compose/start-gateway.ts';
import { type Config, helpText, readConfig } from './config.ts';

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
  return process.exit(await runCommand(words, { config, cluster, say }));
}

try {
  const args = process.argv.slice(2);
  const firstFlag = args.findIndex((arg) => arg.startsWith('-'));
  const words = args.slice(0, firstFlag === -1 ? args.length : firstFlag);
  const config = readConfig(args.slice(words.length), process.env);
  if (config === 'help') process.stdout.write(helpText());
  else if (words.length > 0) await carryOut(words, config);
  else await run(config);
} catch (error) {
  process.stderr.write(`gantry-gateway: ${(error as Error).message}\n`);
  process.exit(error instanceof BadConfig ? 2 : 1);
}

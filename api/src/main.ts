// The gateway as a process: configuration in, signals handled, exit codes out. 2: bad configuration; 1: a start that can not
// succeed.
import { openLog } from '@gantry/kube/log.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { type Config, helpText, readConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

async function run(config: Config): Promise<void> {
  const log = openLog(config.logLevel);
  // Nobody knows what state such a failure leaves behind; whoever supervises us starts us anew.
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'a failure that nobody waited for');
    process.exit(1);
  });
  const gateway = await startGateway(config, log);
  const end = async (): Promise<never> => {
    await gateway.stop();
    return process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end());
}

try {
  const config = readConfig(process.argv.slice(2), process.env);
  if (config === 'help') process.stdout.write(helpText());
  else await run(config);
} catch (error) {
  process.stderr.write(`gantry-gateway: ${(error as Error).message}\n`);
  process.exit(error instanceof BadConfig ? 2 : 1);
}

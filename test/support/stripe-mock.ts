// stripe-mock, built from its module: it knows the card provider's own description of every call, refuses others and remembers
// nothing.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { binary } from '../../hack/binaries.ts';
import { endingWithUs } from './ending-with-us.ts';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';

export interface StripeMock {
  readonly url: string;
  end(): Promise<void>;
}

export async function startStripeMock(): Promise<StripeMock> {
  const path = await binary('stripe-mock');
  const [port = 0] = await freePorts(1);
  const child: ChildProcess = spawn(...endingWithUs(path, ['-http-port', `${port}`]), { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await eventually('stripe-mock', () => fetch(url).then(() => true));
  return {
    url,
    async end() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

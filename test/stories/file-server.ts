// A disk's file server, reached as the gateway will: through the API server into its Pod, with the token.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { binary } from '../../hack/binaries.ts';
import { endingWithUs } from '../support/ending-with-us.ts';
import type { Disk } from './disk.ts';

export class FileServer {
  readonly #url: string;
  readonly #token: string;
  readonly close: () => void;

  private constructor(url: string, token: string, close: () => void) {
    this.#url = url;
    this.#token = token;
    this.close = close;
  }

  static async of(disk: Disk, kubeconfig: string): Promise<FileServer> {
    const name = `${disk.name}-files`;
    const token = await disk.inNamespace('get', 'secret', name, '-o', 'jsonpath={.data.token}');
    const program = endingWithUs(await binary('kubectl'), [
      `--kubeconfig=${kubeconfig}`,
      `--namespace=${disk.namespace}`,
      'port-forward',
      `pod/${name}`,
      ':8080',
    ]);
    const forward = spawn(...program, { stdio: ['ignore', 'pipe', 'ignore'] });
    const close = () => void forward.kill('SIGKILL');
    for await (const line of createInterface(forward.stdout)) {
      const port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port) return new FileServer(`http://127.0.0.1:${port}`, Buffer.from(token, 'base64').toString(), close);
    }
    throw new Error(`kubectl port-forward to ${name} ended`);
  }

  /** `query` as it is sent; without the token if requested. */
  call(method: string, path: string, query: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}`, ...init.headers };
    return fetch(`${this.#url}${path}?${new URLSearchParams(query)}`, { ...init, method, headers });
  }
}

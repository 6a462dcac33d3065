// A WebSocket through the API server into a Pod, as a member of its organisation: the server asks RBAC what the member may, and
// the kubelet does the rest. It works wherever the API server does, whatever the network between us and the Pod.
import type { Agent, IncomingMessage } from 'node:http';
import WebSocket from 'ws';

/** The address at which the API server takes WebSockets of one user. */
export interface SocketTarget {
  /** ws:// or wss://, with the path asked for. */
  url: string;
  headers: Readonly<Record<string, string>>;
  agent: Agent;
}

/** The API server as one user sees it. */
export interface SocketSource {
  socketTarget(path: string): Promise<SocketTarget>;
}

export interface PodName {
  namespace: string;
  pod: string;
}

/** The API server, or a kubelet behind it, took no connection. `code` is the HTTP status; 0 where no answer came. */
export class PodUnreachable extends Error {
  override readonly name = 'PodUnreachable';
  readonly code: number;

  constructor(code: number, said: string) {
    super(`the Pod cannot be reached (${code || 'no answer'}): ${said.slice(0, 300)}`);
    this.code = code;
  }
}

const HANDSHAKE_MS = 10_000;
const MOST_REFUSAL_BYTES = 4096;
/** Per message; kubelets send at most 32 KiB at a time. */
const MOST_MESSAGE_BYTES = 1 << 20;

/**
 * Resolves once it is open, paused: the first message may come along with the handshake. Resume it when somebody listens.
 * `isOneAtATime`: others have their turn between two messages, each of which is work.
 */
export async function openPodSocket(
  source: SocketSource,
  { namespace, pod }: PodName,
  subresource: 'exec' | 'portforward',
  query: readonly (readonly [string, string])[],
  protocol: string,
  { isOneAtATime = false } = {},
): Promise<WebSocket> {
  const words = ['api', 'v1', 'namespaces', namespace, 'pods', pod, subresource].map(encodeURIComponent).join('/');
  const asked = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  const { url, headers, agent } = await source.socketTarget(`/${words}?${asked}`);
  const socket = new WebSocket(url, [protocol], {
    headers,
    agent,
    perMessageDeflate: false,
    allowSynchronousEvents: !isOneAtATime,
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MOST_MESSAGE_BYTES,
  });
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(new PodUnreachable(0, error.message));
    socket.once('error', failed);
    socket.once('unexpected-response', (_request, answer) => void refused(answer).then(reject, failed));
    socket.once('open', () => {
      socket.pause();
      socket.off('error', failed);
      // A socket that breaks also closes, and that is what everybody listens to.
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}

async function refused(answer: IncomingMessage): Promise<PodUnreachable> {
  let said = '';
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    said += chunk.toString('utf8');
    if (said.length > MOST_REFUSAL_BYTES) break;
  }
  return new PodUnreachable(answer.statusCode ?? 0, said);
}

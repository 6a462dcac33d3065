// A stream into a Pod over a WebSocket: to one of its ports, or to the input and output of a program that is executed there. An
// organisation's network policy does not block it, because the kubelet opens it inside the Pod.
import { Agent, type ClientRequestArgs } from 'node:http';
import { Duplex } from 'node:stream';
import type WebSocket from 'ws';
import { openPodSocket, type PodName, PodUnreachable, type SocketSource } from './pod-socket.ts';

/** The channels of a protocol; the first byte of a message names one. */
interface Wire {
  subresource: 'portforward' | 'exec';
  protocol: string;
  input: number;
  output: number;
  error: number;
  /** With which each channel begins. */
  skippedBytes: number;
}
/** Each channel begins with the number of the port. */
const FORWARD: Wire = {
  subresource: 'portforward',
  protocol: 'v4.channel.k8s.io',
  input: 0,
  output: 0,
  error: 1,
  skippedBytes: 2,
};
/** Its error channel says how the program ended, whatever that was. */
const EXECUTE: Wire = {
  subresource: 'exec',
  protocol: 'v5.channel.k8s.io',
  input: 0,
  output: 1,
  error: 3,
  skippedBytes: 0,
};
const HIGH_WATER = 256 * 1024;

class PodStream extends Duplex {
  readonly #socket: WebSocket;
  readonly #wire: Wire;
  readonly #begun = new Set<number>();
  #idle: NodeJS.Timeout | undefined;

  private constructor(socket: WebSocket, wire: Wire) {
    super({ readableHighWaterMark: HIGH_WATER, writableHighWaterMark: HIGH_WATER });
    this.#socket = socket;
    this.#wire = wire;
    socket.on('message', (message: Buffer) => this.#take(message));
    socket.on('close', () => {
      this.push(null);
      // Nobody may be reading; with nothing left, this ends the stream anyway.
      this.read(0);
    });
    // The protocol cannot close one direction alone: the end of one ends both, after received data has been read.
    this.once('end', () => this.destroy());
    this.once('finish', () => this.destroy());
    // Nobody may be using it when the Pod breaks it off: an error without a listener would end the process.
    this.on('error', () => {});
    socket.resume();
  }

  /** Throws PodUnreachable. That nobody listens at the port, or that the program ended, shows only as an error of the stream. */
  static async open(
    source: SocketSource,
    at: PodName,
    wire: Wire,
    query: readonly (readonly [string, string])[],
  ): Promise<PodStream> {
    const socket = await openPodSocket(source, at, wire.subresource, query, wire.protocol);
    if (socket.protocol === wire.protocol) return new PodStream(socket, wire);
    socket.terminate();
    throw new PodUnreachable(0, `the API server speaks "${socket.protocol}"`);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#idle?.refresh();
    this.#socket.send(Buffer.concat([Buffer.of(this.#wire.input), chunk]), (error) => done(error ?? null));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idle);
    this.#socket.terminate();
    done(error);
  }

  #take(message: Buffer): void {
    this.#idle?.refresh();
    const { output, error, skippedBytes } = this.#wire;
    const channel = message[0] ?? error;
    let payload = message.subarray(1);
    if (channel !== output && channel !== error) return;
    if (!this.#begun.has(channel)) {
      this.#begun.add(channel);
      payload = payload.subarray(skippedBytes);
    }
    if (payload.length === 0) return;
    if (channel === error) {
      // The end of a program that has answered: what it said is still to be read, and the socket closes by itself.
      if (this.#wire === EXECUTE && this.#begun.has(output)) return;
      this.destroy(new PodUnreachable(0, payload.toString('utf8')));
    } else if (!this.push(payload)) this.#socket.pause();
  }

  // Socket settings that HTTP expects; the connection to the API server has the real ones.
  setTimeout(ms: number, onTimeout?: () => void): this {
    clearTimeout(this.#idle);
    this.#idle = ms > 0 ? setTimeout(() => this.emit('timeout'), ms).unref() : undefined;
    if (onTimeout && ms > 0) this.once('timeout', onTimeout);
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

const IDLE_MS = 20_000;

/** Keeps connections to one port of one Pod. Close it with `destroy`. */
export const podAgent = (source: SocketSource, at: PodName, port: number): Agent =>
  agentOver(() => PodStream.open(source, at, FORWARD, [['ports', `${port}`]]));

/** At most so many programs run at once in a Pod for one agent; further calls wait. */
const MOST_PROGRAMS = 8;

/** Keeps programs in a Pod's main container that answer HTTP on their input and output. Close it with `destroy`. */
export const programAgent = (source: SocketSource, at: PodName, command: readonly string[]): Agent =>
  agentOver(
    () =>
      PodStream.open(source, at, EXECUTE, [
        ['container', 'main'],
        ['stdin', 'true'],
        ['stdout', 'true'],
        ...command.map((word) => ['command', word] as const),
      ]),
    MOST_PROGRAMS,
  );

function agentOver(open: () => Promise<PodStream>, maxSockets = Number.POSITIVE_INFINITY): Agent {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 4, maxSockets, timeout: IDLE_MS, scheduling: 'lifo' });
  agent.createConnection = ((_options: ClientRequestArgs, done: (error: Error | null, stream?: Duplex) => void) => {
    open().then(
      (stream) => done(null, stream),
      (error: Error) => done(error),
    );
  }) as typeof agent.createConnection;
  return agent;
}

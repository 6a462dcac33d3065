// A TCP connection to a port of a Pod, as a stream: port forwarding over a WebSocket. An organisation's network policy does not
// block it, because the kubelet opens it inside the Pod.
import { Agent, type ClientRequestArgs } from 'node:http';
import { Duplex } from 'node:stream';
import type WebSocket from 'ws';
import { openPodSocket, type PodName, PodUnreachable, type SocketSource } from './pod-socket.ts';

const DATA = 0;
const ERROR = 1;
/** Each channel begins with the number of the port. */
const PORT_BYTES = 2;
const HIGH_WATER = 256 * 1024;

class PodStream extends Duplex {
  readonly #socket: WebSocket;
  readonly #begun = [false, false];
  #idle: NodeJS.Timeout | undefined;

  private constructor(socket: WebSocket) {
    super({ readableHighWaterMark: HIGH_WATER, writableHighWaterMark: HIGH_WATER });
    this.#socket = socket;
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

  /** Throws PodUnreachable. That nobody listens at the port shows only as an error of the stream. */
  static async open(source: SocketSource, at: PodName, port: number): Promise<PodStream> {
    const query = [['ports', `${port}`]] as const;
    return new PodStream(await openPodSocket(source, at, 'portforward', query, 'v4.channel.k8s.io'));
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#idle?.refresh();
    this.#socket.send(Buffer.concat([Buffer.of(DATA), chunk]), (error) => done(error ?? null));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idle);
    this.#socket.terminate();
    done(error);
  }

  #take(message: Buffer): void {
    this.#idle?.refresh();
    const channel = message[0] ?? ERROR;
    let payload = message.subarray(1);
    if (channel !== DATA && channel !== ERROR) return;
    if (!this.#begun[channel]) {
      this.#begun[channel] = true;
      payload = payload.subarray(PORT_BYTES);
    }
    if (payload.length === 0) return;
    if (channel === ERROR) this.destroy(new PodUnreachable(0, payload.toString('utf8')));
    else if (!this.push(payload)) this.#socket.pause();
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
export function podAgent(source: SocketSource, at: PodName, port: number): Agent {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 4, timeout: IDLE_MS, scheduling: 'lifo' });
  agent.createConnection = ((_options: ClientRequestArgs, done: (error: Error | null, stream?: Duplex) => void) => {
    PodStream.open(source, at, port).then(
      (stream) => done(null, stream),
      (error: Error) => done(error),
    );
  }) as typeof agent.createConnection;
  return agent;
}

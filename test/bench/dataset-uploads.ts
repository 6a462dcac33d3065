// Rows S1 and S3: files on their way into a dataset over the API, beside AWS's S3 client, which sends as many pieces to the same store; and
// what a version of thousands of small files costs that changed little, or not at all.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { DATASET_ROUTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { ObjectStore } from '../../api/src/platform/object-store/object-store.ts';
import { HttpClient } from '../support/http-client.ts';
import { type ObjectStore as StoreServer, startObjectStore } from '../support/object-store.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { type DatasetFile, type Put, uploadDataset } from '../support/upload-dataset.ts';
import type { Pair } from './measure.ts';
import { cpuMsOf } from './over-http.ts';
import { sized } from './stage.ts';

const PAIRS = 4;
const STREAMS = 4;
const STREAM_BYTES = Math.max(PIECE_BYTES, Math.round(sized(256) / 16) * PIECE_BYTES);
const SMALL_FILES = sized(20_000);
const SMALL_BYTES = 2048;

interface Place {
  readonly client: HttpClient;
  readonly store: StoreServer;
  /** The gateway's process. */
  readonly pid: number;
}

export interface DatasetUploads {
  /** Bytes per second, until the version is ready and until the objects are complete. */
  readonly upload: readonly Pair[];
  /** Until the last byte has been taken, on both sides. */
  readonly taken: readonly Pair[];
  /** The peer's own upload through a relay that does nothing else, beside its upload without one. */
  readonly relayed: readonly Pair[];
  /** Of the gateway. */
  readonly cpuMsPerMb: readonly number[];
}

export interface SmallFiles {
  /** Seconds until the version of the same files is ready. */
  readonly unchangedSeconds: readonly number[];
  /** Of all bytes, after one in a hundred files changed. */
  readonly sentShare: number;
}

export const datasetUploads = (): Promise<DatasetUploads> =>
  withGateway(async ({ client, store, pid }) => {
    const bytes = randomBytes(PIECE_BYTES);
    // No two pieces are equal, so that nothing is there already.
    const piece = (stream: number, at: number, round: number): Uint8Array => {
      bytes.writeUInt32BE(stream, 0);
      bytes.writeUInt32BE(at, 4);
      bytes.writeUInt32BE(round, 8);
      return Buffer.from(bytes);
    };
    const clientOf = (url: string) =>
      new ObjectStore({
        ...{ url, bucket: store.bucket, region: 'us-east-1' },
        ...{ accessKey: store.credentials.accessKeyId, secretKey: store.credentials.secretAccessKey },
      });
    const relay = await started<{ url: string }>(new URL('bare-relay.ts', import.meta.url), [store.endpoint]);
    const [straight, relayed] = [clientOf(store.endpoint), clientOf(relay.said.url)];
    const rateOf = (ms: number): number => (STREAMS * STREAM_BYTES) / (ms / 1000);
    const cpuMsPerMb: number[] = [];
    const put = byRequest(client);
    /** Milliseconds from the beginning to the last byte, and to the end. */
    const uploadOurs = async (round: number) => {
      const id = await newDataset(client, `speed-${round}`);
      const files = Array.from(
        { length: STREAMS },
        (_, stream): DatasetFile => ({
          ...{ path: `${stream}.bin`, size: STREAM_BYTES },
          read: (from) => piece(stream, from, round),
        }),
      );
      const [began, cpuBefore] = [performance.now(), await cpuMsOf(pid)];
      const { sentAt } = await uploadDataset(client, id, files, { atOnce: STREAMS, put });
      const found = { takenMs: sentAt - began, readyMs: performance.now() - began };
      cpuMsPerMb.push(((await cpuMsOf(pid)) - cpuBefore) / ((STREAMS * STREAM_BYTES) / 1e6));
      await client.must(DATASET_ROUTES.deleteDataset, { params: { id } });
      return found;
    };
    const uploadPeer = async (by: ObjectStore, name: string) => {
      const keys = Array.from({ length: STREAMS }, (_, stream) => `${name}/${stream}`);
      const number = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 0) >>> 0;
      const began = performance.now();
      const sentAt = await Promise.all(
        keys.map((key, stream) => sendObject(by, key, (at) => piece(stream + 100, at, number))),
      );
      const found = { takenMs: Math.max(...sentAt) - began, readyMs: performance.now() - began };
      for (const key of keys) await by.remove(key);
      return found;
    };
    try {
      const [upload, taken, throughRelay]: [Pair[], Pair[], Pair[]] = [[], [], []];
      for (let round = 0; round < PAIRS; round++) {
        const plays = {
          ours: () => uploadOurs(round),
          peer: () => uploadPeer(straight, `peer-${round}`),
          relay: () => uploadPeer(relayed, `relayed-${round}`),
        };
        const found: Partial<Record<keyof typeof plays, { takenMs: number; readyMs: number }>> = {};
        // Whatever drifts hits all alike.
        const order = ['ours', 'peer', 'relay'] as const;
        for (const name of round % 2 === 0 ? order : order.toReversed()) found[name] = await plays[name]();
        const { ours, peer, relay: bare } = found as Required<typeof found>;
        upload.push({ ours: rateOf(ours.readyMs), peer: rateOf(peer.readyMs) });
        taken.push({ ours: rateOf(ours.takenMs), peer: rateOf(peer.takenMs) });
        throughRelay.push({ ours: rateOf(bare.readyMs), peer: rateOf(peer.readyMs) });
      }
      return { upload, taken, relayed: throughRelay, cpuMsPerMb };
    } finally {
      await relay.end();
    }
  });

export const smallFiles = (): Promise<SmallFiles> =>
  withGateway(async ({ client }) => {
    const id = await newDataset(client, 'small');
    const fileOf = (number: number, edition: number): DatasetFile => {
      const content = createHash('sha512')
        .update(`${number}/${edition}`)
        .digest('hex')
        .repeat(SMALL_BYTES / 128);
      const bytes = Buffer.from(content);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { path: `part-${number % 100}/${number}.txt`, size: bytes.length, sha256, read: () => bytes };
    };
    const files = Array.from({ length: SMALL_FILES }, (_, number) => fileOf(number, 0));
    await uploadDataset(client, id, files, { atOnce: 8 });
    const unchangedSeconds: number[] = [];
    for (let round = 0; round < 3; round++) {
      const began = performance.now();
      const { sentBytes } = await uploadDataset(client, id, files);
      if (sentBytes > 0) throw new Error(`${sentBytes} bytes were sent again`);
      unchangedSeconds.push((performance.now() - began) / 1000);
    }
    const changed = files.map((file, number) => (number % 100 === 0 ? fileOf(number, 1) : file));
    const { sentBytes } = await uploadDataset(client, id, changed);
    return { unchangedSeconds, sentShare: sentBytes / files.reduce((all, { size }) => all + size, 0) };
  });

/** As the S3 client sends: fetch copies each piece twice, at four times the CPU, and the processors are all sides'. */
function byRequest(client: HttpClient): Put {
  const agent = new Agent({ keepAlive: true });
  const headers = { 'x-token': client.token };
  return async (path, piece) => {
    const sent = request(client.url(path), {
      ...{ method: 'PUT', agent },
      headers: { ...headers, 'content-length': piece.length },
    });
    const answered = once(sent, 'response');
    sent.end(piece);
    const [answer] = (await answered) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, text: await text(answer) };
  };
}

const newDataset = async (client: HttpClient, name: string): Promise<string> =>
  (await client.must(DATASET_ROUTES.createDataset, { body: { name } })).id;

/** Resolves with when the last piece was taken. */
async function sendObject(store: ObjectStore, key: string, piece: (at: number) => Uint8Array): Promise<number> {
  const uploadId = await store.begin(key);
  for (let at = 0; at < STREAM_BYTES; at += PIECE_BYTES) {
    const body = piece(at);
    await store.putPiece(key, uploadId, { number: at / PIECE_BYTES + 1, size: body.length, body });
  }
  const sentAt = performance.now();
  await store.join(key, uploadId, () => true);
  return sentAt;
}

/** A program of its own, and the first line that it writes, as JSON. */
async function started<Said>(
  program: URL,
  args: readonly string[],
): Promise<{ said: Said; pid: number; end(): Promise<void> }> {
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    said: JSON.parse(`${line}`) as Said,
    pid: child.pid ?? 0,
    async end() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function withGateway<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const postgres = await startPostgres({ fsync: true });
  const store = await startObjectStore();
  const database = await postgres.createDatabase('datasets');
  const gateway = await started<{ url: string; token: string }>(new URL('dataset-gateway.ts', import.meta.url), [
    ...[database, store.endpoint, store.credentialsFile],
  ]);
  const { url, token } = gateway.said;
  try {
    return await work({ client: new HttpClient(() => url, token), store, pid: gateway.pid });
  } finally {
    await gateway.end();
    await store.end();
    await postgres.end();
  }
}

// Rows S1 and S3: files on their way into a dataset over the API, beside AWS's S3 client, which sends as many pieces to the same store; and
// what a version of thousands of small files costs that changed little, or not at all.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DATASET_ROUTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { ObjectStore } from '../../api/src/platform/object-store/object-store.ts';
import { HttpClient } from '../support/http-client.ts';
import { type ObjectStore as StoreServer, startObjectStore } from '../support/object-store.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { type DatasetFile, uploadDataset } from '../support/upload-dataset.ts';
import type { Pair } from './measure.ts';
import { sized } from './stage.ts';
import { pairsOf } from './wire.ts';

const PAIRS = 4;
const STREAMS = 4;
const STREAM_BYTES = Math.max(PIECE_BYTES, Math.round(sized(256) / 16) * PIECE_BYTES);
const SMALL_FILES = sized(20_000);
const SMALL_BYTES = 2048;

interface Place {
  readonly client: HttpClient;
  readonly store: StoreServer;
}

export interface DatasetUploads {
  /** Bytes per second, until the version is ready and until the objects are complete. */
  readonly upload: readonly Pair[];
}

export interface SmallFiles {
  /** Seconds until the version of the same files is ready. */
  readonly unchangedSeconds: readonly number[];
  /** Of all bytes, after one in a hundred files changed. */
  readonly sentShare: number;
}

export const datasetUploads = (): Promise<DatasetUploads> =>
  withGateway(async ({ client, store }) => {
    const bytes = randomBytes(PIECE_BYTES);
    // No two pieces are equal, so that nothing is there already.
    const piece = (stream: number, at: number, round: number): Uint8Array => {
      bytes.writeUInt32BE(stream, 0);
      bytes.writeUInt32BE(at, 4);
      bytes.writeUInt32BE(round, 8);
      return Buffer.from(bytes);
    };
    const peer = new ObjectStore({
      ...{ url: store.endpoint, bucket: store.bucket, region: 'us-east-1' },
      ...{ accessKey: store.credentials.accessKeyId, secretKey: store.credentials.secretAccessKey },
    });
    const speed = async (work: () => Promise<void>): Promise<number> => {
      const began = performance.now();
      await work();
      return (STREAMS * STREAM_BYTES) / ((performance.now() - began) / 1000);
    };
    const upload = await pairsOf(PAIRS, {
      async ours(round) {
        const id = await newDataset(client, `speed-${round}`);
        const files = Array.from(
          { length: STREAMS },
          (_, stream): DatasetFile => ({
            ...{ path: `${stream}.bin`, size: STREAM_BYTES },
            read: (from) => piece(stream, from, round),
          }),
        );
        const found = await speed(async () => void (await uploadDataset(client, id, files, { atOnce: STREAMS })));
        await client.must(DATASET_ROUTES.deleteDataset, { params: { id } });
        return found;
      },
      async peer(round) {
        const keys = Array.from({ length: STREAMS }, (_, stream) => `peer/${round}/${stream}`);
        const found = await speed(async () => {
          await Promise.all(keys.map((key, stream) => sendObject(peer, key, (at) => piece(stream + 100, at, round))));
        });
        for (const key of keys) await peer.remove(key);
        return found;
      },
    });
    return { upload };
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

const newDataset = async (client: HttpClient, name: string): Promise<string> =>
  (await client.must(DATASET_ROUTES.createDataset, { body: { name } })).id;

async function sendObject(store: ObjectStore, key: string, piece: (at: number) => Uint8Array): Promise<void> {
  const uploadId = await store.begin(key);
  for (let at = 0; at < STREAM_BYTES; at += PIECE_BYTES) {
    const body = piece(at);
    await store.putPiece(key, uploadId, { number: at / PIECE_BYTES + 1, size: body.length, body });
  }
  await store.join(key, uploadId, () => true);
}

async function withGateway<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const postgres = await startPostgres({ fsync: true });
  const store = await startObjectStore();
  const program = fileURLToPath(new URL('dataset-gateway.ts', import.meta.url));
  const database = await postgres.createDatabase('datasets');
  const child = spawn(process.execPath, [program, database, store.endpoint, store.credentialsFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { url, token } = JSON.parse(`${line}`) as { url: string; token: string };
    return await work({ client: new HttpClient(() => url, token), store });
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await store.end();
    await postgres.end();
  }
}

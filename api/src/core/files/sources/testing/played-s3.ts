// An S3 server at the wire, of one bucket: lists in pages, ranges, ETags, and whatever a stranger's server may answer instead.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PlayedS3 {
  port: number;
  /** By their keys. */
  objects: Map<string, Buffer>;
  /** Requests, as `GET /bucket?query`, without what signs them. */
  asked: string[];
  /** Whether each was signed. */
  signed: boolean[];
  /** Answers in place of all else. */
  instead: ((req: IncomingMessage, res: ServerResponse) => void) | undefined;
  /** The next object breaks off after so many bytes, and `broken` is called. */
  breaksAfter: number | undefined;
  broken: () => void;
  reset(): void;
  end(): void;
}

const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;

export async function playS3(bucket: string): Promise<PlayedS3> {
  const server = createServer((req, res) => answer(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const played: PlayedS3 = {
    port: (server.address() as AddressInfo).port,
    ...{ objects: new Map(), asked: [], signed: [], instead: undefined },
    ...{ breaksAfter: undefined, broken: () => undefined },
    reset() {
      Object.assign(played, { objects: new Map(), asked: [], signed: [], instead: undefined, breaksAfter: undefined });
    },
    end() {
      server.closeAllConnections();
      server.close();
    },
  };
  return played;

  function answer(req: IncomingMessage, res: ServerResponse): void {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://s3');
    const path = decodeURIComponent(pathname);
    played.asked.push(`${req.method} ${path}${searchParams.get('list-type') === '2' ? '?list' : ''}`);
    played.signed.push(req.headers.authorization !== undefined);
    if (played.instead) return void played.instead(req, res);
    if (searchParams.get('list-type') === '2') return void list(searchParams, res);
    const bytes = played.objects.get(path.slice(bucket.length + 2));
    if (!bytes) return void fault(res, 404, 'NoSuchKey');
    give(bytes, req, res);
  }

  function list(query: URLSearchParams, res: ServerResponse): void {
    const most = Number(query.get('max-keys') ?? 1000);
    const after = query.get('continuation-token') ?? '';
    const keys = [...played.objects.keys()].sort().filter((key) => key.startsWith(query.get('prefix') ?? ''));
    const left = keys.filter((key) => key > after);
    const page = left.slice(0, most);
    const contents = page.map((key) => {
      const bytes = played.objects.get(key) ?? Buffer.alloc(0);
      const etag = etagOf(bytes).replaceAll('"', '&quot;');
      return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>${etag}</ETag><Size>${bytes.length}</Size></Contents>`;
    });
    const isCut = left.length > page.length;
    const more = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    res.setHeader('content-type', 'application/xml');
    res.end(
      `<?xml version="1.0"?><ListBucketResult><Name>${bucket}</Name><EncodingType>url</EncodingType><IsTruncated>${isCut}</IsTruncated>${more}${contents.join('')}</ListBucketResult>`,
    );
  }

  function give(bytes: Buffer, req: IncomingMessage, res: ServerResponse): void {
    const etag = etagOf(bytes);
    const wanted = req.headers['if-match'];
    if (wanted !== undefined && wanted !== etag) return void fault(res, 412, 'PreconditionFailed');
    const from = Number(/^bytes=(\d+)-$/.exec(req.headers.range ?? '')?.[1] ?? 0);
    const part = bytes.subarray(from);
    if (from > 0) res.setHeader('content-range', `bytes ${from}-${bytes.length - 1}/${bytes.length}`);
    res.writeHead(from > 0 ? 206 : 200, { etag, 'content-length': part.length });
    const { breaksAfter } = played;
    if (breaksAfter === undefined) return void res.end(part);
    played.breaksAfter = undefined;
    res.write(part.subarray(0, breaksAfter), () => {
      played.broken();
      res.destroy();
    });
  }
}

function fault(res: ServerResponse, status: number, code: string): void {
  res.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}

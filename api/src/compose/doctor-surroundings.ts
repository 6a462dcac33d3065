// What the doctor looks at, from the options: for the command, and for a running gateway.
import { DOCTOR_ACCOUNT, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Config } from '../config.ts';
import { type Database, openUnmigrated } from '../db/open.ts';
import type { Surroundings } from '../doctor/check.ts';
import { type DatabaseFacts, readDatabaseFacts } from '../doctor/database-facts.ts';
import { tryMailServer } from '../identity/mail/send-mail.ts';
import { askGateway } from './private-door.ts';

/** By which a gateway with the embedded database answers for it. */
export const DATABASE_FACTS = 'doctor/database';
const DOCTOR_USER = `system:serviceaccount:${PLATFORM_NAMESPACE}:${DOCTOR_ACCOUNT}`;
const PROMETHEUS_MS = 10_000;

type Options = Pick<Config, 'smtpUrl' | 'prometheusUrl' | 'probeImage'>;

/** Once the platform is installed, checks have the rights of its account for them, whoever runs them. */
export function surroundingsOf(
  { smtpUrl, prometheusUrl, probeImage }: Options,
  parts: { client: KubeClient; clock: Clock; isInstalled: boolean; database: Surroundings['database'] },
): Surroundings {
  const { client, clock, isInstalled, database } = parts;
  return {
    client: isInstalled ? client.as(DOCTOR_USER) : client,
    clock,
    isInstalled,
    probeImage,
    database,
    mail: smtpUrl === '' ? undefined : { server: hostOf(smtpUrl), answers: () => tryMailServer(smtpUrl) },
    countSeries: prometheusUrl === '' ? undefined : (query) => countSeries(prometheusUrl, query),
  };
}

export const databaseOf = (db: Database, clock: Clock) => once(() => readDatabaseFacts(db, clock));

/** For the command: PostgreSQL by its address, or the embedded database by asking the gateway that has it. */
export function databaseByOptions(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  clock: Clock,
): Surroundings['database'] {
  if (databaseUrl !== '') {
    return once(async () => {
      const db = await openUnmigrated(databaseUrl);
      try {
        return await readDatabaseFacts(db, clock);
      } finally {
        await db.close();
      }
    });
  }
  if (dataDir === '') return undefined;
  return once(async () => {
    const answer = await askGateway(dataDir, DATABASE_FACTS);
    if (!answer) throw new Error(`no gateway runs with the database in ${dataDir}`);
    return JSON.parse((await answer.setEncoding('utf8').toArray()).join('')) as DatabaseFacts;
  });
}

/** Two checks look at the same facts. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= read();
    return known;
  };
}

/** Without the login. */
function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return port === '' ? hostname : `${hostname}:${port}`;
}

async function countSeries(prometheusUrl: string, query: string): Promise<number> {
  const url = new URL('api/v1/query', `${prometheusUrl.replace(/\/$/, '')}/`);
  url.searchParams.set('query', `count(${query})`);
  const answer = await fetch(url, { signal: AbortSignal.timeout(PROMETHEUS_MS), redirect: 'error' });
  if (!answer.ok) throw new Error(`Prometheus answered ${answer.status}`);
  const { data } = (await answer.json()) as { data?: { result?: { value?: [number, string] }[] } };
  return Number(data?.result?.[0]?.value?.[1] ?? 0);
}

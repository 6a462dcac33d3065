// The systems that the doctor looks at, from the options: for the command, and for a running gateway.
import { DOCTOR_ACCOUNT, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { PgVectors } from '../../core/vectors/pg-vectors.ts';
import type { Config } from '../../platform/config.ts';
import { type Database, openUnmigrated } from '../../platform/db/open.ts';
import { tryMailServer } from '../../platform/mail/send-mail.ts';
import { askGateway } from '../../platform/private-door.ts';
import { openPrometheus, type PrometheusConfig } from '../../platform/prometheus/open-prometheus.ts';
import { onlyNumber } from '../../platform/prometheus/prometheus.ts';
import type { Surroundings } from './check.ts';
import { type DatabaseFacts, readDatabaseFacts } from './database-facts.ts';

/** By which a gateway with the embedded database answers for it. */
export const DATABASE_FACTS = 'doctor/database';
const DOCTOR_USER = `system:serviceaccount:${PLATFORM_NAMESPACE}:${DOCTOR_ACCOUNT}`;

type Options = Pick<Config, 'smtpUrl' | 'vectorsUrl' | 'probeImage'> & PrometheusConfig;

/** Once the platform is installed, checks have the rights of its account for them, whoever runs them. */
export function surroundingsOf(
  { smtpUrl, vectorsUrl, probeImage, ...config }: Options,
  parts: { client: KubeClient; clock: Clock; isInstalled: boolean; database: Surroundings['database'] },
): Surroundings {
  const { client, clock, isInstalled, database } = parts;
  const prometheus = openPrometheus(config);
  return {
    client: isInstalled ? client.as(DOCTOR_USER) : client,
    clock,
    isInstalled,
    probeImage,
    database,
    vectors: vectorsUrl === '' ? undefined : () => tryVectors(vectorsUrl),
    mail: smtpUrl === '' ? undefined : { server: hostOf(smtpUrl), answers: () => tryMailServer(smtpUrl) },
    countSeries:
      prometheus && (async (query) => onlyNumber(await prometheus.instant(`count(${query})`, clock.now())) ?? 0),
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

/** Makes what is missing, as a gateway does. */
async function tryVectors(url: string): Promise<string> {
  const vectors = new PgVectors(url);
  return vectors.open().finally(() => vectors.close());
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

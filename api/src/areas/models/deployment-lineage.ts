// Deployments in the lineage: a node for each with the weights that it serves, made of their versions. They are on the cluster, so no
// transaction of ours makes or deletes one: all that are there are compared with the nodes, and only the difference is written. A
// restart, a second gateway and a lost event change nothing of where that ends.
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { type MadeNode, recordGone, recordMade, type Source } from '../../core/lineage/lineage-rows.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { lineageNodes } from '../../platform/db/schema/lineage.ts';
import { modelVersions } from '../../platform/db/schema/models.ts';
import { findWeights } from './deployed.ts';
import { recordVersions } from './version-lineage.ts';

interface DeploymentLineageParts {
  db: Database;
  clock: Pick<Clock, 'now'>;
  log: { warn(facts: object, text: string): void };
}

type Known = Pick<MadeNode, 'organizationId' | 'ref' | 'digest' | 'name'>;

/** Others wait for their setup meanwhile. */
const MOST_AT_A_LOOK = 50;
const TRY_AGAIN_MS = 15_000;

export class DeploymentLineage {
  readonly #parts: DeploymentLineageParts;
  /** The facts that the nodes state, by uid; undefined until they are read. */
  #known: Map<string, Known> | undefined;
  readonly #failed = new Map<string, number>();

  constructor(parts: DeploymentLineageParts) {
    this.#parts = parts;
  }

  /** `objects`: all there are. One that fails keeps no other waiting. */
  async look(objects: readonly ModelDeployment[]): Promise<void> {
    const { db, clock, log } = this.#parts;
    const now = clock.now();
    this.#known ??= await this.#begin();
    const known = this.#known;
    const there = new Map(objects.map((object) => [object.metadata.uid ?? '', object]));
    const due = [...new Set([...there.keys(), ...known.keys()])]
      .filter((uid) => now - (this.#failed.get(uid) ?? -TRY_AGAIN_MS) >= TRY_AGAIN_MS)
      .filter((uid) => isNews(known.get(uid), there.get(uid)));
    for (const uid of due.slice(0, MOST_AT_A_LOOK)) {
      const object = there.get(uid);
      try {
        const node = object && nodeOf(object);
        if (node) {
          await this.#made(object, node);
          known.set(uid, node);
        } else {
          const { organizationId, ref } = known.get(uid) as Known;
          await db.transaction((tx) =>
            recordGone(tx, { organizationId, kind: 'deployment', ref, uid }, new Date(clock.now())),
          );
          known.delete(uid);
        }
        this.#failed.delete(uid);
      } catch (error) {
        this.#failed.set(uid, now);
        log.warn({ err: error, deployment: uid }, 'the lineage of a deployment was not written');
      }
    }
    for (const uid of this.#failed.keys()) if (!there.has(uid) && !known.has(uid)) this.#failed.delete(uid);
  }

  async #begin(): Promise<Map<string, Known>> {
    const { db, clock } = this.#parts;
    await recordVersions({ db, now: () => new Date(clock.now()) });
    const rows = await db.sql
      .select()
      .from(lineageNodes)
      .where(and(eq(lineageNodes.kind, 'deployment'), isNull(lineageNodes.goneAt)));
    return new Map(rows.map((row) => [row.uid, row]));
  }

  async #made(object: ModelDeployment, node: MadeNode): Promise<void> {
    const { db, clock } = this.#parts;
    const { organizationId, kind, ref, uid, digest } = node;
    const from = await sourcesOf(db.sql, object, node);
    const at = new Date(clock.now());
    const missing = await db.transaction(async (tx) => {
      await recordGone(tx, { organizationId, kind, ref, uid, replaced: digest }, at);
      return recordMade(tx, node, { from, at });
    });
    if (missing.length === 0) return;
    // Made ready by a gateway of an earlier release, beside this one.
    await recordVersions({ db, now: () => at });
    await db.transaction((tx) => recordMade(tx, node, { from, at }));
  }
}

const isNews = (known: Known | undefined, object: ModelDeployment | undefined): boolean => {
  if (!object) return known !== undefined;
  const node = nodeOf(object);
  return node !== undefined && (node.digest !== known?.digest || node.name !== known.name);
};

/** Undefined until it is known what it serves. */
function nodeOf({ metadata, spec, status }: ModelDeployment): MadeNode | undefined {
  const { uid, name, namespace = '' } = metadata;
  const organizationId = organizationOf(namespace);
  if (status?.weights === undefined || uid === undefined || organizationId === undefined) return undefined;
  return {
    ...{ organizationId, kind: 'deployment', ref: name, version: null, uid },
    ...{ digest: status.weights.digest, name: spec.displayName ?? name },
  };
}

/**
 * The versions whose files it serves. A tenant can write the spec meanwhile, naming what is not theirs: it is believed where what it
 * names has the digest that is served. Otherwise, as when the library does not show a model any more, the status names the base.
 */
async function sourcesOf(db: Sql, { spec, status }: ModelDeployment, { organizationId, digest }: MadeNode) {
  const source = (uid: string): Source => ({ kind: 'model', uid });
  const found = await findWeights(db, organizationId, spec);
  if (!('reason' in found) && found.weights.digest === digest) return found.versionIds.map(source);
  const { model = '', version = '' } = status?.weights ?? {};
  const base = await db
    .select({ id: modelVersions.id })
    .from(modelVersions)
    .where(and(eq(modelVersions.modelId, model), eq(modelVersions.name, version), eq(modelVersions.state, 'ready')));
  return base.map(({ id }) => source(id));
}

// Models, with the hub that the configuration names.
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import type { StoredFiles } from '../../core/files/stored-files.ts';
import { versionCachedOn } from '../../core/kinds/cached-models.ts';
import type { Core } from '../../core/open.ts';
import type { Platform } from '../../platform/open.ts';
import { disksOf } from '../instances/files/disks-of.ts';
import { type DiskFilesOf, openDiskFiles } from '../instances/files/open.ts';
import { deploymentCluster } from './deployment-cluster.ts';
import { type ModelParts, type OpenModels, openModels } from './open-models.ts';
import { usersOfModels } from './users-of-models.ts';

export function openModelArea(
  { config, db, log, clock }: Pick<Platform, 'config' | 'db' | 'log' | 'clock'>,
  { cluster, people }: Pick<Core, 'cluster' | 'people'>,
  stored: StoredFiles,
  { made, usedBy, scoresOf }: Pick<ModelParts, 'made' | 'usedBy' | 'scoresOf'>,
): OpenModels {
  const find: DiskFilesOf['find'] = (kind, namespace, name) => cluster.cache.get(kind, namespace, name);
  const files = openDiskFiles({ client: cluster.client, find, keyed: config.keyed, clock });
  const deployed = usersOfModels(cluster);
  const opened = openModels({
    ...{ db, log, clock, stored, secrets: people.secrets },
    disks: disksOf(files, find),
    hubUrl: config.hubUrl,
    engineImages: config.engineImages,
    cluster: deploymentCluster(config, cluster),
    ...{ made, scoresOf },
    usedBy: (...of) => [...deployed(...of), ...usedBy(...of)],
    deployment: (namespace, name) => cluster.cache.get<ModelDeployment>(modelDeployment, namespace, name),
    hasDeployment: (id, name) => find(modelDeployment, organizationNamespace(id), name) !== undefined,
    cachedOn: (organization, digest) => versionCachedOn(cluster.cache.reader, organization, digest, cluster.kinds.pool),
  });
  return {
    ...opened,
    async stop() {
      await opened.stop();
      files.stop();
    },
  };
}

// Puts together everything that knows organisations, keys and real names.
import type { IdentityDocument } from '@gantry/contract/fields/identity-document.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { ApiTokens } from './keys/api-tokens.ts';
import { type ClusterAddress, Kubeconfigs, type MemberTokens } from './keys/kubeconfigs.ts';
import { type InstanceKeys, Leftovers, type TokenRevocation } from './keys/leftovers.ts';
import { PubKeys } from './keys/pub-keys.ts';
import { type InvitationParts, Invitations } from './organizations/invitations.ts';
import { Members } from './organizations/members.ts';
import type { Notify } from './organizations/notices.ts';
import { type Forgets, Organizations } from './organizations/organizations.ts';
import { type OrganizationResources, Projection } from './organizations/projection.ts';
import type { CheckRealName } from './people/check-real-name.ts';
import { Pictures } from './people/pictures.ts';
import { RealAuths } from './people/real-auths.ts';

export interface OrganizationsParts {
  db: Database;
  clock: Clock;
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
  /** ISO 4217. */
  currency: string;
  region: string;
  /** One account may own so many. */
  ownedOrganizations: number;
  resources: OrganizationResources;
  instanceKeys: InstanceKeys;
  memberTokens: MemberTokens & TokenRevocation;
  cluster: ClusterAddress;
  sessions: Forgets;
  secrets: Pick<Secrets, 'seal' | 'open' | 'sealBytes' | 'openBytes' | 'hmac'>;
  invite: InvitationParts['invite'];
  notify: Notify;
  checkRealName?: CheckRealName | undefined;
  /** The documents by which a person may be verified. */
  documents: readonly IdentityDocument[];
  /** Whether a person who is verified gets credits. */
  isWelcoming: boolean;
  /** How many people must approve a real name. */
  reviewers: 1 | 2;
}

export interface OpenOrganizations {
  organizations: Organizations;
  members: Members;
  invitations: Invitations;
  projection: Projection;
  pubKeys: PubKeys;
  apiTokens: ApiTokens;
  kubeconfigs: Kubeconfigs;
  leftovers: Leftovers;
  realAuths: RealAuths;
  pictures: Pictures;
  /** Begins to follow the cluster, whose caches must have been filled. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function openOrganizations(parts: OrganizationsParts): OpenOrganizations {
  const { db, clock, log, currency, region, resources, sessions, secrets, notify, invite, cluster } = parts;
  const projection = new Projection({ db, clock, resources, currency, sessions, notify, log });
  const { instanceKeys, memberTokens } = parts;
  const leftovers = new Leftovers({ db, clock, log, projection, instanceKeys, tokens: memberTokens });
  const shared = { db, clock, currency, projection, sessions, notify };
  return {
    organizations: new Organizations({ ...shared, mostOwned: parts.ownedOrganizations }),
    members: new Members({ ...shared, leftovers }),
    invitations: new Invitations({ ...shared, invite }),
    projection,
    pubKeys: new PubKeys({ db, clock, leftovers }),
    apiTokens: new ApiTokens({ db, clock, sessions }),
    kubeconfigs: new Kubeconfigs({ db, clock, leftovers, cluster, region, tokens: memberTokens }),
    leftovers,
    realAuths: new RealAuths({
      db,
      clock,
      secrets,
      notify,
      check: parts.checkRealName,
      documents: parts.documents,
      get isWelcoming() {
        return parts.isWelcoming;
      },
      reviewers: parts.reviewers,
    }),
    pictures: new Pictures({ db, clock, secrets }),
    async start() {
      leftovers.start();
      await projection.start();
    },
    async stop() {
      await Promise.all([projection.stop(), leftovers.stop()]);
    },
  };
}

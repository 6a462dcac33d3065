// What RBAC can not say: ValidatingAdmissionPolicies, each with the sentence that its refusal shows at `kubectl apply`.
// They run inside the API server, so nothing of ours has to be up for them to hold.
import { API_VERSION, GAP, GROUP, type KindFacts, type Words } from '@gantry/contract/define-kind.ts';
import { NO_REGISTRY_V4, NOT_PUBLIC } from '@gantry/contract/inner-addresses.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { START_FIELDS } from '@gantry/contract/kinds/gpu-instance-schema.ts';
import { snapshot } from '@gantry/contract/kinds/snapshot.ts';
import {
  AGENT_ACCOUNT,
  AGENT_KIND,
  ANNOTATION,
  agentLease,
  FILES_SUFFIX,
  FINALIZER,
  GATEWAY_ACCOUNT,
  INSTANCE_POD,
  KUBECONFIG_PREFIX,
  KUBECONFIG_SECRET,
  LABEL,
  OPERATOR_ACCOUNT,
  PLATFORM_NAMESPACE,
  PROBE_NAMESPACE,
  PULL_SECRET,
  REGISTRY,
  REGISTRY_ACCOUNT,
} from '@gantry/contract/names.ts';
import { POLICY_WORDS } from '@gantry/contract/rule-words.ts';

type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

interface Policy {
  name: string;
  on: { groups: string[]; resources: string[]; operations: Operation[] }[];
  /** All must hold for the policy to be asked at all. They see the request, never the namespace. */
  when?: Record<string, string>;
  variables?: Record<string, string>;
  /** Objects of this kind in the request's own namespace are looked at one by one, as `params`; where there is none, nothing is asked. */
  params?: KindFacts | undefined;
  /** `[what must hold, the sentence]`; a sentence that is itself an expression starts with `=`. */
  rules: [holds: string, sentence: string][];
}

const kindsOn = (kinds: readonly KindFacts[], ...operations: Operation[]) => ({
  groups: [GROUP],
  resources: kinds.map(({ plural }) => plural),
  operations,
});
const coreOn = (resources: string[], ...operations: Operation[]) => ({ groups: [''], resources, operations });

const ofTenants = { tenants: "request.userInfo.username.startsWith('system:serviceaccount:org-')" };
const ofAccount = (name: string) => ({
  [name.replace('gantry-', '')]: `request.userInfo.username == 'system:serviceaccount:${PLATFORM_NAMESPACE}:${name}'`,
});
const ofOperator = ofAccount(OPERATOR_ACCOUNT);
const inOrganization = `('${LABEL.organization}' in namespaceObject.metadata.?labels.orValue({}))`;
/** Why the organisation may spend nothing; '' where it may. */
const closedWhy = `namespaceObject.metadata.?annotations[?'${ANNOTATION.outOfCredit}'].orValue('')`;
/** Billing gives up what nobody pays for any longer. */
const isUnpaid = `${Object.values(ofAccount(GATEWAY_ACCOUNT))[0]} && ${closedWhy} != ''`;
const annotatedWithName = (annotation: string) =>
  `oldObject.metadata.?annotations[?'${annotation}'].orValue('') == oldObject.metadata.name`;

const OURS = `'${REGISTRY}'`;

/** A sentence as a rule has it; what is filled in are expressions. */
function told({ en }: Words, args?: Readonly<Record<string, string>>): string {
  if (!args) return en;
  const filled = en.replaceAll(GAP, (_, name: string) => `' + ${args[name]} + '`);
  return `='${filled}'`.replaceAll("' + '", '').replace(/ \+ ''$/, '');
}

/** Every policy, for these kinds. */
function policiesFor(kinds: readonly KindFacts[]): Policy[] {
  const namespaced = kinds.filter(({ scope }) => scope === 'Namespaced');
  const costly = namespaced.filter(({ cost }) => cost !== undefined).map(({ kind }) => kind);
  const created = namespaced.filter(({ spec }) => 'creator' in spec.shape);
  const withImage = Object.entries(IMAGE_FIELD).flatMap(([plural, field]) =>
    kinds.filter((facts) => facts.plural === plural).map((facts) => imageOfOwnRegistry(facts, field)),
  );
  return [
    {
      name: 'gantry-kinds-in-organizations',
      on: [kindsOn(namespaced, 'CREATE')],
      rules: [
        [
          `${inOrganization} || (object.kind == 'Image' && request.namespace == '${PLATFORM_NAMESPACE}')`,
          "='metadata.namespace: ' + request.namespace + ' does not belong to an Organization; objects live in org-<id>'",
        ],
        // The operator marks the namespace before it empties it: else whoever makes faster than it removes would never be gone.
        [
          `namespaceObject.metadata.?annotations[?'${ANNOTATION.confirmDelete}'].orValue('') != request.namespace`,
          "='metadata.namespace: ' + request.namespace + ' is being deleted with its Organization'",
        ],
      ],
    },
    {
      name: 'gantry-guarded-metadata',
      on: [kindsOn(namespaced, 'CREATE', 'UPDATE'), coreOn(['secrets'], 'CREATE', 'UPDATE')],
      when: ofTenants,
      variables: {
        labels: 'object.metadata.?labels.orValue({})',
        oldLabels: 'oldObject.?metadata.?labels.orValue({})',
        annotations: 'object.metadata.?annotations.orValue({})',
        oldAnnotations: 'oldObject.?metadata.?annotations.orValue({})',
        changedLabels: changedKeys('labels', 'oldLabels'),
        changedAnnotations: changedKeys('annotations', 'oldAnnotations', ANNOTATION.confirmDelete),
      },
      rules: [
        // What costs may have billing's own from the beginning, which saves billing a write. Nobody would take it off anything else.
        [
          `object.metadata.?finalizers.orValue([]) == oldObject.?metadata.?finalizers.orValue([]) || (oldObject == null && object.kind in [${costly.map((kind) => `'${kind}'`).join(', ')}] && object.metadata.finalizers == ['${FINALIZER.billing}'])`,
          'metadata.finalizers: only the platform changes finalizers',
        ],
        [
          'object.metadata.?ownerReferences.orValue([]) == oldObject.?metadata.?ownerReferences.orValue([])',
          'metadata.ownerReferences: only the platform changes owners',
        ],
        [
          'size(variables.changedLabels) == 0',
          "='metadata.labels: ' + variables.changedLabels[0] + ' is set by the platform alone'",
        ],
        [
          'size(variables.changedAnnotations) == 0',
          "='metadata.annotations: ' + variables.changedAnnotations[0] + ' is set by platform staff alone'",
        ],
        // What was more before these rules may shrink.
        [
          `size(variables.labels) <= ${MOST_LABELS} || size(variables.labels) <= size(variables.oldLabels)`,
          `metadata.labels: an object may have at most ${MOST_LABELS} labels`,
        ],
        [
          `${bytesOf('variables.annotations')} <= ${MOST_ANNOTATIONS_KI * 1024} || ${bytesOf('variables.annotations')} <= ${bytesOf('variables.oldAnnotations')}`,
          `metadata.annotations: an object's annotations may have at most ${MOST_ANNOTATIONS_KI} KiB in all`,
        ],
      ],
    },
    {
      // What a server-side apply takes away is decided by them: without its entry a manager's old fields would stay for ever.
      name: 'gantry-field-owners',
      on: [kindsOn(namespaced, 'UPDATE')],
      when: ofTenants,
      variables: {
        before: 'oldObject.metadata.?managedFields.orValue([])',
        after: 'object.metadata.?managedFields.orValue([])',
        // Of more than ten who update, the API server joins the oldest under this name. An apply keeps its own entry. Whoever forges
        // the name drops entries of updates alone: the platform's status is not decided by those.
        areJoined: "variables.after.exists(one, one.manager == 'ancient-changes')",
      },
      rules: [
        [
          "variables.before.all(old, old.?subresource.orValue('') != 'status' || (old.operation == 'Update' && variables.areJoined) || variables.after.exists(one, one.manager == old.manager && one.operation == old.operation && one.?subresource.orValue('') == 'status' && one.?fieldsV1 == old.?fieldsV1))",
          'metadata.managedFields: only the platform changes who owns what in a status',
        ],
      ],
    },
    {
      name: 'gantry-creator',
      on: [kindsOn(created, 'CREATE')],
      when: ofTenants,
      variables: { account: "request.userInfo.username.split(':')[3]" },
      rules: [
        // Required, not filled in: without it a cap per member could be dodged by leaving it out.
        [
          "object.spec.?creator.orValue('') == variables.account",
          "='spec.creator: must be your own account, ' + variables.account",
        ],
      ],
    },
    {
      // Whoever begins a run, or has one use more, spends: a cap per member could be dodged with what a colleague has made.
      name: 'gantry-starter',
      on: [{ groups: [GROUP], resources: ['gpuinstances'], operations: ['CREATE', 'UPDATE'] }],
      when: ofTenants,
      variables: {
        account: "request.userInfo.username.split(':')[3]",
        starter:
          "object.spec.?startedBy.orValue(oldObject == null ? variables.account : object.spec.?creator.orValue(''))",
        isStart: `oldObject == null || (object.spec.power == 'Running' && (${START_FIELDS.map((field) => `object.spec.?${field} != oldObject.spec.?${field}`).join(' || ')}))`,
        isKept: 'oldObject != null && object.spec.?startedBy == oldObject.spec.?startedBy',
      },
      rules: [
        [
          '(variables.isKept && !variables.isStart) || variables.starter == variables.account',
          told(POLICY_WORDS.startedByOther, { account: 'variables.account' }),
        ],
      ],
    },
    ...withImage,
    {
      name: 'gantry-exported-images',
      on: [{ groups: [GROUP], resources: ['images'], operations: ['CREATE'] }],
      rules: [
        [
          `!has(object.spec.fromInstance) || (object.spec.source.startsWith('${REGISTRY}/' + request.namespace + '/') && !object.spec.source.matches('([.](root|home):|@)'))`,
          told(POLICY_WORDS.exportedTo, { registry: OURS, namespace: 'request.namespace' }),
        ],
      ],
    },
    {
      name: 'gantry-official-images',
      on: [{ groups: [GROUP], resources: ['images'], operations: ['CREATE', 'UPDATE'] }],
      rules: [
        [
          `!object.spec.?official.orValue(false) || request.namespace == '${PLATFORM_NAMESPACE}'`,
          'spec.official: only platform staff offer official images',
        ],
      ],
    },
    {
      // Whoever carries a Snapshot out reads containers and writes the registry: neither may be another tenant's.
      name: 'gantry-snapshots',
      on: [{ groups: [GROUP], resources: ['snapshots'], operations: ['CREATE'] }],
      rules: [
        [
          "[object.spec.target, object.spec.?from.orValue(object.spec.target)].all(image, image.split('/')[1] == request.namespace)",
          "='spec.target and spec.from: only images of ' + request.namespace + '/… may be saved here'",
        ],
      ],
    },
    {
      name: 'gantry-release',
      on: [{ groups: [GROUP], resources: ['gpuinstances'], operations: ['DELETE'] }],
      rules: [
        [
          [
            "oldObject.?status.?phase.orValue('') == 'shutDown'",
            // Shut down but for a save that does not get through: whoever gives it up is not held by it.
            "(oldObject.?status.?phase.orValue('') == 'shuttingDown' && oldObject.?status.?reason.orValue('') in ['SaveRetrying', 'AgentAway'])",
            'has(oldObject.metadata.deletionTimestamp)',
            'has(namespaceObject.metadata.deletionTimestamp)',
            // What never ran is not hibernated for want of credit, and what was stopped stays so: billing gives both up as they are.
            `(${isUnpaid} && (!oldObject.?status.?everReady.orValue(false) || oldObject.?status.?phase.orValue('') == 'stopped'))`,
            annotatedWithName(ANNOTATION.force),
          ].join(' || '),
          'Instance is not shut down, cannot release. Please shut down and then release.',
        ],
      ],
    },
    ...hostPolicies,
    ...outOfCredit(kinds),
    diskDelete,
    {
      name: 'gantry-confirmed-delete',
      on: [
        { groups: [GROUP], resources: ['organizations'], operations: ['DELETE'] },
        { groups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], operations: ['DELETE'] },
        coreOn(['namespaces'], 'DELETE'),
      ],
      when: {
        ours: [
          "request.resource.resource == 'organizations'",
          // Not request.name: a deletion of a whole collection has none.
          `oldObject.metadata.name.endsWith('.${GROUP}')`,
          `('${LABEL.organization}' in oldObject.metadata.?labels.orValue({}))`,
        ].join(' || '),
      },
      rules: [
        [
          `has(oldObject.metadata.deletionTimestamp) || ${annotatedWithName(ANNOTATION.confirmDelete)}`,
          `='This deletes what tenants keep. If that is wanted, first annotate it: ${ANNOTATION.confirmDelete}=' + oldObject.metadata.name`,
        ],
      ],
    },
    {
      name: 'gantry-managed-secrets',
      on: [coreOn(['secrets'], 'CREATE', 'UPDATE', 'DELETE')],
      when: ofTenants,
      rules: [
        [`!('${LABEL.managed}' in oldObject.?metadata.?labels.orValue({}))`, 'This Secret belongs to the platform'],
        // Of others Kubernetes itself makes something: where it puts a ServiceAccount's token in, the answer to a patch holds it.
        [
          `request.operation == 'DELETE' || object.type in [${TENANTS_SECRETS.map((type) => `'${type}'`).join(', ')}]`,
          `type: members make Secrets of the types ${TENANTS_SECRETS.join(' and ')} alone`,
        ],
        [
          `request.operation == 'DELETE' || ${bytesOf('object.?data.orValue({})')} <= ${inBase64(MOST_SECRET_KI * 1024)}`,
          `data: a Secret may hold at most ${MOST_SECRET_KI} KiB in all`,
        ],
        [
          `request.operation != 'CREATE' || object.metadata.name != '${PULL_SECRET}'`,
          `metadata.name: ${PULL_SECRET} is made by the platform alone`,
        ],
        // Whoever made it first would choose the token of a disk's file server.
        [
          `request.operation != 'CREATE' || !object.metadata.name.endsWith('${FILES_SUFFIX}')`,
          `metadata.name: Secrets whose names end in ${FILES_SUFFIX} are made by the platform alone`,
        ],
      ],
    },
    {
      // A command in any other Pod would compute on nobody's credit and quota, some of them as root. The port of a disk's file
      // server is open: the gateway reaches it as the member who asks, and so does every Pod beside it; its token guards it.
      name: 'gantry-connect',
      on: [coreOn(['pods/*'], 'CONNECT')],
      when: ofTenants,
      rules: [
        [
          `request.name.matches('${INSTANCE_POD}') || (request.subResource == 'portforward' && request.name.endsWith('${FILES_SUFFIX}'))`,
          "='Members connect to Pods of instances alone: ' + request.name + ' is a Pod of the platform'",
        ],
      ],
    },
    gatewaySecrets,
    gatewayBilling(kinds.filter(({ cost }) => cost)),
    gatewayDeletes(kinds.filter(({ cost }) => cost)),
    ...operatorPolicies,
    agentPolicy,
    registryPolicy,
  ];
}

/** What a host is to those on it, and to the nodes under it. */
const hostPolicies: Policy[] = [
  {
    name: 'gantry-instances-on-hosts',
    on: [{ groups: [GROUP], resources: ['gpuinstances'], operations: ['CREATE', 'UPDATE'] }],
    params: gpuHost,
    variables: {
      isThis: "object.spec.?host.orValue('') == params.metadata.name",
      asks: 'object.spec.?gpu.?count.orValue(0)',
      // Whoever only turns an old instance off is not asked about its size.
      isOld:
        'oldObject != null && oldObject.spec.?host == object.spec.?host && oldObject.spec.?gpu == object.spec.?gpu',
    },
    rules: [
      [
        '!variables.isThis || variables.isOld || variables.asks <= params.spec.gpu.count',
        "='spec.gpu.count: ' + string(variables.asks) + ' cards do not fit on one node of host ' + params.metadata.name + ', which has ' + string(params.spec.gpu.count)",
      ],
      [
        '!variables.isThis || variables.isOld || variables.asks == 0 || object.spec.gpu.model == params.spec.gpu.model',
        "='spec.gpu.model: host ' + params.metadata.name + ' has ' + params.spec.gpu.model + ', not ' + object.spec.gpu.model",
      ],
    ],
  },
  {
    name: 'gantry-release-of-hosts',
    on: [{ groups: [GROUP], resources: ['gpuhosts'], operations: ['DELETE'] }],
    params: gpuInstance,
    rules: [
      [
        [
          "params.spec.?host.orValue('') != oldObject.metadata.name",
          "params.spec.power != 'Running'",
          'has(oldObject.metadata.deletionTimestamp)',
          'has(namespaceObject.metadata.deletionTimestamp)',
          annotatedWithName(ANNOTATION.force),
        ].join(' || '),
        told(POLICY_WORDS.instanceOnHost, { instance: 'params.metadata.name' }),
      ],
    ],
  },
  {
    name: 'gantry-returned-hosts',
    on: [{ groups: [GROUP], resources: ['gpuhosts'], operations: ['UPDATE'] }],
    rules: [
      [
        '!has(oldObject.status) || !has(oldObject.status.returnedAt) || object.spec.?months == oldObject.spec.?months',
        told(POLICY_WORDS.hostReturned),
      ],
    ],
  },
];

/** Whoever has a disk keeps it; and its data is lost on purpose only, or since nobody pays for it. */
const diskDelete: Policy = {
  name: 'gantry-disk-delete',
  on: [{ groups: [GROUP], resources: ['datadisks'], operations: ['DELETE'] }],
  variables: {
    goesAnyway: [
      'has(oldObject.metadata.deletionTimestamp)',
      'has(namespaceObject.metadata.deletionTimestamp)',
      annotatedWithName(ANNOTATION.force),
    ].join(' || '),
    holders: 'oldObject.?status.?mountedBy.orValue([]).map(one, one.name)',
  },
  rules: [
    [
      'variables.goesAnyway || size(variables.holders) == 0',
      told(POLICY_WORDS.diskMounted, { holders: "variables.holders.join(', ')" }),
    ],
    [
      `variables.goesAnyway || (${isUnpaid}) || ${annotatedWithName(ANNOTATION.confirmDelete)}`,
      `='All data on the disk is lost. If that is wanted, first annotate it: ${ANNOTATION.confirmDelete}=' + oldObject.metadata.name`,
    ],
  ],
};

/**
 * What begins to cost, or costs more, by kind: the operator says on the namespace that there is no credit for it. Making no more
 * than this is refused, whoever asks; what ends something is not.
 */
const SPENDS: Record<string, { make: string; change: readonly string[] }> = {
  gpuinstances: {
    make: 'true',
    change: [
      "(object.spec.power == 'Running' && oldObject.spec.power != 'Running')",
      'object.spec.rebootCount > oldObject.spec.rebootCount',
      'object.spec.homeDisk.sizeGi > oldObject.spec.homeDisk.sizeGi',
    ],
  },
  datadisks: { make: 'true', change: ['object.spec.sizeGi > oldObject.spec.sizeGi'] },
  gpuhosts: {
    make: "object.spec.source == 'rented'",
    change: ['object.spec.months > oldObject.spec.months', 'object.spec.nodes > oldObject.spec.nodes'],
  },
  images: { make: 'has(object.spec.fromInstance)', change: [] },
};

const outOfCredit = (kinds: readonly KindFacts[]): Policy[] =>
  kinds.flatMap((facts) => {
    const spends = SPENDS[facts.plural];
    if (!spends) return [];
    const changes = spends.change.length > 0 ? `(${spends.change.join(' || ')})` : 'false';
    return [
      {
        name: `gantry-out-of-credit-${facts.plural}`,
        on: [kindsOn([facts], 'CREATE', 'UPDATE')],
        variables: { why: closedWhy },
        rules: [
          [
            `variables.why == '' || !(request.operation == 'CREATE' ? ${spends.make} : ${changes})`,
            told(POLICY_WORDS.nothingCostly, { why: 'variables.why' }),
          ],
        ],
      } satisfies Policy,
    ];
  });

/** The field of each kind that names an image. */
const IMAGE_FIELD: Record<string, string> = { gpuinstances: 'image', images: 'source' };

/**
 * An image of our own registry is the organisation's or official; its host is spelt one way only, since policies compare it. Any
 * other comes from the internet, or from a registry inside that the installation allows.
 */
const imageOfOwnRegistry = (facts: KindFacts, field: string): Policy => ({
  name: `gantry-own-images-${facts.plural}`,
  on: [kindsOn([facts], 'CREATE', 'UPDATE')],
  variables: {
    unchanged: `oldObject != null && oldObject.spec.${field} == object.spec.${field}`,
    parts: `object.spec.${field}.split('/')`,
    host: "variables.parts[0].lowerAscii().split(':')[0]",
    isOurs: `variables.host in ['${REGISTRY}', '${REGISTRY}.']`,
    // As containerd tells a registry from the first part of a name at docker.io.
    isRegistry: "variables.parts[0].matches('[.:A-Z]') || variables.host == 'localhost'",
    isInner: `isIP(variables.host) ? [${NO_REGISTRY_V4.map((cidr) => `'${cidr}'`).join(', ')}].exists(one, cidr(one).containsIP(variables.host)) : variables.host.matches('${NOT_PUBLIC.replaceAll('\\', '\\\\')}')`,
    allowed: `namespaceObject.metadata.?annotations[?'${ANNOTATION.innerRegistries}'].orValue('').split(',')`,
  },
  rules: [
    [
      `variables.unchanged || !variables.isOurs || variables.parts[0] == '${REGISTRY}'`,
      told(POLICY_WORDS.registrySpelling, { field: `'${field}'`, registry: OURS }),
    ],
    [
      "variables.unchanged || !variables.isOurs || variables.parts[1] in [request.namespace, 'official']",
      told(POLICY_WORDS.ownImages, { field: `'${field}'`, registry: OURS, namespace: 'request.namespace' }),
    ],
    // A node would dial it for the tenant, past every network policy, and tell what answers. Staff offer what they like.
    [
      `variables.unchanged || variables.isOurs || !variables.isRegistry || !variables.isInner || variables.parts[0].lowerAscii() in variables.allowed || request.namespace == '${PLATFORM_NAMESPACE}'`,
      told(POLICY_WORDS.innerRegistry, { field: `'${field}'`, host: 'variables.parts[0]' }),
    ],
  ],
});

const writes = (resource: string, namespace: string) =>
  `(request.resource.resource == '${resource}' && request.namespace == '${namespace}')`;

const actsAsMembers =
  "rule.verbs == ['impersonate'] && rule.resources == ['serviceaccounts'] && size(rule.?resourceNames.orValue([])) > 0";
const isGateways = `object.metadata.name == '${GATEWAY_ACCOUNT}'`;
const asksForTokens = `${isGateways} && rule.verbs == ['create'] && rule.resources == ['serviceaccounts/token'] && size(rule.?resourceNames.orValue([])) > 0`;
const keepsKubeconfigs = `${isGateways} && rule.verbs == ['create', 'delete'] && rule.apiGroups == [''] && rule.resources == ['secrets']`;
const readsPullSecret = [
  `object.metadata.name == '${REGISTRY_ACCOUNT}'`,
  "rule.verbs == ['get'] && rule.apiGroups == [''] && rule.resources == ['secrets']",
  `rule.?resourceNames.orValue([]) == ['${PULL_SECRET}']`,
].join(' && ');
const isMember = `(one.namespace == request.namespace && object.roleRef.kind == 'ClusterRole')`;
const isPlatforms = `(one.namespace == '${PLATFORM_NAMESPACE}' && one.name in ['${GATEWAY_ACCOUNT}', '${REGISTRY_ACCOUNT}'] && object.roleRef.kind == 'Role' && object.roleRef.name == one.name)`;

const UID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
const isHostTaint = `taint.effect == 'NoSchedule' && taint.?value.orValue('').matches('${UID}')`;

/** It makes and deletes Secrets that hold nothing: a member's kubeconfig ends with the one its token is bound to. */
const gatewaySecrets: Policy = {
  name: 'gantry-gateway-secrets',
  on: [coreOn(['secrets'], 'CREATE', 'UPDATE', 'DELETE')],
  when: ofAccount(GATEWAY_ACCOUNT),
  variables: { secret: 'object == null ? oldObject : object' },
  rules: [
    [inOrganization, 'The gateway writes Secrets only in namespaces of organisations'],
    [
      [
        `variables.secret.type == '${KUBECONFIG_SECRET}'`,
        `variables.secret.metadata.name.startsWith('${KUBECONFIG_PREFIX}')`,
        `'${LABEL.managed}' in variables.secret.metadata.?labels.orValue({})`,
        'size(variables.secret.?data.orValue({})) == 0',
      ].join(' && '),
      `The gateway writes only Secrets of the type ${KUBECONFIG_SECRET} that are named ${KUBECONFIG_PREFIX}…, carry ${LABEL.managed} and hold nothing`,
    ],
  ],
};

/**
 * What the gateway does in its own name to whatever costs, which is billing's: a spec is the tenant's, and what is seen the
 * operator's.
 */
const gatewayBilling = (costly: readonly KindFacts[]): Policy => {
  const inStatus = [...costly.map(({ plural }) => plural), 'organizations'].map((plural) => `${plural}/status`);
  return {
    name: 'gantry-gateway-billing',
    on: [kindsOn(costly, 'UPDATE'), { groups: [GROUP], resources: inStatus, operations: ['UPDATE'] }],
    when: ofAccount(GATEWAY_ACCOUNT),
    variables: {
      isStatus: "request.?subResource.orValue('') == 'status'",
      condition: "object.kind == 'Organization' ? 'InCredit' : 'CreditReserved'",
      finalizers: `object.metadata.?finalizers.orValue([]).filter(one, one != '${FINALIZER.billing}')`,
      oldFinalizers: `oldObject.metadata.?finalizers.orValue([]).filter(one, one != '${FINALIZER.billing}')`,
      status: 'object.?status.orValue({})',
      oldStatus: 'oldObject.?status.orValue({})',
      others: 'variables.status.?conditions.orValue([]).filter(one, one.type != variables.condition)',
      oldOthers: 'variables.oldStatus.?conditions.orValue([]).filter(one, one.type != variables.condition)',
    },
    rules: [
      [
        'variables.isStatus || object.spec == oldObject.spec',
        'spec: nobody but members of the organisation writes what they wish',
      ],
      [
        'variables.isStatus || variables.finalizers == variables.oldFinalizers',
        `metadata.finalizers: billing adds and takes away ${FINALIZER.billing} alone`,
      ],
      [
        `variables.isStatus || (${['labels', 'annotations', 'ownerReferences'].map((field) => `object.metadata.?${field} == oldObject.metadata.?${field}`).join(' && ')})`,
        'metadata: billing changes its finalizer alone',
      ],
      [
        "!variables.isStatus || (variables.status.map(key, key) + variables.oldStatus.map(key, key)).all(key, key in ['conditions', 'credit'] || variables.status[?key] == variables.oldStatus[?key])",
        'status: billing writes its condition and what it has posted, and the operator all else',
      ],
      [
        '!variables.isStatus || (size(variables.others) == size(variables.oldOthers) && variables.others.all(one, one in variables.oldOthers))',
        "='status.conditions: billing writes the condition ' + variables.condition + ' alone'",
      ],
    ],
  };
};

/** Data that nobody pays for any longer: as soon as somebody does, it stays. */
const gatewayDeletes = (costly: readonly KindFacts[]): Policy => ({
  name: 'gantry-gateway-deletes',
  on: [kindsOn(costly, 'DELETE')],
  when: ofAccount(GATEWAY_ACCOUNT),
  rules: [[`${closedWhy} != ''`, 'Billing deletes what an organisation without credit has, and nothing else']],
});

/** RBAC can not name namespaces that do not exist yet; so what the operator may write where is said here. */
const operatorPolicies: Policy[] = [
  {
    name: 'gantry-operator-namespaces',
    on: [coreOn(['namespaces'], 'CREATE', 'UPDATE', 'DELETE')],
    when: ofOperator,
    rules: [["request.name.startsWith('org-')", 'The operator writes only namespaces of organisations']],
  },
  // Nodes are not ours: one label, and taints that carry the uid of a host, whatever their key.
  {
    name: 'gantry-operator-nodes',
    on: [coreOn(['nodes'], 'UPDATE')],
    when: ofOperator,
    variables: {
      labels: 'object.metadata.?labels.orValue({})',
      oldLabels: 'oldObject.metadata.?labels.orValue({})',
      label: `variables.labels[?'${LABEL.nodeHost}'].orValue('')`,
      taints: `object.spec.?taints.orValue([]).filter(taint, !(${isHostTaint}))`,
      oldTaints: `oldObject.spec.?taints.orValue([]).filter(taint, !(${isHostTaint}))`,
    },
    rules: [
      [
        `(variables.labels.map(key, key) + variables.oldLabels.map(key, key)).all(key, key == '${LABEL.nodeHost}' || variables.labels[?key] == variables.oldLabels[?key])`,
        `metadata.labels: of a node the operator changes ${LABEL.nodeHost} alone`,
      ],
      [
        `variables.label == '' || variables.label.matches('${UID}')`,
        `metadata.labels: ${LABEL.nodeHost} is the uid of a GpuHost`,
      ],
      [
        'variables.taints == variables.oldTaints',
        'spec.taints: of a node the operator changes only taints of GpuHosts: NoSchedule, with the uid of one as their value',
      ],
      [
        'object.spec.?unschedulable == oldObject.spec.?unschedulable && object.metadata.?annotations == oldObject.metadata.?annotations && object.metadata.?finalizers == oldObject.metadata.?finalizers && object.metadata.?ownerReferences == oldObject.metadata.?ownerReferences',
        'Of a node the operator changes a label and a taint, and nothing else',
      ],
    ],
  },
  {
    name: 'gantry-operator-writes',
    on: [
      coreOn(['pods', 'persistentvolumeclaims', 'services'], 'CREATE', 'UPDATE', 'DELETE'),
      { groups: ['batch'], resources: ['jobs'], operations: ['CREATE', 'UPDATE', 'DELETE'] },
    ],
    when: ofOperator,
    rules: [
      [
        [inOrganization, writes('jobs', PLATFORM_NAMESPACE), writes('pods', PROBE_NAMESPACE)].join(' || '),
        'The operator writes this only in namespaces of organisations; beside them Jobs of the platform and Pods of the probe',
      ],
      // Official images are tried out beside the platform's accounts, which may do more than the operator.
      [
        `request.operation == 'DELETE' || object.kind != 'Job' || request.namespace != '${PLATFORM_NAMESPACE}' || object.spec.template.spec.?serviceAccountName.orValue('default') == 'default'`,
        "spec.template.spec.serviceAccountName: the operator's Jobs run as no account of the platform",
      ],
    ],
  },
  {
    // It may patch them, and the answer shows what is in them: so only what it made itself, by name, type and mark.
    name: 'gantry-operator-secrets',
    on: [coreOn(['secrets'], 'CREATE', 'UPDATE')],
    when: ofOperator,
    variables: { before: 'oldObject == null ? object : oldObject' },
    rules: [
      [inOrganization, 'The operator writes Secrets only in namespaces of organisations'],
      [
        `[object, variables.before].all(one, '${LABEL.managed}' in one.metadata.?labels.orValue({}))`,
        `metadata.labels: the operator writes only Secrets that carry ${LABEL.managed}`,
      ],
      [
        [
          `(object.metadata.name == '${PULL_SECRET}' && object.type == 'kubernetes.io/dockerconfigjson')`,
          `(object.metadata.name.endsWith('${FILES_SUFFIX}') && object.type == 'Opaque')`,
        ].join(' || '),
        `metadata.name and type: the operator writes only ${PULL_SECRET} and, for file servers, <disk>${FILES_SUFFIX}`,
      ],
    ],
  },
  {
    name: 'gantry-operator-tenancy',
    on: [
      coreOn(['serviceaccounts', 'resourcequotas', 'limitranges'], 'CREATE', 'UPDATE', 'DELETE'),
      { groups: ['networking.k8s.io'], resources: ['networkpolicies'], operations: ['CREATE', 'UPDATE', 'DELETE'] },
      {
        groups: ['rbac.authorization.k8s.io'],
        resources: ['roles', 'rolebindings'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
      },
    ],
    when: ofOperator,
    rules: [
      [inOrganization, 'The operator writes this only in namespaces of organisations'],
      [
        `request.operation == 'DELETE' || object.kind != 'Role' || object.?rules.orValue([]).all(rule, (${actsAsMembers}) || (${asksForTokens}) || (${keepsKubeconfigs}) || (${readsPullSecret}))`,
        "rules: the operator's Roles only name whom the gateway may act as, let it keep kubeconfigs, and name the one Secret that the registry reads",
      ],
      [
        `request.operation == 'DELETE' || object.kind != 'RoleBinding' || object.?subjects.orValue([]).all(one, one.kind == 'ServiceAccount' && (${isMember} || ${isPlatforms}))`,
        'subjects: the operator binds members to roles, and the gateway and the registry each to its own Role',
      ],
    ],
  },
];

const changes = (resource: string) => `request.resource.resource == '${resource}'`;
/** `agentLease`, of a node that is known only there. */
const AGENT_LEASE = `variables.node + '${agentLease('')}'`;
const sameBut = (field: string, now: string, before: string) =>
  `(variables.${now}.map(key, key) + variables.${before}.map(key, key)).all(key, key == '${field}' || variables.${now}[?key] == variables.${before}[?key])`;

/**
 * The same account is on every node, and RBAC does not know from which of them it speaks. The API server does: a token that
 * is bound to a Pod says the Pod's node (Kubernetes 1.32). So whoever has taken over one node has not taken over the others.
 */
const agentPolicy: Policy = {
  name: 'gantry-agent-on-its-node',
  on: [
    { groups: ['coordination.k8s.io'], resources: ['leases'], operations: ['CREATE', 'UPDATE'] },
    {
      groups: [GROUP],
      resources: [snapshot, dataDisk, gpuInstance].map(({ plural }) => `${plural}/status`),
      operations: ['UPDATE'],
    },
  ],
  when: ofAccount(AGENT_ACCOUNT),
  variables: {
    node: "request.userInfo.?extra[?'authentication.kubernetes.io/node-name'].orValue([]).join(',')",
    isSign: `${changes('leases')} && object.metadata.name == ${AGENT_LEASE}`,
    isClaim: `${changes('leases')} && request.operation == 'UPDATE' && object.metadata.name == variables.node`,
    annotations: 'object.metadata.?annotations.orValue({})',
    oldAnnotations: 'oldObject.?metadata.?annotations.orValue({})',
    status: 'object.?status.orValue({})',
    oldStatus: 'oldObject.?status.orValue({})',
  },
  rules: [
    [
      "variables.node != ''",
      'The agent acts with a token that is bound to its Pod: this one does not say on which node it is (Kubernetes 1.32 or newer)',
    ],
    [
      `!(${changes('leases')}) || variables.isSign || variables.isClaim`,
      "='metadata.name: of Leases the agent of node ' + variables.node + ' writes its own sign of life, and the answer on the claim of its node'",
    ],
    [
      `!variables.isSign || object.metadata.?labels.orValue({}) == {'${LABEL.kind}': '${AGENT_KIND}'}`,
      `metadata.labels: the Lease of an agent says ${LABEL.kind}: ${AGENT_KIND}, and nothing else`,
    ],
    [
      `!variables.isClaim || (object.spec == oldObject.spec && ${sameBut(ANNOTATION.wiped, 'annotations', 'oldAnnotations')} && ${['labels', 'finalizers', 'ownerReferences'].map((field) => `object.metadata.?${field} == oldObject.metadata.?${field}`).join(' && ')})`,
      `Of the claim of its node the agent changes the annotation ${ANNOTATION.wiped} alone`,
    ],
    [
      `!(${changes(snapshot.plural)}) || oldObject.spec.?node.orValue('') == variables.node`,
      "='spec.node: the agent of node ' + variables.node + ' carries out only Snapshots of its own node'",
    ],
    [
      `${changes(snapshot.plural)} || ${changes('leases')} || ${sameBut('usage', 'status', 'oldStatus')}`,
      'status: of a disk or an instance the agent writes the usage alone',
    ],
    [
      `${changes(snapshot.plural)} || ${changes('leases')} || variables.status.?usage.?node.orValue('') == variables.node`,
      "='status.usage.node: the agent of node ' + variables.node + ' says only what it measured there'",
    ],
    [
      `!(${changes(gpuInstance.plural)}) || variables.oldStatus.?node.orValue('') == variables.node`,
      "='status.node: the agent of node ' + variables.node + ' measures only instances that are there'",
    ],
  ],
};

/** It answers copies within the registry; what containers and homes were saved as, the agents say. */
const registryPolicy: Policy = {
  name: 'gantry-registry-copies',
  on: [{ groups: [GROUP], resources: [`${snapshot.plural}/status`], operations: ['UPDATE'] }],
  when: ofAccount(REGISTRY_ACCOUNT),
  rules: [["oldObject.spec.of == 'Copy'", 'spec.of: of Snapshots the registry carries out copies alone']],
};

/** What members need Secrets for is to pull images; all of them lie in one database with everything else. */
const TENANTS_SECRETS = ['kubernetes.io/dockerconfigjson', 'Opaque'];
const MOST_SECRET_KI = 32;
/** kubectl keeps a copy of what was applied there: with a whole `env` and `command` it has room. */
const MOST_ANNOTATIONS_KI = 96;
const MOST_LABELS = 64;

/** A policy sees the data of a Secret as it is sent. */
const inBase64 = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** Of a map of texts, its keys with it. */
const bytesOf = (map: string): string => `${map}.map(key, size(key) + size(${map}[key])).sum()`;

/** Keys under gantry.dev/ whose value differs between two variables. */
const changedKeys = (now: string, before: string, except = '') =>
  `(variables.${now}.map(key, key) + variables.${before}.map(key, key)).filter(key, key.startsWith('${GROUP}/') && key != '${except}' && variables.${now}[?key] != variables.${before}[?key])`;

/** Every policy and its binding, as objects to apply. */
export function policyObjects(kinds: readonly KindFacts[]): object[] {
  return policiesFor(kinds).flatMap((policy) => [definition(policy), binding(policy)]);
}

const API = 'admissionregistration.k8s.io/v1';
const named = (expressions: Record<string, string> = {}) =>
  Object.entries(expressions).map(([name, expression]) => ({ name, expression }));

const definition = ({ name, on, when, params, variables, rules }: Policy) => ({
  apiVersion: API,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    failurePolicy: 'Fail',
    ...(params && { paramKind: { apiVersion: API_VERSION, kind: params.kind } }),
    matchConstraints: {
      resourceRules: on.map(({ groups, resources, operations }) => ({
        apiGroups: groups,
        apiVersions: ['*'],
        resources,
        operations,
      })),
    },
    ...(when && { matchConditions: named(when) }),
    ...(variables && { variables: named(variables) }),
    validations: rules.map(([expression, sentence]) => ({
      expression,
      ...(sentence.startsWith('=') ? { messageExpression: sentence.slice(1) } : { message: sentence }),
      reason: 'Forbidden',
    })),
  },
});

const binding = ({ name, params }: Policy) => ({
  apiVersion: API,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: {
    policyName: name,
    validationActions: ['Deny'],
    ...(params && { paramRef: { selector: {}, parameterNotFoundAction: 'Allow' } }),
  },
});

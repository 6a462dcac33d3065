// The keys that may log in: those of the spec, as a file in the container that follows them while it runs.
import { brokenKeyRule } from '@gantry/contract/fields/ssh-key.ts';
import type { GpuInstance, GpuInstanceSpec } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Patch } from '@gantry/kube/resource.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { instant, iso, MOST_VALUE, wholeSeconds } from '../../metering.ts';
import type { Facts } from './facts.ts';
import type { Trouble } from './trouble.ts';

export const SSH_PORT = 22;
export const KEYS_DIR = '/gantry/keys';
const KEYS_FILE = 'authorized_keys';
/** On the home, so that the instance is the same to its visitors after every run. */
const HOST_KEY = '/root/.gantry/ssh_host_ed25519_key';
/** The kubelet never ends a container for it: only the silence is reported. */
const NEVER = 2 ** 31 - 1;

/** The tenant's own server has the port where the spec says so. */
export const servesSsh = ({ ports, notebookPort }: GpuInstanceSpec): boolean =>
  notebookPort !== SSH_PORT && !ports?.some(({ port }) => port === SSH_PORT);

export const sshArguments = (spec: GpuInstanceSpec): string[] =>
  servesSsh(spec)
    ? ['--ssh', `:${SSH_PORT}`, '--ssh-keys', `${KEYS_DIR}/${KEYS_FILE}`, '--ssh-host-key', HOST_KEY]
    : [];

/** Ready means that one can log in. */
export const sshProbe = (spec: GpuInstanceSpec) =>
  servesSsh(spec) ? { startupProbe: { tcpSocket: { port: SSH_PORT }, periodSeconds: 1, failureThreshold: NEVER } } : {};

/** A running Pod keeps the SSH server that it was created with, or without: a change of ports waits for the next run. */
export const hasSsh = ({ pods: { current, progress }, owner }: Pick<Facts, 'pods' | 'owner'>): boolean =>
  current && progress !== 'finished' ? current.spec?.containers[0]?.startupProbe !== undefined : servesSsh(owner.spec);

export const keysMount = { name: 'keys', mountPath: KEYS_DIR, readOnly: true };
export const keysVolume = {
  name: 'keys',
  downwardAPI: {
    items: [{ path: KEYS_FILE, fieldRef: { fieldPath: `metadata.annotations['${ANNOTATION.sshKeys}']` } }],
  },
};

/** The file authorized_keys: one line for each sound key. Type, key and remark are rewritten, so that each stays one line. */
export const authorizedKeys = ({ sshKeys = [] }: GpuInstanceSpec): string =>
  sshKeys
    .filter((key) => brokenIn(key) === undefined)
    .map(({ publicKey, expiresAt, remark }) => {
      const [kind, blob] = publicKey.split(' ');
      const expiry = expiresAt === undefined ? '' : `expiry-time="${compact(expiresAt)}" `;
      return `${expiry}${kind} ${blob} ${remark.replace(/[\r\n]+/g, ' ')}\n`;
    })
    .join('');

/** As OpenSSH writes moments: YYYYMMDDHHMMSSZ. */
const compact = (time: string): string => iso(wholeSeconds(instant(time) ?? 0)).replace(/[-:T]/g, '');

type Key = NonNullable<GpuInstanceSpec['sshKeys']>[number];

/** Why a key cannot log in. An unreadable time counts as past: a key with an expiry never stays forever. */
function brokenIn({ remark, publicKey, expiresAt }: Key): Trouble | undefined {
  const broken = brokenKeyRule(publicKey);
  if (broken) return { reason: 'KeyMalformed', args: { remark, ...quoted('rule', said(broken.words, broken.args)) } };
  if (expiresAt === undefined || instant(expiresAt) !== undefined) return undefined;
  return { reason: 'KeyExpiryMalformed', args: { remark, value: expiresAt.slice(0, MOST_VALUE) } };
}

/** Keys come and go without a restart: the file in the container follows the Pod's annotation. */
export function rekeyed(pod: Pod, { spec }: GpuInstance): Patch[] {
  const keys = authorizedKeys(spec);
  if (pod.metadata.annotations?.[ANNOTATION.sshKeys] === keys) return [];
  return [{ ...targetOf(pod), body: { metadata: { annotations: { [ANNOTATION.sshKeys]: keys } } } }];
}

/** The first key that cannot log in. */
export function keyTrouble({ owner }: Facts): Trouble | undefined {
  return owner.spec.sshKeys?.map(brokenIn).find((trouble) => trouble !== undefined);
}

/** The command that logs in from outside, where the installation has a door. */
export function sshCommand(f: Facts, address: string): string | undefined {
  const door = f.settings.sshDoor;
  if (door === '' || !hasSsh(f)) return undefined;
  const [, host = '', port = ''] = /^(.*):([0-9]+)$/.exec(door) ?? [];
  return `ssh -J gantry@${host}${port === '22' ? '' : `:${port}`} root@${address}`;
}

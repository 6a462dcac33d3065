// The credentials of an S3 store: two lines of a file, or the two files that a mounted Secret is.
import { statSync } from 'node:fs';
import { BadConfig } from '@gantry/kube/options.ts';
import { readText } from './config.ts';

export interface KeyPair {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The names of the files in a folder. */
const FILES = ['accessKey', 'secretKey'] as const;

/** Undefined where no path is given. Throws BadConfig, with a sentence that quotes nothing of the keys. */
export function readKeyPair(option: string, path: string): KeyPair | undefined {
  if (path === '') return undefined;
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const text = isFolder ? FILES.map((name) => readText(`${path}/${name}`)).join('\n') : readText(path);
  const [accessKey = '', secretKey = '', ...rest] = text.split('\n').map((line) => line.trim());
  if (accessKey === '' || secretKey === '' || rest.some((line) => line !== ''))
    throw new BadConfig(
      `${option}: "${path}" must hold two lines, the access key's id and the secret, or be a folder of two files, ${FILES.join(' and ')}`,
    );
  return { accessKey, secretKey };
}

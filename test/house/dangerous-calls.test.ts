// Calls that turn text into something that runs, that can be guessed, or that trusts whoever answers. The product has none of them.
import { expect, test } from '@jest/globals';
import { filesOf, read } from './source-files.ts';

const SERVERS = ['contract/src/**/*.ts', 'kube/src/**/*.ts', 'operator/src/**/*.ts', 'api/src/**/*.ts'];
const PAGES = ['{ui,console,admin}/src/**/*.{ts,tsx}'];
const AGENT = ['agent/**/*.go'];
const SECRETS = [
  'api/src/{core/identity,areas/instances,areas/kubectl,platform/http,platform/relay,areas/container-services}/**/*.ts',
];

interface Ban {
  readonly pattern: RegExp;
  readonly files: readonly string[];
  /** A line that it must find. */
  readonly example: string;
}

const BANS: Readonly<Record<string, Ban>> = {
  'HTML out of text': {
    pattern: /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write\(/,
    files: PAGES,
    example: '<p dangerouslySetInnerHTML={{ __html: name }} />',
  },
  'a program out of text': {
    pattern: /\beval\(|\bnew Function\(|['"](node:)?vm['"]|set(Timeout|Interval)\(['"`]/,
    files: [...SERVERS, ...PAGES],
    example: 'const f = new Function(body);',
  },
  'another process': {
    pattern: /['"](node:)?child_process['"]/,
    files: SERVERS,
    example: "import { exec } from 'node:child_process';",
  },
  'a thread that nothing bounds': {
    pattern: /['"](node:)?worker_threads['"]/,
    files: SERVERS.flatMap((glob) =>
      glob.startsWith('api/') ? ['api/src/{core,areas}/**/*.ts', 'api/src/platform/!(aside)/**/*.ts'] : glob,
    ),
    example: "import { Worker } from 'node:worker_threads';",
  },
  'a shell': {
    pattern: /exec\.Command(Context)?\((\w+, )?"[^"]*sh", "-c"/,
    files: AGENT,
    example: 'exec.Command("sh", "-c", line)',
  },
  'an SQL statement out of a call': {
    pattern: /sql\.raw\(|\.unsafe\(/,
    files: [
      'api/src/{core/identity,core/settings,platform/http,platform/messages,platform/mail,platform/audit,areas/instances,areas/idle,areas/portal}/**/*.ts',
    ],
    example: 'tx.execute(sql.raw(text))',
  },
  'chance that can be guessed': {
    pattern: /Math\.random/,
    files: SECRETS,
    example: 'const code = Math.random();',
  },
  'chance that can be guessed, in Go': {
    pattern: /"math\/rand(\/v2)?"/,
    files: ['agent/{registry,door,ssh,diskserver}/**/*.go'],
    example: 'import "math/rand"',
  },
  'a broken hash or cipher': {
    pattern: /['"](md5|sha-?1|rc4|des(?!c['"])[^'"]*|[^'"]*-(ecb|cbc))['"]|createCipher\(/i,
    files: [
      'kube/src/**/*.ts',
      'operator/src/**/*.ts',
      'api/src/{core/identity,areas/instances,areas/kubectl,areas/backups,platform/http,platform/audit,platform/mail,platform/relay}/**/*.ts',
    ],
    example: "createHash('md5')",
  },
  'a broken hash or cipher, in Go': {
    pattern: /"crypto\/(md5|sha1|rc4|des)"/,
    files: AGENT,
    example: 'import "crypto/md5"',
  },
  'a certificate that nobody looks at': {
    pattern: /rejectUnauthorized: false|NODE_TLS_REJECT_UNAUTHORIZED/,
    files: [...SERVERS, ...PAGES],
    example: 'new Agent({ rejectUnauthorized: false })',
  },
  'a certificate that nobody looks at, in Go': {
    pattern: /InsecureSkipVerify:?\s*=?\s*true|ssh\.InsecureIgnoreHostKey/,
    files: AGENT,
    example: 'tls.Config{InsecureSkipVerify: true}',
  },
};

const isProduct = (file: string): boolean => !/\.test\.tsx?$|_test\.go$|\/testing\//.test(file);

test.each(Object.entries(BANS))('%s is nowhere in the product', (_, { pattern, files }) => {
  const looked = filesOf(...files).filter(isProduct);
  expect(looked.length).toBeGreaterThan(5);
  const guilty = looked.filter((file) => pattern.test(read(file)));
  expect(guilty).toEqual([]);
});

test.each(Object.entries(BANS))('%s would be found', (_, { pattern, example }) => {
  expect(example).toMatch(pattern);
});

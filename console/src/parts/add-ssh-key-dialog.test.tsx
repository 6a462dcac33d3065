// Adding a key, as a person does it, against an API whose network is played.
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { AddSshKeyDialog } from './add-ssh-key-dialog.tsx';
import { endOfDay } from './expiry-choice.ts';
import { words as parts } from './words/en.ts';

// jsdom has no cryptography, and its files cannot be read; Node's types are not a browser's.
const NODE: Record<'buffer' | 'crypto', string> = { buffer: 'node:buffer', crypto: 'node:crypto' };
const { File: NodeFile } = (await import(NODE.buffer)) as { File: typeof File };
const { webcrypto } = (await import(NODE.crypto)) as { webcrypto: Crypto };
Object.defineProperty(globalThis, 'crypto', { value: webcrypto });

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIL4HgxVV+SgkX4BKzwihRxq10Bn9OG3j7UYBIInwgwkb';
const FINGERPRINT = 'SHA256:o+d+E397s/cLxzWlA1EC//WFa3zjrDFx4tju0egTJnU';

const fetched = playNetwork();
const added = jest.fn();
const closed = jest.fn();
/** The submit handler of the form around it. */
const around = jest.fn();

beforeEach(() => {
  for (const callback of [added, closed, around]) callback.mockReset();
  render(
    <form onSubmit={around}>
      <AddSshKeyDialog onAdded={added} onClose={closed} />
    </form>,
    { wrapper: appAround({ parts }) },
  );
});

const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const add = () => fireEvent.click(screen.getByRole('button', { name: 'Add' }));
const sent = () => JSON.parse(String(fetched.mock.calls[0]?.[1]?.body));

test('nothing is sent before the expiry is confirmed', async () => {
  type(/^Public key/, KEY);
  type(/^Remark/, 'laptop');
  add();
  await screen.findByText('Choose when it expires.');
  expect(fetched).not.toHaveBeenCalled();
});

test('a date is sent as the end of that day, and the fingerprint was shown before', async () => {
  fetched.mockResolvedValueOnce(answer({ code: 0, message: 'ok', result: { id: 'key-1' } }, 201));
  type(/^Public key/, `${KEY} dora@laptop\n`);
  await screen.findByText(FINGERPRINT);
  type(/^Remark/, 'laptop');
  type(/^Expires/, '2127-03-04');
  add();
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(sent()).toEqual({
    remark: 'laptop',
    public_key: `${KEY} dora@laptop`,
    expiration_time: endOfDay('2127-03-04'),
  });
  expect(added).toHaveBeenCalledWith({ id: 'key-1' });
  expect(around).not.toHaveBeenCalled();
});

test('Permanent is sent as null once it was picked, and unpicked it is not confirmed', async () => {
  fetched.mockResolvedValueOnce(answer({ code: 0, message: 'ok', result: {} }, 201));
  type(/^Public key/, KEY);
  type(/^Remark/, 'laptop');
  fireEvent.click(screen.getByLabelText('Permanent'));
  fireEvent.click(screen.getByLabelText('Permanent'));
  add();
  await screen.findByText('Choose when it expires.');
  fireEvent.click(screen.getByLabelText('Permanent'));
  add();
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(sent()).toMatchObject({ expiration_time: null });
});

test('a private key from a file is not sent, nor shown', async () => {
  const file = new NodeFile([`-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\nb3Blb`], 'id_ed25519');
  const input = document.querySelector('input[type=file]') as HTMLInputElement;
  fireEvent.change(input, { target: { files: [file] } });
  await screen.findByText(/This is a private key/);
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^Public key/).value).toBe('');
});

test('a damaged key is told at its field with the sentence that the server would give', async () => {
  type(/^Public key/, `${KEY}AAAA`);
  add();
  await screen.findByText('The public key cannot be used: it is cut off, or has extra data at its end.');
  expect(fetched).not.toHaveBeenCalled();
});

test('a refusal is shown at its field, and the input is kept', async () => {
  const message = 'You already have this key, as laptop.';
  fetched.mockResolvedValueOnce(
    answer({ code: 40936, error: 'pub_key_exists', message, field: 'public_key', args: {} }, 409),
  );
  type(/^Public key/, KEY);
  type(/^Remark/, 'laptop');
  fireEvent.click(screen.getByLabelText('Permanent'));
  add();
  await screen.findByText(message);
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^Public key/).value).toBe(KEY);
  expect(closed).not.toHaveBeenCalled();
});

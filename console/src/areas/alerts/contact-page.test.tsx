// Alert contacts: a list that could not be read is no empty one.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { appAround, type Played, playAnswers, playedRefusal } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { ContactPage } from './contact-page.tsx';
import { words as alert } from './words/en.ts';

const { answer } = playAnswers();
const NONE: Played = { body: { code: 0, message: 'ok', data: [] } };
const REFUSED = playedRefusal('invalid_field', 'Not now.');

test.each([
  ['without any both say so', NONE, NONE, [alert.contacts.noMailbox, alert.contacts.none], 0],
  ['what could not be read says that alone', REFUSED, REFUSED, [], 2],
  ['one that failed leaves the other', REFUSED, NONE, [alert.contacts.none], 1],
])('%s', async (_, mailboxes, contacts, empty, failures) => {
  answer(`GET /api${CALLS.listAlertMailboxes.path}`, mailboxes);
  answer(`GET /api${CALLS.listAlertContacts.path}`, contacts);
  const client = newQueryClient();
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), [
    { pname: 'addAlertMailbox', peltype: 'element' },
  ]);
  render(<ContactPage />, { wrapper: appAround({ alerts: alert }, client) });
  for (const sentence of empty) await screen.findByText(sentence);
  if (failures > 0) await screen.findAllByText('Not now.');
  expect(screen.queryAllByText('Not now.')).toHaveLength(failures);
  for (const sentence of [alert.contacts.noMailbox, alert.contacts.none])
    expect(screen.queryAllByText(sentence)).toHaveLength(empty.includes(sentence) ? 1 : 0);
});

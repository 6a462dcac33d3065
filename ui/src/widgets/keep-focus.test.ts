// The keyboard focus after its element has gone, on small pages.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { keepFocus } from './keep-focus.ts';

let end: () => void;

beforeEach(() => {
  end = keepFocus();
});

afterEach(() => {
  end();
  document.body.innerHTML = '';
  history.replaceState(null, '', '/');
});

const find = (id: string) => document.getElementById(id) as HTMLElement;
const focused = () => document.activeElement?.id;
/** Everything requested meanwhile is done by then. */
const settled = () => new Promise((done) => setTimeout(() => setTimeout(done)));

const BUTTONS = '<button id="stop"></button><button id="more"></button>';
const HEAD = `<header><h1 id="title">dev</h1><div id="actions">${BUTTONS}</div></header>`;
const row = (name: string) => `<tr id="${name}"><td><a id="${name}-name" href="/${name}"></a></td>
  <td><button id="${name}-delete"></button></td></tr>`;
const TABLE = `<section><h2 id="keys">Keys</h2><div id="list" tabindex="0"><table><tbody id="rows">${row('a')}${row('b')}${row('c')}
  </tbody></table></div></section>`;

const gone = (id: string) => find(id).remove();

test.each<[string, { page: string; at: string; loses: () => void; goal: string }]>([
  ['the next action of the same place', { page: HEAD, at: 'stop', loses: () => gone('stop'), goal: 'more' }],
  ['the one before where there is none after', { page: HEAD, at: 'more', loses: () => gone('more'), goal: 'stop' }],
  [
    'the action that came instead',
    {
      page: HEAD,
      at: 'stop',
      loses: () => {
        find('actions').innerHTML = '<button id="start"></button><button id="more"></button>';
      },
      goal: 'start',
    },
  ],
  [
    'the heading where no action is left',
    {
      page: HEAD,
      at: 'stop',
      loses: () => {
        find('actions').innerHTML = '';
      },
      goal: 'title',
    },
  ],
  ['the same button of the row below', { page: TABLE, at: 'b-delete', loses: () => gone('b'), goal: 'c-delete' }],
  ['that of the row above, at the end', { page: TABLE, at: 'c-delete', loses: () => gone('c'), goal: 'b-delete' }],
  [
    'the row, where only its button went',
    { page: TABLE, at: 'b-delete', loses: () => gone('b-delete'), goal: 'b-name' },
  ],
  [
    'the list, where no row is left',
    {
      page: TABLE,
      at: 'b-delete',
      loses: () => {
        find('rows').innerHTML = '';
      },
      goal: 'list',
    },
  ],
  [
    'what stands where the list was',
    {
      page: TABLE,
      at: 'b-delete',
      loses: () => {
        find('list').outerHTML = '<div><p>No keys</p><button id="add"></button></div>';
      },
      goal: 'add',
    },
  ],
  [
    'the region rather than a field to type in',
    {
      page: `<main id="main" tabindex="-1"><button id="a"></button><input id="b"></main>`,
      at: 'a',
      loses: () => gone('a'),
      goal: 'main',
    },
  ],
])('it is on %s', async (_, { page, at, loses, goal }) => {
  document.body.innerHTML = `<div id="root">${page}</div>`;
  find(at).focus();
  loses();
  await waitFor(() => expect(focused()).toBe(goal));
});

/** As a menu and a dialog stand in the page: beside its root, one above the other. */
function opened(...layers: string[]) {
  document.body.innerHTML = `<div id="root">${TABLE}${HEAD}</div>`;
  return (opener: string) => {
    find(opener).focus();
    for (const layer of layers) {
      document.body.insertAdjacentHTML('beforeend', `<div id="${layer}"><button id="in-${layer}"></button></div>`);
      find(`in-${layer}`).focus();
    }
    for (const layer of layers) gone(layer);
  };
}

test('a dialog that a menu has opened leads back to the button of the menu', async () => {
  opened('menu', 'dialog')('more');
  await waitFor(() => expect(focused()).toBe('more'));
});

test('an element that a closed dialog still hides is waited for', async () => {
  document.body.innerHTML = `<main id="page">${HEAD}</main><div id="dialog" tabindex="-1"><button id="confirm"></button></div>`;
  find('stop').focus();
  find('page').setAttribute('aria-hidden', 'true');
  find('confirm').focus();
  gone('stop');
  gone('dialog');
  await settled();
  find('page').removeAttribute('aria-hidden');
  await waitFor(() => expect(focused()).toBe('more'));
});

test('and to the next row, where that button went with its own', async () => {
  opened('menu', 'dialog')('b-delete');
  gone('b');
  await waitFor(() => expect(focused()).toBe('c-delete'));
});

/** In browsers it loses the focus by that; here it has to before. */
function wait(id: string) {
  find(id).blur();
  (find(id) as HTMLButtonElement).disabled = true;
}

test('a button that waited for its answer gets the focus back when it can be pressed', async () => {
  document.body.innerHTML = `<div id="root">${HEAD}</div>`;
  find('stop').focus();
  wait('stop');
  await settled();
  expect(document.activeElement).toBe(document.body);
  (find('stop') as HTMLButtonElement).disabled = false;
  await waitFor(() => expect(focused()).toBe('stop'));
});

test.each<[string, () => void]>([
  ['left by themselves', () => find('stop').blur()],
  [
    'turned elsewhere while it waited',
    () => {
      wait('stop');
      document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    },
  ],
  ['gone to another page', () => history.replaceState(null, '', '/elsewhere')],
])('nobody is taken anywhere who has %s', async (_, turns) => {
  document.body.innerHTML = `<div id="root">${HEAD}</div>`;
  find('stop').focus();
  turns();
  await settled();
  gone('stop');
  await settled();
  expect(document.activeElement).toBe(document.body);
});

test('changes elsewhere in the page move nothing', async () => {
  document.body.innerHTML = `<div id="root">${HEAD}</div>`;
  find('stop').focus();
  gone('more');
  await settled();
  expect(focused()).toBe('stop');
});

test('whoever has put the focus somewhere is not overruled', async () => {
  document.body.innerHTML = `<div id="root">${HEAD}${TABLE}</div>`;
  find('stop').focus();
  gone('stop');
  find('a-name').focus();
  await settled();
  expect(focused()).toBe('a-name');
});

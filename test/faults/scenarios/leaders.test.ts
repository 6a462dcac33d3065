// Fault 3: two operators, one Lease. The second takes over from one that ends, dies or is frozen; the frozen one comes back
// and changes nothing.
import { expect, test } from '@jest/globals';
import { hold } from '../action.ts';
import type { LoggedWrite } from '../call-log.ts';
import { type Contender, setArena } from './arena.ts';
import { endsWell } from './end-of-life.ts';
import { noSecondCreate } from './invariants.ts';

const PATIENCE_MS = 60_000;
/** As operator/src/runtime/leader.ts has it. */
const LEASE_MS = 6_000;

const arena = setArena();

const isLease = ({ call }: LoggedWrite): boolean => call.resource === 'leases';
const isDone = ({ status = 0 }: LoggedWrite): boolean => status > 0 && status < 300;
/** Its changes besides the Lease, and the events that report them. */
const changes = ({ proxy }: Contender): readonly LoggedWrite[] =>
  proxy.writes().filter((write) => !isLease(write) && isDone(write) && write.call.resource !== 'events');

/**
 * A standby changes nothing from a moment on. On a machine that stalls the leader for as long as its Lease lasts the standby
 * takes over, and its later writes are legitimate; a claim that comes too late is refused.
 */
function staysAside(standby: Contender, leader: Contender, since = 0): void {
  const [claim] = standby.proxy.writes().filter((write) => write.at > since && (!isLease(write) || isDone(write)));
  if (!claim) return;
  expect(claim.call.resource).toBe('leases');
  const renewals = leader.proxy.writes().filter((write) => isLease(write) && isDone(write) && write.at < claim.at);
  expect(claim.at - (renewals.at(-1)?.at ?? Number.NaN)).toBeGreaterThan(LEASE_MS);
}

/** A standby only reads the Lease: its first write is the take-over. Gives how long that took. */
async function takesOver({ proxy }: Contender, from: () => unknown): Promise<number> {
  const claims = () => proxy.writes().filter((write) => isLease(write) && isDone(write)).length;
  const before = claims();
  const began = performance.now();
  const ending = from();
  await proxy.waitFor(() => claims() > before, PATIENCE_MS);
  await ending;
  return Math.round(performance.now() - began);
}

test('one of two operators works; the other takes over when it ends or is killed', async () => {
  const first: Contender = arena();
  const second = await arena().contender();
  const instance = arena().instance('heir');
  await instance.create();
  await instance.reaches('running');
  staysAside(second, first);

  const afterEnd = await takesOver(second, () => first.operator.terminate(PATIENCE_MS));
  await instance.wish({ power: 'Stopped' });
  await instance.reaches('stopped');

  const restartedAt = performance.now();
  await first.operator.restart();
  await instance.wish({ power: 'Running' });
  await instance.reaches('running');
  staysAside(first, second, restartedAt);

  const afterDeath = await takesOver(first, () => second.operator.kill());
  console.log(`take-over: ${afterEnd} ms after SIGTERM, ${afterDeath} ms after SIGKILL`);
  await endsWell(instance, arena());
  noSecondCreate([...first.proxy.writes(), ...second.proxy.writes()]);
  await second.operator.close();
});

test('a leader frozen for two lease lengths in the middle of a create comes back to no effect', async () => {
  const first: Contender = arena();
  const second = await arena().contender();
  const [begun, busy] = [arena().instance('begun'), arena().instance('busy')];
  await busy.create();
  await busy.reaches('running');

  // The request has left the leader and is on its way for as long as the leader sleeps.
  const thawed = Promise.withResolvers<void>();
  first.proxy.rules.add({
    match: ({ title, name }) => title === 'create pods' && name.startsWith(begun.name),
    nth: 1,
    do: hold('before', thawed.promise),
  });
  await begun.create();
  await first.proxy.waitFor(({ writes }) => writes().some(({ faults }) => faults.includes('hold before')), PATIENCE_MS);
  const frozenAt = performance.now();
  await takesOver(second, () => first.operator.freeze());
  await begun.reaches('running');
  await busy.wish({ power: 'Stopped' });
  await busy.reaches('stopped');
  await busy.wish({ power: 'Running' });
  await busy.reaches('running');
  await second.proxy.waitFor(() => performance.now() - frozenAt > 2 * LEASE_MS, PATIENCE_MS);

  const before = changes(first).length;
  thawed.resolve();
  first.operator.thaw();
  await first.operator.exited();
  expect(first.operator.logs().at(-1)).toContain('another operator has taken the Lease');
  expect(changes(first).slice(before)).toEqual([]);

  await first.operator.restart();
  await endsWell(begun, arena());
  await endsWell(busy, arena());
  noSecondCreate([...first.proxy.writes(), ...second.proxy.writes()]);
});

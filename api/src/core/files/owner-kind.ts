// What a kind of owner says of its versions, so that their files can arrive. It keeps their state in rows of its own.
import type { Problem } from '@gantry/contract/http/problem.ts';
import type { Sql } from '../../platform/db/open.ts';
import type { FileRow, Owner } from './files.ts';
import type { Source, SourcePlan } from './source.ts';

/** A version whose files are fetched, or are all there and checked. */
export interface Arrival extends Owner {
  step: 'fetching' | 'checking';
  createdAt: Date;
  /** How often its source was away, one time after the other. */
  tries: number;
}

export interface OwnerKind<Arriving extends Arrival = Arrival, Fact = unknown, Plan extends SourcePlan = SourcePlan> {
  readonly kind: Arriving['kind'];
  /** How long one is fetched before others have their turn; ten minutes where absent. */
  readonly turnMs?: number;
  /** How many are fetched at once, each of another organisation; three where absent. */
  readonly atOnce?: number;
  /** Its source works long before it sends anything. */
  readonly isSlowToBegin?: boolean;
  /** What is said of one whose list was not there when its turn was over; where absent it has another turn. */
  overdue?(): Problem;
  /** Oldest first: those whose next try is due, without the ones that are under way. */
  waiting(at: Date, among: { except: readonly string[]; most: number }): Promise<Arriving[]>;
  source(arriving: Arriving, signal: AbortSignal): Promise<Source<Plan>>;
  /** Within the transaction that declares what its source has. Throws Gone. */
  planned(tx: Sql, arriving: Arriving, plan: Plan): Promise<void>;
  /** All files of a fetched one are there. */
  fetched(arriving: Arriving): Promise<void>;
  /** Before any byte is looked at. Throws the problem of a list that is not sound. */
  checkList(files: readonly FileRow[]): void;
  /** By its bytes, which are at the key. Throws the problem of a file that is not sound. */
  checkFile(arriving: Arriving, file: FileRow, keyOf: () => Promise<string>): Promise<Fact>;
  /** All are kept: what is written in the transaction that makes the version ready. */
  ready(arriving: Arriving, files: readonly FileRow[], facts: readonly Fact[]): Promise<(tx: Sql) => Promise<void>>;
  failed(tx: Sql, arriving: Arriving, problem: Problem): Promise<void>;
  /** One more try, not before `at`. */
  delayed(arriving: Arriving, at: Date): Promise<void>;
  /** Its source answers again: a later pause begins short. */
  worked(arriving: Arriving): Promise<void>;
  /** The store lost bytes of it: they have to come again. */
  lost(tx: Sql, arriving: Arriving): Promise<void>;
  /** The message of a version whose source was away too often. */
  lastWord(arriving: Arriving, error: unknown): Problem;
}

// The progress of verifying an address: kept for this tab, so that a reloaded page continues. A code works once, so without its
// ticket a person would have to wait for another.
import { useState } from 'react';
import { keepInTab, keptInTab } from '../../parts/kept-in-tab.ts';

/** The lifetime of codes and of the tickets they give. */
const LIFE_MS = 10 * 60_000;

export interface Proof {
  /** The address to which the code was sent. */
  readonly address: string;
  /** From when on another may be asked for, in ms. */
  readonly resendAt: number;
  /** The ticket for the right code. */
  readonly ticket?: string;
}

interface KeptProof extends Proof {
  readonly brought?: string;
  readonly until: number;
}

type Purpose = 'register' | 'reset';

const keyOf = (purpose: Purpose) => `gantry_proof_${purpose}`;

/** `brought` is the address of the link that led to the page. */
export const keepProof = (purpose: Purpose, proof: Proof, now: number, brought?: string): void =>
  keepInTab(keyOf(purpose), { ...proof, brought, until: now + LIFE_MS });

/** Its purpose is fulfilled. */
export const forgetProof = (purpose: Purpose): void => sessionStorage.removeItem(keyOf(purpose));

/**
 * Undefined for one that was begun in another tab, or is too old to go on with; and for another address than that of a link that was
 * followed since.
 */
function keptProof(purpose: Purpose, now: number, brought: string | undefined): Proof | undefined {
  const kept = keptInTab<KeptProof>(keyOf(purpose));
  if (!kept || kept.until <= now) return undefined;
  const { until: _, brought: before, ...proof } = kept;
  if (brought !== undefined && brought !== before && brought.toLowerCase() !== proof.address) return undefined;
  return proof;
}

interface ProofState {
  proof: Proof | undefined;
  keep(proof: Proof): void;
  forget(): void;
}

/** `brought` is the address that a link brings. */
export function useProof(purpose: Purpose, brought?: string): ProofState {
  const [proof, setProof] = useState(() => keptProof(purpose, Date.now(), brought));
  return {
    proof,
    keep(made) {
      keepProof(purpose, made, Date.now(), brought);
      setProof(made);
    },
    forget() {
      forgetProof(purpose);
      setProof(undefined);
    },
  };
}

// One beacon.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { KindPage } from '../../parts/kind-page.tsx';

export const BeaconPage = () => <KindPage kind="beacon" read={CALLS.getBeacon} list="/develop/beacon" tabs={{}} />;

/** `up` says no before it has made anything: the cluster has never been. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

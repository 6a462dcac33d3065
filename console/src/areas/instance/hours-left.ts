// How long a balance lasts. Only a guide, shown as whole hours, so floating numbers are good enough for it.

/** With what runs already and something more per hour; undefined where nothing costs. */
export function hoursLeft(
  { balance, per_hour }: { balance: string; per_hour: string },
  more: string,
): number | undefined {
  const perHour = Number(per_hour) + Number(more);
  return perHour > 0 ? Math.max(0, Math.floor(Number(balance) / perHour)) : undefined;
}

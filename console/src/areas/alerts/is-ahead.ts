/** A time that is over, such as unmuting leaves behind, says nothing any more. */
export const isAhead = (time: string | undefined): time is string =>
  time !== undefined && Date.parse(time) > Date.now();

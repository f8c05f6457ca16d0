/**
 * The rank test of Mann and Whitney on two lots of times. `share` is the share of pairs in which the first is larger, and
 * `sigmas` is the distance of that share from a half, in standard deviations of equal lots. It uses the order of the
 * times alone, so a few slow replies on a busy machine do not decide it.
 */
export function compareTimes(first: readonly number[], second: readonly number[]): { sigmas: number; share: number } {
  const larger = first.reduce((sum, time) => sum + countBelow(second, time), 0)
  const pairs = first.length * second.length
  const deviation = Math.sqrt((pairs * (first.length + second.length + 1)) / 12)
  return { sigmas: (larger - pairs / 2) / deviation, share: larger / pairs }
}

/** Equal times count as half. */
function countBelow(times: readonly number[], limit: number): number {
  return times.reduce((sum, time) => sum + (time < limit ? 1 : time === limit ? 0.5 : 0), 0)
}

/**
 * How many bytes a node may answer, by method. A chain lists its methods whose answers are small and those that may be large.
 * All others have `usualBytes`, also those that a user names.
 */
export type AnswerSizes = { small: ReadonlySet<string>; large: Readonly<Record<string, number>> }

export const [smallBytes, usualBytes, largeBytes] = [64 * 1024, 2 * 1024 * 1024, 32 * 1024 * 1024]

export function bytesMaxOf(method: string, { small, large }: AnswerSizes): number {
  if (small.has(method)) return smallBytes
  return Object.hasOwn(large, method) ? (large[method] ?? usualBytes) : usualBytes
}

import { isRecord } from '../folder/paths.ts'

/** True if every field of the part is in the whole with the same value. Lists must have the same length. */
export function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(whole) && part.length === whole.length && part.every((each, index) => isPartOf(each, whole[index]))
    )
  if (!isRecord(part)) return Object.is(part, whole)
  return (
    isRecord(whole) &&
    Object.entries(part).every(([key, each]) => Object.hasOwn(whole, key) && isPartOf(each, whole[key]))
  )
}

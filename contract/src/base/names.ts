/** The syntax of names. The domain checks owners. */

const segment = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
const isSegmentShaped = new RegExp(`^${segment}$`)
const isTriggerNameShaped =
  /^[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?)*$/

export const fullnameLengthMax = 255
export const reservedWorkspaces: readonly string[] = ['common', 'api', 'core']

export function isSegment(text: string): boolean {
  return text.length <= 64 && isSegmentShaped.test(text)
}

/** True for `<workspace>.<name>`. */
export function isOwnedName(fullname: string): boolean {
  const segments = fullname.split('.')
  return segments.length === 2 && segments.every(isSegment)
}

/** A trigger name may have several segments, `_` and upper case. */
export function isTriggerName(text: string): boolean {
  return text.length <= 128 && isTriggerNameShaped.test(text)
}

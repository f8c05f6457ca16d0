import { hash } from 'node:crypto'

/** Ids are hashes of their cause. Repeated work makes the same ids, so the store keeps it once. */

export type AlertCause = {
  subscriptionId: string
  ruleId: string
  triggerId: string
  itemKey: string
  outputIndex: number
  itemAtMs: number
}

/** The id begins with the item's time, so that alerts written together are neighbours in the store's indexes. */
export function alertId({ subscriptionId, ruleId, triggerId, itemKey, outputIndex, itemAtMs }: AlertCause): string {
  const timeHex = hexOf(itemAtMs / 1000, 8)
  return `al_${timeHex}${digest(subscriptionId, ruleId, triggerId, itemKey, outputIndex).slice(8)}`
}

export function digestId(subscriptionId: string, ruleId: string, collected: readonly string[]): string {
  return `al_${digest('digest', subscriptionId, ruleId, ...collected)}`
}

type LastOutput = { atMs: number; mark: { hash: string; incarnation: number } | null }

/** The alert that nothing came after this output. Blocks that replace each other may have the same time. */
export function absenceAlertId(
  { subscriptionId, ruleId, key }: { subscriptionId: string; ruleId: string; key: string },
  { atMs, mark }: LastOutput,
): string {
  const block = mark ? [mark.hash, mark.incarnation] : []
  return `al_${hexOf(atMs / 1000, 8)}${digest('absence', subscriptionId, ruleId, key, atMs, ...block).slice(8)}`
}

/** `cause` is the alert that the resolving output would make, or empty if time alone resolved it. */
export function resolvedAlertId(firingId: string, cause: string, atMs: number): string {
  return `al_${hexOf(atMs / 1000, 8)}${digest('resolved', firingId, cause).slice(8)}`
}

/** The alert that a resource began to fail, or works again, at this time. */
export function healthAlertId(resourceId: string, works: boolean, atMs: number): string {
  return `al_${hexOf(atMs / 1000, 8)}${digest('health', resourceId, String(works), atMs).slice(8)}`
}

/** What the scopes of a history's state windows begin with: it must not mix with the live state of its trigger. */
export function historyScope(subscriptionId: string): string {
  return `history ${subscriptionId} `
}

/** The job queue requires a uuid. */
export function jobId(...cause: (string | number)[]): string {
  return uuidOf(digest(...cause))
}

/** The queue sorts jobs of one commit by id, so the ids of ordered jobs begin with their order. */
export function orderedJobId(order: number, ...cause: (string | number)[]): string {
  return uuidOf(hexOf(order, 12) + digest(...cause))
}

function hexOf(value: number, digits: number): string {
  const whole = Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0
  return whole.toString(16).padStart(digits, '0').slice(-digits)
}

function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

function digest(...parts: (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, 32)
}

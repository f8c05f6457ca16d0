import { hash } from 'node:crypto'

/** Ids are made from what caused them, so that the same work done twice is done once. */

export type Cause = {
  subscriptionId: string
  ruleId: string
  triggerId: string
  itemKey: string
  outputIndex: number
}

export function alertId({ subscriptionId, ruleId, triggerId, itemKey, outputIndex }: Cause): string {
  return `al_${digest(subscriptionId, ruleId, triggerId, itemKey, outputIndex)}`
}

export function digestId(subscriptionId: string, ruleId: string, collected: readonly string[]): string {
  return `al_${digest('digest', subscriptionId, ruleId, ...collected)}`
}

/** A job's id is a uuid, whatever it is made from. */
export function jobId(...cause: (string | number)[]): string {
  return uuidOf(digest(...cause))
}

/** Jobs of one commit that must keep an order are told apart by their ids, which begin with it. */
export function orderedJobId(order: number, ...cause: (string | number)[]): string {
  const place = Math.max(0, Math.floor(order)).toString(16).padStart(12, '0').slice(-12)
  return uuidOf(place + digest(...cause))
}

function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

function digest(...parts: (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, 32)
}

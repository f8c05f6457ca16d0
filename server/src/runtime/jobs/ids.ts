import { hash } from 'node:crypto'

/** Ids are made from what caused them, so that the same work done twice is done once. */

export type AlertCause = {
  subscriptionId: string
  ruleId: string
  triggerId: string
  itemKey: string
  outputIndex: number
  itemAtMs: number
}

/** It begins with the time of its item: what is written together stands together in the store's indexes. */
export function alertId({ subscriptionId, ruleId, triggerId, itemKey, outputIndex, itemAtMs }: AlertCause): string {
  const place = hexOf(itemAtMs / 1000, 8)
  return `al_${place}${digest(subscriptionId, ruleId, triggerId, itemKey, outputIndex).slice(8)}`
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

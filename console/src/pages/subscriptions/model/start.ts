import type { Issue } from '@tocsin/contract'

/** Where a new subscription begins: with the next block, or with past blocks. */
export type StartDraft = {
  from: 'next' | 'block' | 'time'
  block: number | undefined
  /** As a date field writes it, in the time zone of the browser: 2026-01-31T12:00. */
  time: string
  /** The alerts of past blocks are sent too. */
  delivers: boolean
}

export const nextBlock: StartDraft = { from: 'next', block: undefined, time: '', delivers: false }

type StartPayload = { from?: { block: number } | { time: string }; deliverHistory?: boolean }

/** `checkStart` has checked the draft. */
export function startOf({ from, block, time, delivers }: StartDraft): StartPayload {
  if (from === 'block' && block !== undefined) return { from: { block }, deliverHistory: delivers }
  const at = new Date(time)
  if (from === 'time' && isValid(at)) return { from: { time: at.toISOString() }, deliverHistory: delivers }
  return {}
}

export function checkStart({ from, block, time }: StartDraft): Issue[] {
  if (from === 'block' && block === undefined) return [{ path: 'from.block', message: 'Enter the number of a block' }]
  if (from === 'time' && !isValid(new Date(time))) return [{ path: 'from.time', message: 'Enter a date and a time' }]
  return []
}

function isValid(date: Date): boolean {
  return !Number.isNaN(date.getTime())
}

/** Says what will happen with past blocks. */
export function describeStart({ from, block, time, delivers }: StartDraft): string {
  if (from === 'next') return 'The subscription begins with the next block.'
  const first = from === 'block' ? `block ${block ?? '…'}` : time.replace('T', ' ') || '…'
  const alerts = delivers ? 'sent to the destinations' : 'listed in the app and not sent'
  return `First, the blocks from ${first} on are run, and their alerts are ${alerts}. Then the subscription goes on with new blocks.`
}

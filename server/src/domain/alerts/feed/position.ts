/**
 * The position of a stream, which is the `id` of its events. A snapshot of PostgreSQL says which commits the stream has
 * sent. Within the alerts that were read together, which are sent in the order of `seq`, the position is
 * `from~to~seq`: everything before `from` was sent, and what `to` adds up to this `seq`.
 */
export type Position = { from: string; to: string; seq: bigint }

const textMax = 4_096
const transactionsMax = 2n ** 31n

export function wholePosition(snapshot: string): Position {
  return { from: snapshot, to: snapshot, seq: 0n }
}

export function positionText({ from, to, seq }: Position): string {
  const text = from === to ? to : `${from}~${to}~${seq}`
  if (text.length <= textMax) return text
  // Very many transactions were in progress. An older position is safe: some events may be sent twice.
  const [first = '0'] = from.split(':')
  return `${first}:${first}:`
}

/** Reads an id of ours. Returns undefined for another text, and for an id that is too old for this store or not from it. */
export function readPosition(text: string, current: string): Position | undefined {
  if (text.length > textMax) return undefined
  const parts = text.split('~')
  const [from = '', to = from, seq = '0'] = parts
  const isForm = (parts.length === 1 || parts.length === 3) && /^\d{1,18}$/.test(seq)
  return isForm && isKnown(from, current) && isKnown(to, current) ? { from, to, seq: BigInt(seq) } : undefined
}

/** A snapshot is `xmin:xmax:` and the ids in between that were in progress. */
function isKnown(snapshot: string, current: string): boolean {
  if (!/^\d{1,19}:\d{1,19}:(?:\d{1,19}(?:,\d{1,19})*)?$/.test(snapshot)) return false
  const [xmin, xmax, inProgress] = partsOf(snapshot)
  const [, currentXmax] = partsOf(current)
  const isInOrder = inProgress.every(
    (id, at) => id >= (at === 0 ? xmin : (inProgress[at - 1] ?? xmin) + 1n) && id < xmax,
  )
  return xmin > 0n && xmin <= xmax && isInOrder && xmax <= currentXmax && currentXmax - xmin < transactionsMax
}

function partsOf(snapshot: string): [xmin: bigint, xmax: bigint, inProgress: bigint[]] {
  const [xmin = '0', xmax = '0', rest = ''] = snapshot.split(':')
  return [BigInt(xmin), BigInt(xmax), rest === '' ? [] : rest.split(',').map(BigInt)]
}

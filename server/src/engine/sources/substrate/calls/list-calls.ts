import { makePauses } from '../../../base/event-loop-turns.ts'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { SubstrateCall, SubstrateEvent } from '../contents.ts'
import { valuesMax } from '../cursor.ts'
import type { Runtime } from '../runtime.ts'
import { callsRunBy, isResult } from './calls-run-by.ts'
import { extrinsicReader } from './read-extrinsic.ts'

type Block = SubstrateCall['block']

/**
 * The calls of a block in the order of the chain: an extrinsic's own call, then the calls inside it. Throws an UpstreamError
 * when bytes are invalid.
 */
export async function listCalls(
  extrinsics: readonly string[],
  events: readonly SubstrateEvent[],
  runtime: Runtime,
  block: Block,
): Promise<SubstrateCall[]> {
  try {
    const read = extrinsicReader(runtime)
    const eventsOf = groupByExtrinsic(events)
    const values = { count: valuesMax }
    const pause = makePauses()
    const calls: SubstrateCall[] = []
    for (const [index, hex] of extrinsics.entries()) {
      await pause()
      const { hash, sender, nonce, call } = read(hex, values)
      for (const { call: each, path, outcome } of callsRunBy(call, eventsOf.get(index) ?? []))
        calls.push({ block, index, hash, ...each, sender, nonce, path, ...outcome })
    }
    return calls
  } catch (error) {
    if (error instanceof UpstreamError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UpstreamError('bad_answer', `The extrinsics of block ${block.number} cannot be decoded: ${reason}.`)
  }
}

/** How many extrinsics of a block have a result among its events. */
export function countResults(events: readonly SubstrateEvent[]): number {
  return events.filter(isResult).length
}

function groupByExtrinsic(events: readonly SubstrateEvent[]): Map<number, SubstrateEvent[]> {
  const groups = new Map<number, SubstrateEvent[]>()
  for (const event of events) {
    if (event.extrinsic === null) continue
    const group = groups.get(event.extrinsic)
    if (group) group.push(event)
    else groups.set(event.extrinsic, [event])
  }
  return groups
}

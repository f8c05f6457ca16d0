import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { SubstrateCall, SubstrateEvent } from '../contents.ts'
import type { Runtime } from '../runtime.ts'
import { callsRunBy, isResult } from './calls-run-by.ts'
import { extrinsicReader } from './read-extrinsic.ts'

type Block = SubstrateCall['block']

/**
 * The calls of a block in the order of the chain: an extrinsic's own call, then the calls inside it. Throws an UpstreamError
 * when bytes are invalid.
 */
export function listCalls(
  extrinsics: readonly string[],
  events: readonly SubstrateEvent[],
  runtime: Runtime,
  block: Block,
): SubstrateCall[] {
  try {
    const read = extrinsicReader(runtime)
    const eventsOf = groupByExtrinsic(events)
    return extrinsics.flatMap((hex, index) => {
      const { hash, sender, nonce, call } = read(hex)
      const run = callsRunBy(call, eventsOf.get(index) ?? [])
      return run.map(({ call, path, outcome }): SubstrateCall => {
        return { block, index, hash, ...call, sender, nonce, path, ...outcome }
      })
    })
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

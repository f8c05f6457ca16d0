import type { Policy } from '@tocsin/contract'
import { firstTimestamp } from './chain.ts'
import type { SimulatedChain, World } from './world.ts'

/** It never fires: a transaction has fewer outputs. Its states, one for each transaction, show each output that it got. */
export const countsAll: Policy = { type: 'count', count: 1_000, within: '1d', key: 'transactionHash' }

type Output = { atMs: number; mark: { hash: string } | null }

/** The policy of a subscription must have got each output of the present chain once, and no other. */
export async function* compareOutputs(
  { database }: World,
  { chain, base }: SimulatedChain,
  subscriptionId: string,
): AsyncIterable<string> {
  const { rows } = await database.query<{ outputs: Output[] }>(
    "select state->'state'->'outputs' as outputs from policy_states where subscription_id = $1",
    [subscriptionId],
  )
  // The state drops the outputs of a replaced block when it gets its next one.
  const isOnChain = ({ mark }: Output) =>
    mark === null || chain.byNumber(chain.byHash(mark.hash)?.number ?? -1)?.hash === mark.hash
  const got = countsOf(
    rows
      .flatMap(({ outputs }) => outputs)
      .filter(isOnChain)
      .map(({ atMs }) => atMs / 1000 - firstTimestamp),
  )
  const wanted = countsOf(chain.wantedLogs(base).map(({ number }) => number))
  for (const number of new Set([...got.keys(), ...wanted.keys()]))
    if (number > base && got.get(number) !== wanted.get(number))
      yield `the policy of ${subscriptionId} got ${got.get(number) ?? 0} outputs of block ${number} instead of ${wanted.get(number) ?? 0}`
}

function countsOf(numbers: readonly number[]): Map<number, number> {
  return new Map([...Map.groupBy(numbers, (number) => number)].map(([number, all]) => [number, all.length]))
}

import { itemKey } from './item-key.ts'
import { type SimulatedChain, type World, windowSize } from './world.ts'

/** Each log of the present chain must have one alert, whose state window holds the last logs of the chain in their order. */
export async function* compareWindows(
  { database }: World,
  { chain, base, windowId }: SimulatedChain,
): AsyncIterable<string> {
  const { rows } = await database.query<{ key: string; values: string[] }>(
    `select ${itemKey('trace')} as key, trace->'raw'->'values' as values from alerts
     where subscription_id = $1 and status <> 'retracted'`,
    [windowId],
  )
  const seen = new Map(rows.map(({ key, values }) => [key, values.map(dataOf).join()]))
  const logs = chain.wanted(base)
  if (new Set(chain.wanted(0)).size < rows.length) yield 'the state window has too many alerts'
  for (const [at, key] of logs.entries()) {
    const wanted = logs.slice(Math.max(0, at + 1 - windowSize), at + 1).map((each) => each.split(':')[1])
    const values = seen.get(key)
    // Logs of replaced blocks from before the subscription may be in the first windows.
    const isSame = at + 1 < windowSize ? values?.endsWith(wanted.join()) : values === wanted.join()
    if (!isSame) yield `the state window at ${key} holds ${values} instead of ${wanted.join()}`
  }
}

/** The data of a log, or of a call that has the data of its log after the selector. */
function dataOf(value: string): string {
  return value.length > 66 ? `0x${value.slice(10)}` : value
}

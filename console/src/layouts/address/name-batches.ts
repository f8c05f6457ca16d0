import type { AddressName } from '@tocsin/contract'

type Find = (source: string, addresses: string[]) => Promise<Pick<AddressName, 'address' | 'name'>[]>
type Waiting = { address: string; resolve: (name: string | null) => void; reject: (error: unknown) => void }

/** The limit of the API. */
const addressesMax = 100
/** A live feed shows new addresses all the time, and the service counts a request for names as a test. */
const pauseMs = 2_000

/**
 * Joins requests for names. The addresses that a page shows leave together, in one request per source. The next batch leaves
 * after a pause. The name of an address without one is null.
 */
export function makeNameBatches(find: Find): (source: string, address: string) => Promise<string | null> {
  let waiting = new Map<string, Waiting[]>()
  let isScheduled = false
  let nextAtMs = 0
  const flush = () => {
    const batch = waiting
    waiting = new Map()
    isScheduled = false
    nextAtMs = performance.now() + pauseMs
    for (const [source, group] of batch)
      for (let at = 0; at < group.length; at += addressesMax)
        void answer(find, source, group.slice(at, at + addressesMax))
  }
  return (source, address) =>
    new Promise((resolve, reject) => {
      const group = waiting.get(source) ?? []
      waiting.set(source, group)
      group.push({ address, resolve, reject })
      if (!isScheduled) setTimeout(flush, Math.max(0, nextAtMs - performance.now()))
      isScheduled = true
    })
}

async function answer(find: Find, source: string, group: Waiting[]): Promise<void> {
  try {
    const found = await find(
      source,
      group.map(({ address }) => address),
    )
    const names = new Map(found.map(({ address, name }) => [address, name]))
    for (const { address, resolve } of group) resolve(names.get(address) ?? null)
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

import { makeLruCache } from '../../../engine/base/lru-cache.ts'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import type { TokenDecimals } from '../../../engine/conditions/predicate.ts'
import { readMessageNetwork } from '../../../engine/fan-out/index.ts'
import type { MessageNetwork } from '../../../engine/message/index.ts'
import type { OpenedRun, Run } from '../../../engine/run-trigger/index.ts'
import type { SourceAddress } from '../../../engine/sources/connections.ts'
import type { RuntimeDeps } from '../../deps.ts'
import type { EvaluateJob } from '../../jobs/job.ts'
import type { Listener, LiveTrigger } from '../../listeners/live-trigger.ts'

type Chunk = { deps: RuntimeDeps; trigger: LiveTrigger; job: EvaluateJob; opened: OpenedRun }
type Planned = { match: { item: SourceItem }; listeners: readonly Listener[] }

/** Reads what the messages of a chunk show of its source: links to the explorer, and symbols and decimals of tokens. */
export async function networkOfChunk(
  { deps, trigger, job, opened }: Chunk,
  planned: readonly Planned[],
  runs: readonly Run[],
  decimals: readonly (TokenDecimals | undefined)[],
): Promise<MessageNetwork | undefined> {
  const source = job.source ?? trigger.dataSource
  if (source === null) return undefined
  const shown = planned.flatMap(({ match, listeners }, index) => {
    const run = runs[index]
    return run?.kind === 'output'
      ? [{ item: match.item, outputs: run.outputs, listeners, itemDecimals: decimals[index] }]
      : []
  })
  return readMessageNetwork(trigger, shown, {
    addressOf: () => cachedAddress(`${trigger.workspaceId} ${source}`, () => opened.addressOf(source)),
    connection: () => opened.connection(source),
    tokens: deps.engine.tokens,
    findNames: (hashes) =>
      cachedNames(source, hashes, (missing) => deps.store.lookUps.findNames(source, missing, deps.clock())),
  })
}

const namesMs = 60_000
const names = makeLruCache<{ name: string | undefined; untilMs: number }>(50_000)

/** Most messages of a trigger show the same contract. */
async function cachedNames(
  source: string,
  hashes: readonly string[],
  read: (missing: string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const nowMs = performance.now()
  const keyOf = (hash: string) => `${source} ${hash}`
  const missing = hashes.filter((hash) => (names.find(keyOf(hash))?.untilMs ?? 0) <= nowMs)
  const found = missing.length > 0 ? await read(missing) : new Map<string, string>()
  for (const hash of missing) names.set(keyOf(hash), { name: found.get(hash), untilMs: nowMs + namesMs })
  return new Map(
    hashes.flatMap((hash) => {
      const name = names.find(keyOf(hash))?.name
      return name === undefined ? [] : [[hash, name] as const]
    }),
  )
}

/** A changed explorer appears in messages within this time. */
const cachedMs = 5_000
const addresses = makeLruCache<{ address: SourceAddress; untilMs: number }>(1_000)

/** Most messages have a link, and reading the source for every chunk would cost a query each. */
async function cachedAddress(key: string, read: () => Promise<SourceAddress>): Promise<SourceAddress> {
  const known = addresses.find(key)
  if (known && known.untilMs > performance.now()) return known.address
  const address = await read()
  addresses.set(key, { address, untilMs: performance.now() + cachedMs })
  return address
}

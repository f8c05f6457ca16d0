import { waitAtMost } from '../base/deadline.ts'
import { hashOf, isObject } from '../base/json.ts'
import { makeLruCache } from '../base/lru-cache.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Connection } from '../sources/connection.ts'
import type { SourceAddress } from '../sources/connections.ts'

export type ShownToken = { symbol: string | null; decimals: number }

/** The tokens that messages show, for all sources of a process. */
export type TokenTable = {
  /** Reads the tokens that are not known yet. It does not fail: a token that cannot be read stays unknown. */
  load(source: TokenSource, contracts: Iterable<string>): Promise<(contract: string) => ShownToken | undefined>
}
export type TokenSource = { address: SourceAddress; connection(): Promise<Connection> }

type Entry = { token: ShownToken | undefined; untilMs: number }

const tokensMax = 20_000
/** A message waits at most this long for its tokens. */
const waitMs = 5_000
/** Readings of one call that run at the same time. */
const readsMax = 8
/** A contract that is no token may become one behind a proxy. */
const noTokenMs = 600_000
/** While a node does not answer, further messages do not wait for it. */
const failedMs = 15_000

export function makeTokenTable(nowMs: () => number = () => performance.now()): TokenTable {
  const entries = makeLruCache<Entry>(tokensMax)
  const find = (key: string) => {
    const entry = entries.find(key)
    return entry && entry.untilMs > nowMs() ? entry : undefined
  }
  return {
    async load({ address, connection }, contracts) {
      const network = hashOf(JSON.stringify([address.kind, address.endpoints]))
      const keyOf = (contract: string) => `${network} ${isHex(contract) ? contract.toLowerCase() : contract}`
      const missing = [...new Set(contracts)].filter((contract) => !find(keyOf(contract)))
      const read = async (contract: string) => {
        const { token, keptMs } = await readToken(connection, contract)
        entries.set(keyOf(contract), { token, untilMs: nowMs() + keptMs })
      }
      if (missing.length > 0) await waitAtMost(forEach(missing, read), waitMs)
      for (const contract of missing)
        if (!find(keyOf(contract))) entries.set(keyOf(contract), { token: undefined, untilMs: nowMs() + failedMs })
      return (contract) => find(keyOf(contract))?.token
    },
  }
}

function isHex(contract: string): boolean {
  return contract.startsWith('0x')
}

async function readToken(
  connection: () => Promise<Connection>,
  contract: string,
): Promise<{ token: ShownToken | undefined; keptMs: number }> {
  try {
    const found = await (await connection()).read({ id: 'token', type: 'token_metadata', contract }, undefined)
    return { token: toShownToken(found), keptMs: Number.POSITIVE_INFINITY }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const isAnswer = error.kind === 'refused' || error.kind === 'bad_answer'
    return { token: undefined, keptMs: isAnswer ? noTokenMs : failedMs }
  }
}

function toShownToken(found: unknown): ShownToken | undefined {
  if (!isObject(found) || typeof found.decimals !== 'number') return undefined
  return { symbol: typeof found.symbol === 'string' ? found.symbol : null, decimals: found.decimals }
}

async function forEach(contracts: readonly string[], read: (contract: string) => Promise<void>): Promise<void> {
  const waiting = contracts.values()
  await Promise.all(
    Array.from({ length: Math.min(readsMax, contracts.length) }, async () => {
      for (const contract of waiting) await read(contract)
    }),
  )
}

import { setTimeout as pause } from 'node:timers/promises'
import type { SourceKind, SourceRuntime } from '@tocsin/contract'
import type { z } from 'zod'
import type { Store } from '../../store/index.ts'
import type { Context } from '../handler.ts'
import { Refusal } from '../refusal.ts'

/** The network that a source belongs to. */
export type Network = Pick<z.output<typeof SourceRuntime>, 'chainId' | 'genesisHash'>

type Asking = Pick<Context<'saveCustomSource'>, 'account' | 'engine' | 'testLimits' | 'now'> & {
  body: Pick<Context<'saveCustomSource'>['body'], 'public' | 'kind' | 'endpoints' | 'substrate' | 'workspace'>
}

/** A save waits at most this long for slow nodes. The runtime asks them again. */
const networkTimeoutMs = 5_000

/**
 * Only one public source per network is allowed, so a save asks the endpoints for their network only if the source is
 * public.
 */
export async function askNetwork(context: Asking): Promise<Network | undefined> {
  const { account, body, engine, testLimits, now } = context
  if (!body.public) return undefined
  const { kind, endpoints, substrate } = body
  const waiting = new AbortController()
  const tooLate = pause(networkTimeoutMs, undefined, { signal: waiting.signal }).catch(() => undefined)
  const verify = () => engine.verify({ kind, endpoints, extensions: substrate?.extensions })
  const verifying = testLimits.run(account.id, now, verify, body.workspace)
  const found = await Promise.race([verifying, tooLate]).finally(() => waiting.abort())
  if (found?.chainId !== undefined) return { chainId: found.chainId }
  return found?.genesisHash === undefined ? undefined : { genesisHash: found.genesisHash }
}

export async function requireNoDuplicate(
  store: Store,
  source: { id?: string; kind: SourceKind },
  network: Network | undefined,
): Promise<void> {
  if (!network) return
  const duplicate = await store.sourceLimits.findPublicDuplicate({ id: '', ...source, runtime: network })
  if (duplicate) throw new Refusal('duplicate_source', `"${duplicate}" is already a public source of this network.`)
}

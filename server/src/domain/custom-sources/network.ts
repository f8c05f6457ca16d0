import { setTimeout as pause } from 'node:timers/promises'
import type { SourceKind, SourceRuntime } from '@tocsin/contract'
import type { z } from 'zod'
import { rulesOf } from '../../engine/sources/chains.ts'
import type { Store } from '../../store/index.ts'
import type { Context } from '../handler.ts'
import { Refusal } from '../refusal.ts'

/** Which network a source is of. */
export type Network = Pick<z.output<typeof SourceRuntime>, 'chainId' | 'genesisHash'>

/** A save does not wait longer for nodes that say nothing; the runtime asks them again. */
const patienceMs = 5_000

/** Only what everybody sees has to be the one of its network, so only then endpoints are asked before a save. */
export async function askNetwork(context: Context<'saveCustomSource'>): Promise<Network | undefined> {
  const { account, body, engine, trials, now } = context
  if (!body.public) return undefined
  const { kind, endpoints, substrate } = body
  const waiting = new AbortController()
  const tooLate = pause(patienceMs, undefined, { signal: waiting.signal }).catch(() => undefined)
  const verify = () => engine.verify({ kind, endpoints, extensions: substrate?.extensions })
  const asked = trials.run(account.id, now, verify, body.workspace)
  const found = await Promise.race([asked, tooLate]).finally(() => waiting.abort())
  if (found?.chainId !== undefined) return { chainId: found.chainId }
  return found?.genesisHash === undefined ? undefined : { genesisHash: found.genesisHash }
}

/** The network's name after CAIP-2, such as `eip155:1`; `unknown` until a node has told which network it is. */
export function networkName(kind: SourceKind, network: Network): string {
  return rulesOf(kind).networkName(network) ?? 'unknown'
}

export async function requireNoTwin(
  store: Store,
  source: { id?: string; kind: SourceKind },
  network: Network | undefined,
): Promise<void> {
  if (!network) return
  const twin = await store.customSources.findPublicDuplicate({ id: '', ...source, runtime: network })
  if (twin) throw new Refusal('duplicate_source', `"${twin}" is a public source of this network already.`)
}

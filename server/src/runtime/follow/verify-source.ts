import type { Engine } from '../../engine/engine.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { Verified } from '../../engine/sources/connection.ts'
import type { SourceRuntime } from '../../store/core/tables.ts'
import type { LiveSource } from '../listeners/index.ts'
import { Misconfigured } from './failures.ts'

/** Looks at every endpoint before a revision of a source is run for the first time. */
export async function verifySource(
  engine: Engine,
  source: LiveSource,
): Promise<Pick<SourceRuntime, 'chainId' | 'genesisHash' | 'ss58Prefix'>> {
  const found = await engine.verify(source.address())
  const foreign = found.endpoints.filter(({ isOfOtherNetwork }) => isOfOtherNetwork)
  if (foreign.length > 0) throw new Misconfigured('source.network_mismatch', foreign.map(sentenceOf).join(' '))
  if (!found.endpoints.some(({ ok }) => ok))
    throw new UpstreamError('failed', found.endpoints.map(sentenceOf).join(' '))
  const { chainId, genesisHash, ss58Prefix } = found
  return {
    ...(chainId !== undefined && { chainId }),
    ...(genesisHash !== undefined && { genesisHash }),
    ...(ss58Prefix !== undefined && { ss58Prefix }),
  }
}

/** Hosts are enough to tell endpoints apart; keys often stand in the rest of an address. */
function sentenceOf({ url, error }: Verified['endpoints'][number]): string {
  return `${new URL(url).host}: ${error ?? 'It cannot be used.'}`
}

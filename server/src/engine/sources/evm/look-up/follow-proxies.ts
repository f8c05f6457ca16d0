import type { ProxyKind } from '@tocsin/contract'
import type { ChainReads } from './chain-reads.ts'
import { findProxy } from './find-proxy.ts'

/** `targets` are the contracts whose code runs: the contract itself, its implementation, or the facets of a diamond. */
export type Followed = { code: string; proxyKind?: ProxyKind; targets: string[] }

/** An implementation may be a proxy again. Longer chains have no use and may be circles. */
const stepsMax = 4

export async function followProxies(reads: ChainReads, address: string, steps = stepsMax): Promise<Followed> {
  const code = await reads.code(address)
  const proxy = code === '0x' ? undefined : await findProxy(reads, address, code)
  if (!proxy) return { code, targets: [address] }
  const { kind: proxyKind, implementations } = proxy
  const [implementation] = implementations
  if (implementations.length !== 1 || implementation === undefined || steps === 1)
    return { code, proxyKind, targets: implementations }
  const { targets } = await followProxies(reads, implementation, steps - 1)
  return { code, proxyKind, targets }
}

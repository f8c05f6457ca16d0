import { isObject } from '../../base/is-object.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { type TokenMetadata, type TokenMetadataProvider, tokenText } from '../token-metadata.ts'
import { readStorage } from './read-storage.ts'
import type { Rpc } from './rpc.ts'
import type { Runtime } from './runtime.ts'

/** Reads an asset of the assets pallet. An asset without metadata has no name, and 0 decimals as on the chain. */
export async function readToken(
  rpc: Rpc,
  runtime: Runtime,
  { contract }: TokenMetadataProvider,
  hash: string,
): Promise<TokenMetadata> {
  const read = (entry: string) =>
    readStorage(rpc, runtime, { id: '', type: 'substrate_storage', module: 'Assets', entry, args: [contract] }, hash)
  const [asset, metadata] = await Promise.all([read('Asset'), read('Metadata')])
  if (asset === null) throw new UpstreamError('bad_answer', `The chain has no asset ${contract.slice(0, 80)}.`)
  if (!isObject(metadata) || typeof metadata.decimals !== 'number')
    throw new UpstreamError('bad_answer', 'The assets pallet of the chain has metadata of an unknown form.')
  const { name, symbol, decimals } = metadata
  return { address: contract, name: textOf(name), symbol: textOf(symbol), decimals, standard: 'assets' }
}

function textOf(hex: unknown): string | null {
  return typeof hex === 'string' ? tokenText(Buffer.from(hex.slice(2), 'hex')) : null
}

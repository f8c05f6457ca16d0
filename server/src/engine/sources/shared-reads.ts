/** Reads that are the same for every chain: they go through what each connection can do, and answers that never change are kept. */
import type { Provider } from '@tocsin/contract'
import type { BlockRef } from './block.ts'
import { readBlockAt } from './block-at.ts'
import type { Connection } from './connection.ts'
import type { ReadContext } from './kept-reads.ts'

type SharedRead = (context: ReadContext, provider: Provider, at: BlockRef | undefined) => Promise<unknown>

const sharedReads: Partial<Readonly<Record<Provider['type'], SharedRead>>> = {
  token_metadata: readTokenOnce,
  block_at: (context, provider, at) =>
    provider.type === 'block_at' ? readBlockAt(context, provider.time) : context.connection.read(provider, at),
}

export function withSharedReads(connection: Connection, context: Omit<ReadContext, 'connection'>): Connection {
  return {
    ...connection,
    read(provider, at) {
      const read = sharedReads[provider.type]
      return read ? read({ connection, ...context }, provider, at) : connection.read(provider, at)
    },
  }
}

/** The metadata of a token does not change, so it is read once for each address of a source. */
function readTokenOnce(
  { connection, network, kept }: ReadContext,
  provider: Provider,
  at: BlockRef | undefined,
): Promise<unknown> {
  const read = () => connection.read(provider, at)
  return provider.type === 'token_metadata' ? kept.read(`${network} ${provider.contract}`, read) : read()
}

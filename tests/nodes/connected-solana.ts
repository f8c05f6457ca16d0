import { createHash } from 'node:crypto'
import { openDoor } from '../../server/src/engine/outbound/index.ts'
import { solana } from '../../server/src/engine/sources/solana/index.ts'
import { startSolana } from './solana.ts'

const limits = { timeoutMs: 5000, responseBytesMax: 1_000_000 }

/** The RPC server on LiteSVM, and a connection to it. */
export async function connectedSolana() {
  const double = await startSolana()
  const door = openDoor({ allowPrivateNetworks: true })
  const options = { door, ...limits }
  const connection = solana.connect([double.url], options)
  const close = async () => {
    await connection.close()
    await door.close()
    await double.close()
  }
  return { double, connection, options, close }
}

/** The eight bytes that Anchor puts before an event, an account or the data of an instruction. */
export function anchorHash(preimage: string): Uint8Array {
  return createHash('sha256').update(preimage).digest().subarray(0, 8)
}

/** Solana: blocks by slot, events and instructions by IDL, accounts. Everything about the chain is in this folder. */
import type { Chain, LevelBlock } from '../chain.ts'
import type { Connection } from '../connection.ts'
import { requireNumber } from './calls.ts'
import { connect } from './connection.ts'
import { solanaItems } from './raw-items.ts'
import { verify } from './verify.ts'

export const solana: Chain = {
  kind: 'solana',
  connect,
  verify,
  items: solanaItems,
  pace: { replaceable: 150, level: fetchLevel, skipsNumbers: true, laggingBeyond: 150 },
}

/** Every block that is followed is confirmed, and so safe. */
async function fetchLevel(connection: Connection, name: 'safe' | 'finalized'): Promise<LevelBlock> {
  if (name === 'safe') return connection.head()
  return { number: requireNumber(await connection.request('getSlot', [{ commitment: name }]), 'getSlot') }
}

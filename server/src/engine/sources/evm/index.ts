/** EVM chains: checked blocks; logs, transactions, calls and blocks as items; reads of contracts, verification of nodes. */
import type { Chain } from '../chain.ts'
import { connect } from './connection.ts'
import { fetchLevel } from './levels.ts'
import { evmItems } from './raw-items.ts'
import { verify } from './verify.ts'

export { EvmContents, type EvmLog, type EvmTransaction } from './contents.ts'

export const evm: Chain = {
  kind: 'evm',
  connect,
  verify,
  items: evmItems,
  pace: { replaceable: 64, level: fetchLevel, skipsNumbers: false, laggingBeyond: 20 },
}

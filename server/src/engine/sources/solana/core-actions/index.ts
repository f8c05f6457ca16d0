/** The starting points of the trigger builder for Solana, in the order in which it shows them. */
import type { CoreAction } from '@tocsin/contract'
import { solanaBalance, splBalance } from './balances.ts'
import { anchorEvent, solanaInstruction, splTransfer } from './programs.ts'

export const solanaCoreActions: readonly CoreAction[] = [
  splTransfer,
  anchorEvent,
  solanaInstruction,
  solanaBalance,
  splBalance,
]

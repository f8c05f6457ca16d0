/** The ready-made starting points of the trigger builder, in the order it shows them. */
import type { CoreAction } from '@tocsin/contract'
import { contractEvent, nativeTransfer } from './evm-general.ts'
import { uniswapV2Swap, uniswapV3Swap } from './evm-swaps.ts'
import { erc20Approval, erc20Transfer, erc721Transfer, erc1155Transfer } from './evm-tokens.ts'
import { anchorEvent, splTransfer } from './solana.ts'
import { balancesTransfer, governanceVote, stakingReward } from './substrate.ts'
import { timer } from './timer.ts'

export const coreActions: CoreAction[] = [
  erc20Transfer,
  erc721Transfer,
  erc1155Transfer,
  erc20Approval,
  nativeTransfer,
  contractEvent,
  uniswapV2Swap,
  uniswapV3Swap,
  balancesTransfer,
  stakingReward,
  governanceVote,
  splTransfer,
  anchorEvent,
  timer,
]

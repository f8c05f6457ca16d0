/** The starting points of the trigger builder for EVM chains, in the order in which it shows them. */
import type { CoreAction } from '@tocsin/contract'
import { controlChanged, functionCalled, newBlock, nothingHappened, tooMany } from './activity.ts'
import { notMinted } from './bridges.ts'
import { contractEvent, nativeTransfer } from './general.ts'
import { governorEvent } from './governance.ts'
import { uniswapV2Swap, uniswapV3Swap } from './swaps.ts'
import { erc20Approval, erc20Transfer, erc721Transfer, erc1155Transfer } from './tokens.ts'
import {
  contractValueBound,
  contractValueChange,
  nativeBalance,
  priceBound,
  priceStale,
  tokenBalance,
} from './values.ts'

export const evmCoreActions: readonly CoreAction[] = [
  erc20Transfer,
  erc721Transfer,
  erc1155Transfer,
  erc20Approval,
  nativeTransfer,
  contractEvent,
  functionCalled,
  controlChanged,
  uniswapV2Swap,
  uniswapV3Swap,
  contractValueBound,
  contractValueChange,
  nativeBalance,
  tokenBalance,
  priceBound,
  priceStale,
  nothingHappened,
  tooMany,
  newBlock,
  governorEvent,
  notMinted,
]

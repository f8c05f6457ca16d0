/** The ready-made starting points of the trigger builder, in the order it shows them. */
import type { CoreAction } from '@tocsin/contract'
import { controlChanged, functionCalled, newBlock, nothingHappened, tooMany } from './evm-activity.ts'
import { contractEvent, nativeTransfer } from './evm-general.ts'
import { uniswapV2Swap, uniswapV3Swap } from './evm-swaps.ts'
import { erc20Approval, erc20Transfer, erc721Transfer, erc1155Transfer } from './evm-tokens.ts'
import {
  contractValueBound,
  contractValueChange,
  nativeBalance,
  priceBound,
  priceStale,
  tokenBalance,
} from './evm-values.ts'
import { governorEvent, referendumSubmitted, stakingSlash } from './governance.ts'
import { anchorEvent, solanaInstruction, splTransfer } from './solana.ts'
import { solanaBalance, splBalance } from './solana-balances.ts'
import { balancesTransfer, governanceVote, stakingReward, substrateBalance, substrateCall } from './substrate.ts'

const timer: CoreAction = {
  type: 'timer',
  title: 'Timer',
  description: 'Runs at a fixed interval. Add providers to fetch the values to check.',
  kind: 'timer',
  triggerSpec: { type: 'timer', interval: '5m' },
  inputs: {},
  filtersSchema: {},
  outputSchema: { raw: { now: 'string', timestampMs: 'integer' } },
  transform: { language: 'javascript', rawSource: '({ now: source.now, timestampMs: source.timestampMs })' },
  notSeen: ['What happens and ends between two ticks.'],
  defaults: { title: 'Timer', short: 'It is {{raw.now}}', long: 'It is {{raw.now}}' },
}

export const coreActions: CoreAction[] = [
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
  balancesTransfer,
  substrateBalance,
  stakingReward,
  stakingSlash,
  governanceVote,
  referendumSubmitted,
  substrateCall,
  splTransfer,
  anchorEvent,
  solanaInstruction,
  solanaBalance,
  splBalance,
  timer,
]

/** The starting points of the trigger builder for Substrate chains, in the order in which it shows them. */
import type { CoreAction } from '@tocsin/contract'
import { balancesTransfer, governanceVote, stakingReward, substrateBalance, substrateCall } from './accounts.ts'
import { referendumSubmitted, stakingSlash } from './governance.ts'

export const substrateCoreActions: readonly CoreAction[] = [
  balancesTransfer,
  substrateBalance,
  stakingReward,
  stakingSlash,
  governanceVote,
  referendumSubmitted,
  substrateCall,
]

/** What people come for, each as three questions: what, when, where. */
import type { Goal } from '../goal.ts'
import { balance } from './balance.ts'
import { contract } from './contract.ts'
import { governance } from './governance.ts'
import { price } from './price.ts'
import { staking } from './staking.ts'
import { wallet } from './wallet.ts'

export const goals: readonly Goal[] = [wallet, contract, price, balance, staking, governance]

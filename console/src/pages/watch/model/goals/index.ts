/** What people come for, each as three questions: what, when, where. */
import { type GoalName, goalTexts } from '../../../../layouts/watch/goal-texts.ts'
import type { ChainGoals, Goal } from '../goal.ts'
import { evmGoals } from './evm.ts'
import { solanaGoals } from './solana.ts'
import { substrateGoals } from './substrate.ts'

/** A chain that is not listed here has no goals, and the console offers its starting points. */
const chains: readonly ChainGoals[] = [evmGoals, substrateGoals, solanaGoals]
const names: readonly GoalName[] = ['wallet', 'contract', 'price', 'balance', 'staking', 'governance']
const notes: Partial<Record<GoalName, string>> = {
  price: 'Prices are read from Chainlink price feeds, which are contracts on EVM networks.',
}

export const goals: readonly Goal[] = names.map((name) => ({
  name,
  ...goalTexts[name],
  ...(notes[name] !== undefined && { note: notes[name] }),
  kinds: Object.fromEntries(chains.flatMap(({ kind, goals }) => (goals[name] ? [[kind, goals[name]]] : []))),
}))

/** What the wizard knows of a kind of chain; undefined if it has no goals of its own. */
export function goalsOf(kind: string): ChainGoals | undefined {
  return chains.find((chain) => chain.kind === kind)
}

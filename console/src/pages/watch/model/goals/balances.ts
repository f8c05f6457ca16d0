/** What the questions about a balance have in common on all chains. */
import type { Choice } from '../goal.ts'
import { groupThousands } from '../group-thousands.ts'
import { coinName } from '../units.ts'

export const coinBalance: Omit<Choice, 'about' | 'parts'> = {
  value: 'coin',
  label: 'Coin',
  fields: ['bound'],
  unit: 'coin',
  says: ({ source, side, bound }, account) =>
    `the balance of ${account} is ${side} ${groupThousands(bound)} ${coinName(source)}`,
}

export const tokenBalance: Omit<Choice, 'about' | 'parts'> = {
  value: 'token',
  label: 'Token',
  fields: ['token', 'bound'],
  unit: 'token',
  says: ({ side, bound }, account) => `the balance of ${account} is ${side} ${groupThousands(bound)} tokens`,
}

import * as z from 'zod'
import { ScriptSource } from '../scripts.ts'
import { common, type ProviderRecord, Variables, variablesField } from './record.ts'

export const JavascriptProvider = z.object({
  ...common,
  type: z.literal('javascript'),
  source: ScriptSource,
  variables: Variables,
})

export const javascript = {
  type: 'javascript',
  schema: JavascriptProvider,
  forms: [
    {
      title: 'JavaScript',
      about: 'Computes a value from the item and earlier providers.',
      blank: { type: 'javascript', source: '' },
      fields: [{ name: 'source', label: 'Script', as: 'code' }, variablesField],
    },
  ],
} as const satisfies ProviderRecord

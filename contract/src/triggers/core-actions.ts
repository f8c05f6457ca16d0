import * as z from 'zod'
import { FiltersSchema, InputsSchema, OutputSchema } from './schemas.ts'
import { Transform } from './scripts.ts'
import { Defaults } from './trigger-parts.ts'
import { TriggerSpec } from './trigger-spec.ts'

/** A ready-made starting point of the trigger builder. */
export const CoreAction = z.object({
  type: z.string(),
  title: z.string(),
  description: z.string(),
  kind: z.enum(['evm', 'substrate', 'solana', 'timer']),
  triggerSpec: TriggerSpec,
  inputs: InputsSchema,
  filtersSchema: FiltersSchema,
  outputSchema: OutputSchema,
  transform: Transform.optional(),
  defaults: Defaults.optional(),
})
export type CoreAction = z.output<typeof CoreAction>

export const CoreActionsReply = z.object({ actions: z.array(CoreAction) })

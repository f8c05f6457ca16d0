import * as z from 'zod'
import { SourceKind } from '../chains/chain.ts'
import { Policy } from './policies/index.ts'
import { Provider } from './providers/index.ts'
import { FiltersSchema, InputsSchema, OutputSchema } from './schemas.ts'
import { CanonicalTransform } from './scripts.ts'
import { Defaults } from './trigger-parts.ts'
import { TriggerSpec } from './trigger-spec.ts'

/** A ready-made starting point of the trigger builder. */
export const CoreAction = z.object({
  type: z.string(),
  title: z.string(),
  description: z.string(),
  kind: z.enum([...SourceKind.options, 'timer', 'workspace']),
  triggerSpec: TriggerSpec.nullable(),
  stream: z
    .object({ name: z.literal('health'), values: z.record(z.string(), z.string()) })
    .optional()
    .describe(
      'Without a triggerSpec: the stream `<workspace>.<name>` that the trigger listens to, and the values that an item must have.',
    ),
  inputs: InputsSchema,
  filtersSchema: FiltersSchema,
  providers: z.array(Provider).optional(),
  outputSchema: OutputSchema,
  transform: CanonicalTransform.optional(),
  defaults: Defaults.optional(),
  /** What it cannot see, in sentences: events of the same kind for which it makes no alert. */
  notSeen: z.array(z.string()).min(1),
  /** The policy that a subscription starts with. */
  policy: Policy.optional(),
})
export type CoreAction = z.output<typeof CoreAction>

export const CoreActionsReply = z.object({ actions: z.array(CoreAction) })

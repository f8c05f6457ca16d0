import * as z from 'zod'
import { DateTime, FreeForm, Fullname } from '../base/common.ts'
import { atMost } from '../base/payload-limits.ts'
import { safeJson } from '../base/safe-json.ts'
import { ConditionsOfEither, TriggerConditions } from './conditions.ts'
import { Provider } from './providers/index.ts'
import { Activation, Transform } from './scripts.ts'
import { bindingsMax, SourceBinding } from './source-bindings.ts'
import { unfinished, unfinishedScript } from './trigger-definition.ts'
import { TriggerSpec } from './trigger-spec.ts'

/**
 * Payloads of try-outs. They exist to find mistakes inside a definition, which are returned with `valid: false` and
 * `issues`. So the schema refuses only a wrong outer form.
 */
const triggerSpec = unfinished(TriggerSpec).nullable()
const providers = z.array(unfinished(Provider)).describe(atMost('providers'))
const transform = unfinishedScript(Transform).nullable()
const activation = unfinishedScript(Activation).nullish()
const conditions = unfinished(TriggerConditions).nullish()
const inputs = FreeForm.optional()
const blockNumber = z.number().int().min(0)
const itemIndex = z.number().int().min(0).optional()
/**
 * The sources of a trigger on several sources, and the one to try it on. By default it is the binding that the input
 * names, else the one of the triggerSpec's dataSource.
 */
const bound = {
  sourceBindings: z.array(unfinished(SourceBinding)).max(bindingsMax).optional(),
  binding: z.string().min(1).max(64).optional(),
}
/** The project whose secrets `{{secrets.<name>}}` names. The caller must be its developer. */
const project = Fullname.optional()

export const TriggerPreview = safeJson(
  z.object({
    providers,
    activation,
    conditions,
    transform,
    input: z.unknown(),
    inputs,
    providersData: FreeForm.optional(),
    ...bound,
    project,
    outputSchema: FreeForm.nullish(),
  }),
)

const definition = {
  triggerSpec,
  providers,
  transform,
  outputSchema: FreeForm.nullable(),
  activation,
  conditions,
  inputs,
  project,
  ...bound,
}

/** Where the sample item comes from. */
export const TestMatch = z.object({
  block: blockNumber.optional(),
  slot: blockNumber.optional(),
  transactionHash: z.string().min(1).max(128).optional(),
  now: z.union([z.number(), DateTime], { error: 'must be milliseconds or an ISO date-time with a zone' }).optional(),
  itemIndex,
})

export const TriggerTest = safeJson(
  z
    .object({ ...definition, input: z.unknown().optional(), test: TestMatch.optional() })
    .superRefine((payload, context) => {
      const hasSample =
        payload.input !== undefined || payload.test !== undefined || payload.triggerSpec?.testInput !== undefined
      if (!hasSample)
        context.addIssue({ code: 'custom', path: ['input'], message: 'one of input and test is required' })
    }),
)

export const TriggerTestBlock = safeJson(
  z.object({ ...definition, block: blockNumber, itemIndex, filtersSchema: FreeForm.optional() }),
)

export const ProviderTest = safeJson(
  z.object({
    triggerSpec,
    provider: unfinished(Provider),
    project,
    workspace: Fullname.optional(),
    templateValues: FreeForm.optional(),
  }),
)

/**
 * Either a spec, or the fullname of a saved trigger, whose own spec, source and conditions are then used. If every param of
 * `conditions` begins with `source.`, `inputs.` or `providers.<id>.`, they are conditions of a trigger, else those of a
 * subscription.
 */
export const FindLatestBlock = safeJson(
  z
    .object({
      triggerSpec: unfinished(TriggerSpec).optional(),
      trigger: Fullname.optional(),
      ...bound,
      inputs,
      filtersSchema: FreeForm.optional(),
      conditions: ConditionsOfEither.nullish(),
      fromBlock: blockNumber.optional(),
      maxBlocks: z.number().int().min(1).max(1000).default(100),
    })
    .superRefine(({ triggerSpec, trigger }, context) => {
      if ((triggerSpec === undefined) === (trigger === undefined))
        context.addIssue({ code: 'custom', path: ['triggerSpec'], message: 'give either a triggerSpec or a trigger' })
    }),
)

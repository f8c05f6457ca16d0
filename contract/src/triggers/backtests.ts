import * as z from 'zod'
import { FreeForm, Fullname, IssueView, Time } from '../base/common.ts'
import { safeJson } from '../base/safe-json.ts'
import { ConditionsOfEither } from './conditions.ts'
import { TriggerFields } from './trigger-definition.ts'

const blocksMax = 10_000
const block = z.number().int().min(0)

/** A saved trigger by its name, or an unsaved definition, to run over past blocks. */
export const TriggerBacktest = safeJson(
  z
    .object({
      fullname: Fullname.optional(),
      definition: TriggerFields.optional(),
      /** For an unsaved definition: the project whose secrets it names. The caller must be its developer. */
      project: Fullname.optional(),
      inputs: FreeForm.optional(),
      /** For a trigger on several sources: the binding whose blocks are checked. By default that of the triggerSpec's dataSource. */
      binding: z.string().min(1).max(64).optional(),
      /** Conditions of a subscription; of a trigger if every param begins with `source.`, `inputs.` or `providers.<id>.`. */
      conditions: ConditionsOfEither.nullish(),
      fromBlock: block.optional(),
      toBlock: block.optional(),
      lastBlocks: z.number().int().min(1).max(blocksMax).optional(),
      samples: z.number().int().min(0).max(100).default(10),
    })
    .superRefine((payload, context) => {
      const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
      if ((payload.fullname === undefined) === (payload.definition === undefined))
        refuse('fullname', 'give either a fullname or a definition')
      const { fromBlock, toBlock, lastBlocks } = payload
      if ((fromBlock === undefined) !== (toBlock === undefined)) refuse('toBlock', 'needs fromBlock')
      if ((fromBlock === undefined) === (lastBlocks === undefined))
        refuse('lastBlocks', 'give either lastBlocks or fromBlock and toBlock')
      if (fromBlock === undefined || toBlock === undefined) return
      if (toBlock < fromBlock) refuse('toBlock', 'must not be before fromBlock')
      if (toBlock - fromBlock >= blocksMax) refuse('toBlock', `at most ${blocksMax} blocks at a time`)
    }),
)

/** How often and when a definition would have fired. */
const Fired = z.object({
  matched: z.number().int(),
  fired: z.number().int(),
  failed: z.number().int(),
  /** The blocks in which it fired, in order, with their times and counts. */
  blocks: z.array(z.object({ number: z.number().int(), at: Time.optional(), fired: z.number().int() })),
  samples: z.array(z.object({ block: z.number().int(), item: FreeForm, raw: z.unknown(), human: z.unknown() })),
  issues: z.array(IssueView),
})

export const TriggerBacktestResult = z
  .object({
    valid: z.boolean(),
    issues: z.array(IssueView),
    fromBlock: z.number().int().optional(),
    toBlock: z.number().int().optional(),
    checkedBlocks: z.number().int(),
    result: Fired.optional(),
    /** For a saved trigger with a draft: the result of the draft, and the blocks in which the two differ. */
    draft: Fired.optional(),
    difference: z.object({ onlyPublished: z.array(z.number().int()), onlyDraft: z.array(z.number().int()) }).optional(),
  })
  .meta({ id: 'TriggerBacktestResult' })

/** The progress events of a call that accepts text/event-stream. */
export const BacktestProgress = z
  .object({ checkedBlocks: z.number().int(), totalBlocks: z.number().int(), fired: z.number().int() })
  .meta({ id: 'BacktestProgress' })

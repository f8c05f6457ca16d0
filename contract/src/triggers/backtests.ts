import * as z from 'zod'
import { FreeForm, Fullname, IssueView, Time } from '../base/common.ts'
import { safeJson } from '../base/safe-json.ts'
import { Conditions } from './conditions.ts'
import { TriggerFields } from './trigger-definition.ts'

const blocksMax = 10_000
const block = z.number().int().min(0)

/** What is run over past blocks: a saved trigger by its name, or a definition that is saved nowhere. */
export const TriggerBacktest = safeJson(
  z
    .object({
      fullname: Fullname.optional(),
      definition: TriggerFields.optional(),
      /** Of a definition: whose secrets it names, for callers who are its developers. */
      project: Fullname.optional(),
      inputs: FreeForm.optional(),
      conditions: Conditions.nullish(),
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
      if ((fromBlock === undefined) !== (toBlock === undefined)) refuse('toBlock', 'goes together with fromBlock')
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
  /** Blocks in which it fired, in order, with their times and how often. */
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
    /** For a saved trigger with a draft: what the draft would have done, and where the two differ. */
    draft: Fired.optional(),
    difference: z.object({ onlyPublished: z.array(z.number().int()), onlyDraft: z.array(z.number().int()) }).optional(),
  })
  .meta({ id: 'TriggerBacktestResult' })

/** What a caller that accepts text/event-stream hears before the result. */
export const BacktestProgress = z
  .object({ checkedBlocks: z.number().int(), totalBlocks: z.number().int(), fired: z.number().int() })
  .meta({ id: 'BacktestProgress' })

import * as z from 'zod'
import { AlertPolicy, AlertState } from './alerts.ts'
import { FreeForm, Fullname, IssueView, Time } from './base/common.ts'
import { safeJson } from './base/safe-json.ts'
import { ConditionsOfEither } from './triggers/conditions.ts'
import { Policy } from './triggers/policies/index.ts'
import { TriggerFields } from './triggers/trigger-definition.ts'

/** At most so many blocks are run while the caller waits; a longer range is a job. */
export const backtestBlocksAtOnce = 10_000
export const backtestBlocksMax = 100_000
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
      /** The policy of a subscription: then alerts are counted instead of outputs. */
      policy: Policy.optional(),
      fromBlock: block.optional(),
      toBlock: block.optional(),
      lastBlocks: z.number().int().min(1).max(backtestBlocksMax).optional(),
      estimate: z.boolean().optional().describe('True: answers what it would cost, and runs nothing.'),
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
      if (toBlock - fromBlock >= backtestBlocksMax) refuse('toBlock', `at most ${backtestBlocksMax} blocks at a time`)
    }),
)

/** At most so many alerts are listed. */
export const backtestAlertsMax = 500

/** An alert that a policy would have told. */
const PastAlert = z.object({
  /** Null for an alert that never resolves. */
  state: AlertState.nullable(),
  /** By the times of blocks; a policy also fires between two blocks, or because none came. */
  at: Time,
  /** The block of the output that it shows, or that came last before it; null if there was none. */
  block: z.number().int().nullable(),
  /** The value of the policy's key, if it has one. */
  key: z.string().optional(),
  policy: AlertPolicy.nullable(),
})

/** How often and when a definition would have fired. With a policy, `fired` and `blocks` count the alerts that fire. */
const Fired = z.object({
  matched: z.number().int(),
  fired: z.number().int(),
  failed: z.number().int(),
  resolved: z.number().int().optional().describe('With a policy: how often it would have resolved.'),
  alerts: z
    .array(PastAlert)
    .optional()
    .describe(`With a policy: what it would have told, the newest ${backtestAlertsMax}, newest first.`),
  /** The blocks in which it fired, in order, with their times and counts. */
  blocks: z.array(z.object({ number: z.number().int(), at: Time.optional(), fired: z.number().int() })),
  samples: z.array(z.object({ block: z.number().int(), item: FreeForm, raw: z.unknown(), human: z.unknown() })),
  issues: z.array(IssueView),
})

/** The requests to nodes for the blocks. The providers of the trigger make theirs for each item that matches. */
const Estimate = z.object({
  blocks: z.number().int().describe('How many blocks are checked.'),
  requests: z.number().int().describe('About how many requests to nodes the blocks take.'),
  byRange: z
    .boolean()
    .describe(
      'True if nodes are asked for the logs of many blocks at once; each block with such logs takes some requests more.',
    ),
  providers: z.number().int().describe('How many providers of the trigger read something for each item that matches.'),
})

export const TriggerBacktestResult = z
  .object({
    valid: z.boolean(),
    issues: z.array(IssueView),
    fromBlock: z.number().int().optional(),
    toBlock: z.number().int().optional(),
    checkedBlocks: z.number().int(),
    estimate: Estimate.optional().describe('With `estimate`, or for a job: about what it costs.'),
    job: z.string().optional().describe('For more than 10,000 blocks: the id of the job that runs them.'),
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

/**
 * queued: it waits for others; running; done: `result` is there; failed: `error` says why, for example because the service was
 * restarted; stopped: somebody stopped it.
 */
export const BacktestState = z.enum(['queued', 'running', 'done', 'failed', 'stopped'])
export type BacktestState = z.output<typeof BacktestState>

/** A backtest over a long range. It is kept for a day. */
export const BacktestJob = z
  .object({
    id: z.string(),
    state: BacktestState,
    fromBlock: z.number().int(),
    toBlock: z.number().int(),
    checkedBlocks: z.number().int(),
    totalBlocks: z.number().int().describe('How many blocks the range has.'),
    fired: z.number().int(),
    createdAt: Time,
    endedAt: Time.nullable().describe('When it ended; null while it waits or runs.'),
    error: z.string().nullable().describe('Why it failed.'),
    result: TriggerBacktestResult.nullable().describe('Null until it has ended.'),
  })
  .meta({ id: 'BacktestJob' })
